//! The item of a derive, with its attributes rendered for the rules.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use redis_keys_schema::{
    Attribute, Field, Item, RecordItem, RecordShape, SegmentItem, Shape, Variant, feature_of_parameter,
};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Meta};

use crate::rendered::Rendered;

/// The item with its attributes rendered.
pub(crate) struct Input<'i> {
    pub(crate) item: &'i DeriveInput,
    pub(crate) attributes: Vec<KeyAttribute<'i>>,
    pub(crate) fields: Vec<KeyField<'i>>,
    /// The variants, if it is an enum that is a parameter type.
    pub(crate) variants: Vec<KeyVariant<'i>>,
}

/// A `redis_key` or `redis_hash` attribute.
pub(crate) struct KeyAttribute<'i> {
    pub(crate) attribute: &'i syn::Attribute,
    pub(crate) rendered: Rendered,
}

/// A field of the struct.
pub(crate) struct KeyField<'i> {
    pub(crate) field: &'i syn::Field,
    pub(crate) name: String,
    /// The text of its type.
    pub(crate) ty: String,
    pub(crate) attributes: Vec<KeyAttribute<'i>>,
}

/// A variant of an enum.
pub(crate) struct KeyVariant<'i> {
    pub(crate) variant: &'i syn::Variant,
    pub(crate) attributes: Vec<KeyAttribute<'i>>,
}

impl<'i> Input<'i> {
    /// A key, with its `redis_key` attributes.
    pub(crate) fn new(item: &'i DeriveInput) -> Self {
        Self::with_attributes(item, "redis_key")
    }

    /// A record, with its `redis_hash` attributes.
    pub(crate) fn of_record(item: &'i DeriveInput) -> Self {
        Self::with_attributes(item, "redis_hash")
    }

    /// A parameter type, with its `redis_key` attributes.
    pub(crate) fn of_segment(item: &'i DeriveInput) -> Self {
        let variant =
            |variant: &'i syn::Variant| KeyVariant { variant, attributes: attributes(&variant.attrs, "redis_key") };
        let variants = match &item.data {
            Data::Enum(data) => data.variants.iter().map(variant).collect(),
            Data::Struct(_) | Data::Union(_) => Vec::new(),
        };
        Self { variants, ..Self::new(item) }
    }

    fn with_attributes(item: &'i DeriveInput, name: &str) -> Self {
        let field = |(number, field)| KeyField::new(number, field, name);
        let fields = match &item.data {
            Data::Struct(data) => data.fields.iter().enumerate().map(field).collect(),
            Data::Enum(_) | Data::Union(_) => Vec::new(),
        };
        Self { item, attributes: attributes(&item.attrs, name), fields, variants: Vec::new() }
    }

    fn shape(&self) -> Shape {
        match self.item.data {
            Data::Struct(_) => Shape::Struct,
            Data::Enum(_) => Shape::Enum,
            Data::Union(_) => Shape::Union,
        }
    }

    /// The item for the rules of keys.
    pub(crate) fn item(&self) -> Item<'_> {
        Item {
            name: self.item.ident.unraw().to_string(),
            shape: self.shape(),
            documented: self.is_documented(),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
            fields: self.fields.iter().map(KeyField::text).collect(),
        }
    }

    /// The item for the rules of parameter types.
    pub(crate) fn segment(&self) -> SegmentItem<'_> {
        SegmentItem {
            shape: self.shape(),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
            fields: self.fields.iter().map(KeyField::text).collect(),
            variants: self.variants.iter().map(KeyVariant::text).collect(),
        }
    }

    /// The item for the rules of records.
    pub(crate) fn record(&self) -> RecordItem<'_> {
        RecordItem {
            shape: match &self.item.data {
                Data::Struct(data) => match data.fields {
                    Fields::Named(_) => RecordShape::Named,
                    Fields::Unnamed(_) => RecordShape::Tuple,
                    Fields::Unit => RecordShape::Unit,
                },
                Data::Enum(_) => RecordShape::Enum,
                Data::Union(_) => RecordShape::Union,
            },
            lifetimes: self.item.generics.lifetimes().map(|parameter| parameter.lifetime.to_string()).collect(),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
            fields: self.fields.iter().map(KeyField::text).collect(),
        }
    }

    /// A field's attribute.
    pub(crate) fn field_attribute(&self, field: usize, number: usize) -> Option<&KeyAttribute<'i>> {
        self.fields.get(field)?.attributes.get(number)
    }

    /// Name, file, line and column, which identify the item.
    pub(crate) fn place(&self) -> String {
        let name = &self.item.ident;
        match position(name.span()) {
            Some((file, line, column)) => format!("{name} {file}:{line}:{column}"),
            None => name.to_string(),
        }
    }

    /// A variant's attribute.
    pub(crate) fn variant_attribute(&self, variant: usize, number: usize) -> Option<&KeyAttribute<'i>> {
        self.variants.get(variant)?.attributes.get(number)
    }

    /// Whether the item, a field or a variant is deprecated, or allows the use of what is.
    pub(crate) fn is_deprecated(&self) -> bool {
        let fields = self.fields.iter().flat_map(|field| &field.field.attrs);
        let variants = self.variants.iter().flat_map(|variant| &variant.variant.attrs);
        self.item.attrs.iter().chain(fields).chain(variants).any(|attribute| {
            let allows = ["allow", "expect"].iter().any(|level| attribute.path().is_ident(level));
            attribute.path().is_ident("deprecated") || (allows && names_deprecated(attribute))
        })
    }

    fn is_documented(&self) -> bool {
        self.item.attrs.iter().any(|attribute| attribute.path().is_ident("doc"))
    }

    /// The attributes that set the level of our warnings: `#[allow(deprecated)]` and the like.
    pub(crate) fn levels(&self) -> impl Iterator<Item = &syn::Attribute> {
        let level = |attribute: &&syn::Attribute| {
            ["allow", "warn", "deny"].iter().any(|level| attribute.path().is_ident(level))
                && names_deprecated(attribute)
        };
        self.item.attrs.iter().filter(level)
    }

    /// The doc comment of the struct.
    pub(crate) fn docs(&self) -> String {
        let lines = self.item.attrs.iter().filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) => Some(line.value()),
                _ => None,
            },
            _ => None,
        });
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

