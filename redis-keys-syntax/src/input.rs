//! An item with its attributes rendered for the rules.

use proc_macro2::TokenStream;
use quote::ToTokens;
use redis_keys_schema::{Attribute, Field, Item, RecordItem, RecordShape, SegmentItem, Shape, Variant};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Meta};

use crate::rendered_tokens::RenderedTokens;

/// The item with its attributes rendered.
pub struct Input<'i> {
    /// The item.
    pub item: &'i DeriveInput,
    /// Its `redis_key` or `redis_hash` attributes.
    pub attributes: Vec<KeyAttribute<'i>>,
    /// The fields, if it is a struct.
    pub fields: Vec<KeyField<'i>>,
    /// The variants, if it is an enum that is a parameter type.
    pub variants: Vec<KeyVariant<'i>>,
}

/// A `redis_key` or `redis_hash` attribute.
pub struct KeyAttribute<'i> {
    /// The attribute.
    pub attribute: &'i syn::Attribute,
    /// Its arguments.
    pub rendered: RenderedTokens,
}

/// A field of the struct.
pub struct KeyField<'i> {
    /// The field.
    pub field: &'i syn::Field,
    /// Its name without `r#`, or its index.
    pub name: String,
    /// The text of its type.
    pub ty: String,
    /// Its `redis_key` or `redis_hash` attributes.
    pub attributes: Vec<KeyAttribute<'i>>,
}

/// A variant of an enum.
pub struct KeyVariant<'i> {
    /// The variant.
    pub variant: &'i syn::Variant,
    /// Its `redis_key` attributes.
    pub attributes: Vec<KeyAttribute<'i>>,
}

impl<'i> Input<'i> {
    /// A key, with its `redis_key` attributes.
    pub fn new(item: &'i DeriveInput) -> Self {
        Self::with_attributes(item, "redis_key")
    }

    /// A record, with its `redis_hash` attributes.
    pub fn of_record(item: &'i DeriveInput) -> Self {
        Self::with_attributes(item, "redis_hash")
    }

    /// A parameter type, with its `redis_key` attributes.
    pub fn of_segment(item: &'i DeriveInput) -> Self {
        let variant =
            |variant: &'i syn::Variant| KeyVariant { variant, attributes: attributes(&variant.attrs, "redis_key") };
        let variants = match &item.data {
            Data::Enum(data) => data.variants.iter().map(variant).collect(),
            Data::Struct(_) | Data::Union(_) => Vec::new(),
        };
        Self { variants, ..Self::new(item) }
    }

    fn with_attributes(item: &'i DeriveInput, name: &str) -> Self {
        let field = |(index, field)| KeyField::new(index, field, name);
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
    pub fn item(&self) -> Item<'_> {
        Item {
            name: self.item.ident.unraw().to_string(),
            shape: self.shape(),
            documented: self.is_documented(),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
            fields: self.fields.iter().map(KeyField::text).collect(),
        }
    }

    /// The item for the rules of parameter types.
    pub fn segment(&self) -> SegmentItem<'_> {
        SegmentItem {
            shape: self.shape(),
            attributes: self.attributes.iter().map(KeyAttribute::text).collect(),
            fields: self.fields.iter().map(KeyField::text).collect(),
            variants: self.variants.iter().map(KeyVariant::text).collect(),
        }
    }

    /// The item for the rules of records.
    pub fn record(&self) -> RecordItem<'_> {
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
    pub fn field_attribute(&self, field: usize, index: usize) -> Option<&KeyAttribute<'i>> {
        self.fields.get(field)?.attributes.get(index)
    }

    /// A variant's attribute.
    pub fn variant_attribute(&self, variant: usize, index: usize) -> Option<&KeyAttribute<'i>> {
        self.variants.get(variant)?.attributes.get(index)
    }

    fn is_documented(&self) -> bool {
        self.item.attrs.iter().any(|attribute| attribute.path().is_ident("doc"))
    }

    /// The doc comment of the struct.
    pub fn docs(&self) -> String {
        docs(&self.item.attrs)
    }
}

/// The doc comment among the attributes of an item or of a field.
pub fn docs(attributes: &[syn::Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>().join("\n").trim().to_owned()
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
    fn new(index: usize, field: &'i syn::Field, attribute: &str) -> Self {
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), |ident| ident.unraw().to_string());
        let ty = RenderedTokens::new(field.ty.to_token_stream()).text;
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
}

fn attributes<'i>(attributes: &'i [syn::Attribute], name: &str) -> Vec<KeyAttribute<'i>> {
    let ours = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    ours.map(|attribute| {
        let tokens = match &attribute.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(value) => value.value.to_token_stream(),
        };
        KeyAttribute { attribute, rendered: RenderedTokens::new(tokens) }
    })
    .collect()
}

/// Whether a field is a `PhantomData`, which has no value and is not a parameter.
pub fn is_phantom(field: &syn::Type) -> bool {
    match field {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"),
        syn::Type::Group(group) => is_phantom(&group.elem),
        syn::Type::Paren(paren) => is_phantom(&paren.elem),
        _ => false,
    }
}
