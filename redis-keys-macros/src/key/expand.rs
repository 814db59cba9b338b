//! The expansion of a valid declaration: a call of the `macro_rules!` macro of `redis-keys` with the implementations.
//! rustc expands that macro several times faster than it reads the same tokens from a derive.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote, quote_spanned};
use redis_keys_core::legacy::{FormatTrait, WrittenForm};
use redis_keys_core::schema::Schema;
use redis_keys_schema::legacy::Legacy;
use redis_keys_schema::{Declaration, Encoding, Kind, Part, Placeholder, StoredForm, Template};
use redis_keys_syntax::{Input, KeyField, Tokens, mentions_parameter};
use syn::{GenericParam, Generics, Ident, parse_quote};

use super::types::{KeyTrait, Types};
use crate::item::{add_bound, feature, is_deprecated, member};
use crate::tokens::{concat, parenthesized};
use crate::{editor, overlap};

pub(super) struct Expansion<'e> {
    pub(super) input: &'e Input<'e>,
    pub(super) declaration: &'e Declaration,
    pub(super) template: &'e Template,
    pub(super) schema: &'e Schema<String>,
    pub(super) krate: &'e Tokens,
    pub(super) types: &'e Types,
    pub(super) key_trait: KeyTrait,
}

impl<'e> Expansion<'e> {
    /// `template` and `schema` belong to the declaration.
    pub(super) fn new(
        input: &'e Input<'e>,
        declaration: &'e Declaration,
        template: &'e Template,
        schema: &'e Schema<String>,
        types: &'e Types,
    ) -> Self {
        let key_trait = KeyTrait::of(schema.kind, &declaration.options);
        Self { input, declaration, template, schema, krate: &types.krate, types, key_trait }
    }
}

