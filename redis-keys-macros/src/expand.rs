//! What a right declaration becomes: the arguments of the `macro_rules!` macro of the `redis-keys` crate that holds the
//! implementations. rustc expands that one several times faster than it takes the same tokens from here.

mod declared;
mod fits;
mod parse;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use redis_keys_schema::{Declaration, Encoding, Kind, Part, Placeholder, Template};
use syn::{Generics, Ident, parse_quote};

use crate::generics::{add_bound, mentions_parameter};
use crate::input::{Input, KeyField};
use crate::meeting;
use crate::traits::KeyTrait;
use crate::types::{Types, crate_path};

pub(crate) fn expand(input: &Input<'_>, declaration: &Declaration, types: &Types) -> TokenStream {
    let Some((template, kind)) = declaration.template.as_ref().and_then(|template| Some((template, template.kind?)))
    else {
        return TokenStream::new();
    };
    let krate = crate_path(input, declaration);
    let key_trait = KeyTrait::of(kind, types.field.is_some());
    Expansion { input, declaration, template, kind, krate: &krate, types, key_trait }.key()
}

struct Expansion<'e> {
    input: &'e Input<'e>,
    declaration: &'e Declaration,
    template: &'e Template,
    kind: Kind,
    krate: &'e TokenStream,
    types: &'e Types,
    key_trait: KeyTrait,
}

impl Expansion<'_> {
    fn key(&self) -> TokenStream {
        let Self { krate, .. } = self;
        let (key_trait, types) = (self.key_trait.name(), self.key_trait.types(self.types));
        let name = &self.input.item.ident;
        let summary = self.declaration.summary();
        let (declared, rare) = (self.declared(), self.rare());
        let (steps, end) = self.steps();
        // What depends on generic parameters can be known only where the key is used.
        let fits = self.assert_fits();
        let (early, late) = if self.input.item.generics.params.is_empty() { (fits, None) } else { (None, fits) };
        let late = late.map(|late| quote!(late (const #late)));
        let (generics, ends) = (self.generics(), self.ends());
        let (expansion, of) = match self.copies().map(Literal::u32_unsuffixed) {
            Some(copies) => ("__copied_key", copies.to_token_stream()),
            None => ("__key", key_trait.to_token_stream()),
        };
        let expansion = Ident::new(expansion, Span::call_site());
        let meeting = meeting::expand(self.input, self.declaration, krate);
        let allow = self.input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
        let early = early.map(|early| quote!(#allow const _: () = #early;));
        // A hot key is several keys, of which none gives it back.
        let (fields, read) = self.copies().is_none().then(|| self.fields(allow.as_ref())).unzip();
        let read = read.flatten();
        let allowed = self.allowed();
        quote! {
            #krate::#expansion! { #allow #summary #declared #name #generics #rare #late #allowed #ends #fields of #of (#types) #steps #end }
            #read
            #early
            #meeting
        }
    }

    /// `generics (parameters) (arguments) (bounds)`, where the struct has any.
    fn generics(&self) -> Option<TokenStream> {
        let generics = self.bound_generics()?;
        let (params, arguments, bounds) = generics.split_for_impl();
        Some(quote!(generics (#params) (#arguments) (#bounds)))
    }

    /// The generic parameters, and what has to be true of them so that there is a key.
    fn bound_generics(&self) -> Option<Generics> {
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
        Some(generics)
    }

    /// Asks of each parameter whose type is left open what it is used for.
    fn bind_parameters(&self, generics: &mut Generics) {
        let krate = self.krate;
        for placeholder in self.template.placeholders() {
            let Some((field, _)) = self.field(placeholder) else { continue };
            let ty = &field.field.ty;
            if !mentions_parameter(&self.input.item.generics, &ty.to_token_stream()) {
                continue;
            }
            let segment = segment_trait(placeholder, krate);
            add_bound(generics, parse_quote!(#ty: #segment));
        }
        if let Some((span, (field, _))) = self.span() {
            let ty = &field.field.ty;
            if mentions_parameter(&self.input.item.generics, &ty.to_token_stream()) {
                add_bound(generics, parse_quote!(#ty: #krate::__private::BucketEnd<#krate::bucket::#span>));
            }
        }
    }

    /// How many copies there are, if it is a hot key.
    fn copies(&self) -> Option<u32> {
        self.template.placeholders().find_map(|placeholder| placeholder.copies)
    }

    /// `ends Month field (Type) "field"` where the expiry counts from the end of a parameter.
    fn ends(&self) -> Option<TokenStream> {
        let (span, (field, number)) = self.span()?;
        let (member, ty, name) = (field.member(number), &field.field.ty, &field.name);
        Some(quote!(ends #span #member (#ty) #name))
    }

    /// The span of the calendar from whose end the expiry counts, and its field.
    fn span(&self) -> Option<(Ident, (&KeyField<'_>, usize))> {
        let bucket = self.declaration.options.ttl_from_end_of.as_ref()?.value?;
        let placeholder = self.template.placeholders().find(|placeholder| placeholder.name == bucket.name())?;
        Some((Ident::new(bucket.type_name(), Span::call_site()), self.field(placeholder)?))
    }

    /// `"text before" field (Type) segment` for each parameter, and the text behind the last one.
    fn steps(&self) -> (TokenStream, &str) {
        let mut steps = TokenStream::new();
        let mut before = "";
        for part in &self.template.parts {
            match part {
                Part::Literal(text) => before = text,
                Part::Placeholder(placeholder) if placeholder.copies.is_some() => {
                    steps.extend(quote!(copy #before));
                    before = "";
                }
                Part::Placeholder(placeholder) => {
                    let Some((field, number)) = self.field(placeholder) else { continue };
                    let (member, ty) = (field.member(number), &field.field.ty);
                    let place = if placeholder.whole_segment { quote!(segment) } else { quote!(word) };
                    let by = form(placeholder).map(|form| {
                        let shards = placeholder.shards.map(Literal::u32_unsuffixed);
                        quote!(by #form #shards)
                    });
                    steps.extend(quote!((#before #member (#ty) #place #by)));
                    before = "";
                }
            }
        }
        (steps, before)
    }

    fn field(&self, placeholder: &Placeholder) -> Option<(&KeyField<'_>, usize)> {
        let number = placeholder.field?;
        self.input.fields.get(number).map(|field| (field, number))
    }
}

/// How a parameter is printed, if not as it is: a module of `__private`.
fn form(placeholder: &Placeholder) -> Option<Ident> {
    let shard = placeholder.shards.map(|_| "shard");
    let name = shard.or(placeholder.encoding.map(Encoding::name))?;
    Some(Ident::new(name, Span::call_site()))
}

/// The trait that prints a parameter.
fn segment_trait(placeholder: &Placeholder, krate: &TokenStream) -> TokenStream {
    let form = form(placeholder).map(|form| quote!(__private::#form::));
    quote!(#krate::#form KeySegment)
}