impl KeyAttribute<'_> {
    fn text(&self) -> Attribute<'_> {
        match &self.attribute.meta {
            Meta::Path(_) => Attribute::Word,
            Meta::List(_) => Attribute::Arguments(&self.rendered.text),
            Meta::NameValue(_) => Attribute::Value(&self.rendered.text),
        }
    }
}

impl KeyVariant<'_> {
    fn text(&self) -> Variant<'_> {
        Variant {
            name: self.variant.ident.unraw().to_string(),
            has_fields: !self.variant.fields.is_empty(),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
        }
    }
}

impl<'i> KeyField<'i> {
    fn new(number: usize, field: &'i syn::Field, attribute: &str) -> Self {
        let name = field.ident.as_ref().map_or_else(|| number.to_string(), |ident| ident.unraw().to_string());
        let ty = Rendered::new(field.ty.to_token_stream()).text;
        Self { field, name, ty, attributes: attributes(&field.attrs, attribute) }
    }

    fn text(&self) -> Field<'_> {
        Field {
            name: self.name.clone(),
            ty: &self.ty,
            phantom: is_phantom(&self.field.ty),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
        }
    }

    /// The feature that its type probably needs as a parameter: a module of `__private`, with a trait that says so.
    pub(crate) fn feature(&self) -> Option<Ident> {
        feature_of_parameter(&self.ty).map(|feature| Ident::new(feature, Span::call_site()))
    }

    /// The field's name or number, to access it.
    pub(crate) fn member(&self, number: usize) -> TokenStream {
        match &self.field.ident {
            Some(ident) => ident.to_token_stream(),
            None => syn::Index { index: u32::try_from(number).unwrap_or(u32::MAX), span: Span::mixed_site() }
                .to_token_stream(),
        }
    }
}

/// The file, line and column of a token. `None` outside of a compiler, as in the tests of this crate.
pub(crate) fn position(span: Span) -> Option<(String, usize, usize)> {
    // `unwrap` converts to the compiler's span, which is available.
    let span = proc_macro::is_available().then(|| span.unwrap())?;
    Some((span.file(), span.line(), span.column()))
}

/// Whether a level attribute is about `deprecated`, the only warning that a macro can cause.
fn names_deprecated(level: &syn::Attribute) -> bool {
    let Meta::List(list) = &level.meta else { return false };
    let mut tokens = list.tokens.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Ident(name) if name == "deprecated" || name == "warnings"))
}

fn attributes<'i>(attributes: &'i [syn::Attribute], name: &str) -> Vec<KeyAttribute<'i>> {
    let ours = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    ours.map(|attribute| {
        let tokens = match &attribute.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(value) => value.value.to_token_stream(),
        };
        KeyAttribute { attribute, rendered: Rendered::new(tokens) }
    })
    .collect()
}

/// Whether a field is a `PhantomData`, which has no value and is not a parameter.
pub(crate) fn is_phantom(field: &syn::Type) -> bool {
    match field {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"),
        syn::Type::Group(group) => is_phantom(&group.elem),
        syn::Type::Paren(paren) => is_phantom(&paren.elem),
        _ => false,
    }
}