impl Expansion<'_> {
    /// The implementations.
    pub(super) fn key(&self) -> TokenStream {
        let Self { krate, .. } = self;
        let (key_trait, near) = (self.key_trait.name(), self.near());
        let types = parenthesized(concat([self.key_trait.types(self.types)].into_iter().chain(near)));
        let name = &self.input.item.ident;
        let summary = self.declaration.summary();
        let (declared, rare) = (self.key_literals(), self.option_literals().into_iter());
        let legacy = self.declaration.legacy.as_ref();
        let ((steps, end), other) = match legacy {
            Some(legacy) if legacy.in_use => (self.legacy_steps(legacy), Some(self.steps())),
            Some(legacy) => (self.steps(), Some(self.legacy_steps(legacy))),
            None => (self.steps(), None),
        };
        let texts = legacy.map(|legacy| {
            let (text, in_use, template_name) = (&legacy.text, legacy.in_use, self.template_name(legacy));
            quote!(legacy (#text, #in_use, #template_name))
        });
        // With generic parameters the length is known only where the key is used.
        let proof = self.length_proof();
        let (early, late) = if self.input.item.generics.params.is_empty() { (proof, None) } else { (None, proof) };
        let late = late.map(|late| quote!(late (const #late)));
        let (generics, ends) = (self.generics(), self.ends());
        let (expansion, of) = match self.copies().map(Literal::u32_unsuffixed) {
            Some(copies) => ("__copied_key", TokenTree::from(copies)),
            None if self.schema.kind == Kind::Channel => ("__channel", key_trait.into()),
            None => ("__key", key_trait.into()),
        };
        let expansion = Ident::new(expansion, Span::call_site());
        let allow = is_deprecated(self.input).then(|| quote!(#[allow(deprecated)]));
        let overlap = overlap::expand(self.input, self.declaration, allow.as_ref(), krate);
        let early = early.map(|early| quote!(#allow const _: () = #early;));
        // Keys with copies and channels are not parsed.
        let fields = (expansion == "__key").then(|| self.fields(allow.as_ref()));
        let (field_types, build, read) =
            fields.map_or((None, None, None), |(types, build, read)| (Some(types), Some(build), read));
        let (field_types, build) = (field_types.iter(), build.iter());
        let (allowed, role) = (self.allowed(), self.role());
        let key = quote! {
            #krate::#expansion! {
                #allow #summary #declared #name #generics #(rare #rare)* #texts #late #allowed #role #ends
                #(fields #field_types __fields #build)* of #of #types #(#steps)* #end
            }
        };
        let legacy_key = other.map(|(steps, end)| self.legacy_key(allow.as_ref(), &steps, end));
        let rest = [read, early, legacy_key].map(Option::unwrap_or_default);
        concat([key].into_iter().chain(rest).chain([overlap]))
    }

    /// The function that returns the name under the template of a legacy text, to which encrypted values are bound.
    fn template_name(&self, legacy: &Legacy) -> TokenStream {
        let (krate, generics) = (self.krate, &self.input.item.generics);
        let value = self.declaration.options.value.as_ref().and_then(|given| given.value.as_ref());
        if !value.is_some_and(StoredForm::is_secret) || generics.type_params().next().is_some() {
            return quote!(::core::option::Option::None);
        }
        let name = &self.input.item.ident;
        let arguments = generics.params.iter().map(|parameter| match parameter {
            GenericParam::Const(constant) => constant.ident.to_token_stream(),
            GenericParam::Lifetime(_) | GenericParam::Type(_) => quote!('_),
        });
        let mut key = quote!(#name<#(#arguments),*>);
        if !legacy.in_use {
            key = quote!(#krate::legacy_key::OtherName<#key>);
        }
        quote! {
            ::core::option::Option::Some(
                #krate::__private::TemplateName::new(|__text| #krate::__private::template_name::<#key>(__text))
            )
        }
    }

    /// The implementation of `LegacyKey`, with the steps of the other name.
    fn legacy_key(&self, allow: Option<&TokenStream>, steps: &[TokenTree], end: &str) -> TokenStream {
        let (krate, name, generics) = (self.krate, &self.input.item.ident, self.generics());
        let (types, build) = self.other_fields();
        quote! {
            #krate::__legacy_key! { #allow #name #generics fields #types __fields #build #(#steps)* #end }
        }
    }

    /// The proof that no key is too long, which underlines the template if it fails. `None` if the rules have already
    /// proved this.
    fn length_proof(&self) -> Option<TokenStream> {
        let Self { krate, .. } = self;
        if self.declaration.length_is_proved() || editor::is_running() {
            return None;
        }
        let mut words = TokenStream::new();
        let mut lengths = Vec::new();
        for placeholder in self.template.placeholders() {
            if let Some(longest) = placeholder.longest_number() {
                let (name, longest) = (&placeholder.name, Literal::usize_unsuffixed(longest));
                lengths.push(quote!((#name, ::core::option::Option::Some(#longest))));
                continue;
            }
            let Some((field, _)) = self.field(placeholder) else { continue };
            let (name, ty) = (&field.name, &field.field.ty);
            let segment = segment_trait(placeholder, field, krate);
            lengths.push(quote!((#name, <#ty as #segment>::LONGEST)));
            if !placeholder.whole_segment && placeholder.encoding.is_none() {
                let arguments = quote!(<#ty as #segment>::DOTTED, #name);
                words.extend(self.underlined(&placeholder.range, "assert_whole_segment", &arguments));
            }
        }
        let literal = Literal::usize_unsuffixed(self.template.literal_bytes());
        let most = Literal::usize_unsuffixed(self.schema.max_key_bytes);
        let arguments = quote!(#most, #literal, &[#(#lengths),*]);
        let fits = self.underlined(&self.template.range, "assert_key_fits", &arguments);
        Some(quote!({ #words #fits }))
    }

    /// The constant of a key with `near`. If the value's type lacks a trait for it, the error underlines the type.
    fn near(&self) -> Option<TokenStream> {
        let options = &self.declaration.options;
        let (Some(_), Some(value)) = (&options.near, &options.value) else { return None };
        let (start, end) = self.edges(&value.range);
        let (krate, new) = (self.krate.respanned(start), Ident::new("new", end));
        let near = quote_spanned!(start=> #krate::cache::NearValue);
        Some(quote_spanned! {start=>
            const NEAR: ::core::option::Option<#near<#krate::cache::Output<Self>>> =
                ::core::option::Option::Some(#near::#new());
        })
    }

    /// A call that rustc underlines as a range of the attribute if it fails.
    fn underlined(&self, range: &Range<usize>, name: &str, arguments: &TokenStream) -> TokenStream {
        let (start, end) = self.edges(range);
        // The path has the first token's span and the parentheses the last token's: rustc underlines from one to the
        // other. The arguments keep their spans, so that a type among them is underlined itself.
        let krate = self.krate.respanned(start);
        let name = Ident::new(name, start);
        let path = quote_spanned!(start=> #krate::__private::#name);
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
        arguments.set_span(end);
        quote_spanned!(end=> #path #arguments;)
    }

    /// The spans of the first and the last token of a range of the attribute.
    fn edges(&self, range: &Range<usize>) -> (Span, Span) {
        let edges = self.input.attributes.first().and_then(|first| first.rendered.edges(range));
        edges.unwrap_or_else(|| (Span::call_site(), Span::call_site()))
    }

    /// `generics (parameters) (arguments) (bounds)`, if the struct has any.
    fn generics(&self) -> Option<TokenStream> {
        let generics = self.bound_generics()?;
        let (params, arguments, bounds) = generics.split_for_impl();
        Some(quote!(generics (#params) (#arguments) (#bounds)))
    }

    /// The generic parameters, with the bounds that the implementations need.
    pub(super) fn bound_generics(&self) -> Option<Generics> {
        let krate = self.krate;
        let own = &self.input.item.generics;
        if own.params.is_empty() && own.where_clause.is_none() {
            return None;
        }
        let mut generics = own.clone();
        self.bind_parameters(&mut generics);
        for (ty, bound) in self.key_trait.bounds(self.types) {
            if mentions_parameter(own, ty) {
                add_bound(&mut generics, parse_quote!(#ty: #krate::#bound));
            }
        }
        if let (Some(_), Some(value)) = (&self.declaration.options.near, &self.types.value)
            && mentions_parameter(own, value)
        {
            let output = quote!(<#value as #krate::Stored>::Output);
            add_bound(&mut generics, parse_quote!(#output: Clone + Send + Sync + 'static));
        }
        Some(generics)
    }

    /// Adds the bounds of parameters with generic types.
    fn bind_parameters(&self, generics: &mut Generics) {
        let krate = self.krate;
        for placeholder in self.template.placeholders() {
            let Some((field, _)) = self.field(placeholder) else { continue };
            let ty = &field.field.ty;
            if !mentions_parameter(&self.input.item.generics, ty) {
                continue;
            }
            let segment = segment_trait(placeholder, field, krate);
            add_bound(generics, parse_quote!(#ty: #segment));
        }
        for legacy in self.declaration.legacy.iter().flat_map(|legacy| &legacy.fields) {
            let Some(field) = self.input.fields.get(legacy.field) else { continue };
            let (ty, form) = (&field.field.ty, format_trait(legacy.format.by));
            if mentions_parameter(&self.input.item.generics, ty) {
                add_bound(generics, parse_quote!(#ty: #krate::__private::#form::KeySegment));
            }
        }
        if let Some((span, (field, _))) = self.span() {
            let ty = &field.field.ty;
            if mentions_parameter(&self.input.item.generics, ty) {
                add_bound(generics, parse_quote!(#ty: #krate::__private::BucketEnd<#krate::parameter::bucket::#span>));
            }
        }
    }

    /// The number of copies, if declared.
    fn copies(&self) -> Option<u32> {
        self.template.placeholders().find_map(|placeholder| placeholder.copies)
    }

    /// `ends Month field (Type) "field"` if the expiry counts from the end of a parameter.
    fn ends(&self) -> Option<TokenStream> {
        let (span, (field, index)) = self.span()?;
        let (member, ty, name) = (member(field, index), &field.field.ty, &field.name);
        Some(quote!(ends #span #member (#ty) #name))
    }

    /// The calendar unit from whose end the expiry counts, and its field.
    fn span(&self) -> Option<(Ident, (&KeyField<'_>, usize))> {
        let bucket = self.declaration.options.ttl_from_end_of.as_ref()?.value?;
        let placeholder = self.template.placeholders().find(|placeholder| placeholder.name == bucket.name())?;
        Some((Ident::new(bucket.type_name(), Span::call_site()), self.field(placeholder)?))
    }

    /// `("text before" field (Type) segment)` for each parameter, and the text after the last one.
    fn steps(&self) -> (Vec<TokenTree>, &str) {
        let mut steps = Vec::new();
        let mut before = "";
        for part in &self.template.parts {
            match part {
                Part::Literal(text) => before = text,
                Part::Placeholder(placeholder) if placeholder.copies.is_some() => {
                    steps.extend(quote!(copy #before));
                    before = "";
                }
                Part::Placeholder(placeholder) => {
                    let Some((field, index)) = self.field(placeholder) else { continue };
                    let (member, ty) = (member(field, index), &field.field.ty);
                    let place = if placeholder.whole_segment { "segment" } else { "word" };
                    let place = Ident::new(place, Span::call_site());
                    let by = form(placeholder, field).map(|form| {
                        let number = number(placeholder).map(Literal::u32_unsuffixed);
                        quote!(by #form #number)
                    });
                    steps.push(parenthesized(quote!(#before #member (#ty) #place #by)).into());
                    before = "";
                }
            }
        }
        (steps, before)
    }

    /// The steps of a legacy text, like the steps of the template.
    fn legacy_steps<'l>(&self, legacy: &'l Legacy) -> (Vec<TokenTree>, &'l str) {
        let mut steps = Vec::new();
        for (index, (legacy_field, end)) in legacy.fields.iter().zip(legacy.ends()).enumerate() {
            let Some(field) = self.input.fields.get(legacy_field.field) else { continue };
            let (member, ty) = (member(field, legacy_field.field), &field.field.ty);
            let (before, _) = legacy.around(index);
            let form = format_trait(legacy_field.format.by);
            let parameter = Literal::usize_unsuffixed(legacy_field.parameter);
            let zeros = Literal::u8_unsuffixed(legacy_field.format.zeros);
            let no_colon = legacy_field.no_colon;
            let written = self.written_form(legacy_field.form());
            let step = quote!(#before #member (#ty) segment by #form (#parameter, #zeros, #no_colon, #end, #written));
            steps.push(parenthesized(step).into());
        }
        (steps, legacy.literals.last().map_or("", String::as_str))
    }

    /// The form that a value of a legacy text must have.
    fn written_form(&self, form: WrittenForm) -> TokenStream {
        let krate = self.krate;
        let form = match form {
            WrittenForm::Any => quote!(Any),
            WrittenForm::Of(bytes) => quote!(Of(#bytes)),
            WrittenForm::Exactly(bytes, count) => quote!(Exactly(#bytes, #count)),
            WrittenForm::Uuid => quote!(Uuid),
        };
        quote!(#krate::__private::WrittenForm::#form)
    }

    pub(super) fn field(&self, placeholder: &Placeholder) -> Option<(&KeyField<'_>, usize)> {
        let index = placeholder.field?;
        self.input.fields.get(index).map(|field| (field, index))
    }
}

/// The form of a parameter, if it has a special one: a module of `__private`.
fn form(placeholder: &Placeholder, field: &KeyField<'_>) -> Option<Ident> {
    let shard = placeholder.shards.map(|_| "shard");
    let encoded = shard.or(placeholder.encoding.map(Encoding::name));
    encoded.map(|name| Ident::new(name, Span::call_site())).or_else(|| feature(field))
}

/// The module of `__private` that writes a field of a legacy text.
fn format_trait(by: FormatTrait) -> Ident {
    let name = match by {
        FormatTrait::Display => "display",
        FormatTrait::Debug => "debug",
        FormatTrait::LowerHex => "lower_hex",
        FormatTrait::UpperHex => "upper_hex",
    };
    Ident::new(name, Span::call_site())
}

/// The number that belongs to the form: the shards, or a slug's maximum bytes.
fn number(placeholder: &Placeholder) -> Option<u32> {
    match placeholder.encoding {
        Some(Encoding::Slug(max_bytes)) => Some(max_bytes.unwrap_or(u32::MAX)),
        _ => placeholder.shards,
    }
}

/// The trait that renders a parameter.
fn segment_trait(placeholder: &Placeholder, field: &KeyField<'_>, krate: &Tokens) -> TokenStream {
    let form = form(placeholder, field).map(|form| quote!(__private::#form::));
    quote!(#krate::#form KeySegment)
}

/// The schema as constants of plain literals, from which the runtime builds `SCHEMA`.
impl Expansion<'_> {
    /// The `KeyLiterals`.
    fn key_literals(&self) -> Group {
        let (name, template, kind, parameters, value, file, docs, ttl, jitter, line) = self.schema.key_literals();
        parenthesized(quote!(#name, #template, #kind, #parameters, #value, #file, #docs, #ttl, #jitter, #line))
    }

    /// The `OptionLiterals`, if one of these options is given.
    fn option_literals(&self) -> Option<Group> {
        let options = self.schema.option_literals();
        if options == Schema::NO_OPTIONS {
            return None;
        }
        let (reason, rebuild, owner, field, max_bytes, renew, below, limits) = options;
        let (max_len, max_member_bytes, keep, keep_about, max_key_bytes) = limits;
        let limits = quote!((#max_len, #max_member_bytes, #keep, #keep_about, #max_key_bytes));
        Some(parenthesized(quote!(#reason, #rebuild, #owner, #field, #max_bytes, #renew, #below, #limits)))
    }

    /// `allowed "lint: reason"` with a line for each lint that the declaration opts out of.
    fn allowed(&self) -> Option<TokenStream> {
        let lines = self.schema.allowed_lines();
        (!lines.is_empty()).then(|| quote!(allowed #lines))
    }

    /// `role (…)`, the `RoleLiterals`, if the key has a role.
    fn role(&self) -> Option<TokenStream> {
        self.schema.role?;
        let (role, first, second, third) = self.schema.role_literals();
        Some(quote!(role (#role, #first, #second, #third)))
    }
}
