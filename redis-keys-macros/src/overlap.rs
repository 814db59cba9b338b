//! The part of the expansion that lets rustc report overlapping declarations. The runtime's module `__private::overlap`
//! explains the generated code.

mod registry;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use redis_keys_core::ValueSet;
use redis_keys_schema::legacy::{Glob, Legacy};
use redis_keys_schema::overlap::{IndexEntry, Pattern};
use redis_keys_schema::{Declaration, Diagnostic};
use redis_keys_syntax::{Input, Tokens, typed_fields};
use syn::{GenericParam, Lifetime};

use self::registry::Registration;
use crate::item::feature;
use crate::tokens::concat;
use crate::{editor, report};

/// The number of types `Declaration0`, `Declaration1` … in the runtime.
const DECLARATION_TYPES: u64 = 256;

/// The implementation that registers a declaration, and the comparisons with earlier ones.
/// `allow` allows the use of a deprecated struct.
pub(crate) fn expand(
    input: &Input<'_>,
    declaration: &Declaration,
    allow: Option<&TokenStream>,
    krate: &Tokens,
) -> TokenStream {
    if editor::is_running() {
        // rust-analyzer does not evaluate the comparison, and would show it for the words that it underlines.
        return TokenStream::new();
    }
    // A declaration that allows overlaps has no pattern.
    let Some(pattern) = Pattern::of(&input.item(), declaration) else { return TokenStream::new() };
    let Some(edges) = edges(input, declaration) else { return TokenStream::new() };
    let Registration { number, earlier, legacy } = registry::add(input, &pattern, declaration.legacy.as_ref());
    let error = legacy.and_then(|(others, first)| legacy_overlap(input, declaration, &others, &first));
    let errors = report::compile_errors(input, error.into_iter().collect());
    concat([Expansion::new(input, &pattern, edges, allow, krate).expand(number, &earlier), errors])
}

/// The error of a declaration whose keys other texts in the crate can produce, given the texts' names and the keys of
/// the first text.
fn legacy_overlap(input: &Input<'_>, declaration: &Declaration, others: &str, first: &Glob) -> Option<Diagnostic> {
    if let Some(legacy) = &declaration.legacy {
        return Some(legacy.overlap(&input.item(), others, first));
    }
    let template = declaration.template.as_ref().ok()?.range.clone();
    Some(Legacy::overlap_of_template(template, others))
}

/// The spans of the template's first and last token: rustc underlines from one to the other.
fn edges(input: &Input<'_>, declaration: &Declaration) -> Option<(Span, Span)> {
    let template = &declaration.template.as_ref().ok()?.range;
    input.attributes.first()?.rendered.edges(template)
}

struct Expansion<'m> {
    input: &'m Input<'m>,
    pattern: &'m Pattern,
    start: Span,
    end: Span,
    /// The path to the runtime's module.
    module: Tokens,
    /// The struct, or for a generic one a struct of the same name.
    declaration: Ident,
    generic: bool,
    /// Allows the use of a deprecated struct.
    allow: Option<&'m TokenStream>,
}

impl<'m> Expansion<'m> {
    fn new(
        input: &'m Input<'m>,
        pattern: &'m Pattern,
        (start, end): (Span, Span),
        allow: Option<&'m TokenStream>,
        krate: &Tokens,
    ) -> Self {
        let module = krate.respanned(start).join("__private", start).join("overlap", start);
        let generics = &input.item.generics;
        let generic = generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)));
        let mut declaration = input.item.ident.clone();
        declaration.set_span(declaration.span().located_at(start));
        Self { input, pattern, start, end, module, declaration, generic, allow }
    }

    fn expand(&self, number: u64, earlier: &[IndexEntry]) -> TokenStream {
        let registration = self.registration(number);
        if !self.generic && earlier.is_empty() {
            return registration;
        }
        let allow = &self.allow;
        let stand_in = self.generic.then(|| {
            let name = &self.declaration;
            quote!(#[allow(dead_code, non_camel_case_types)] struct #name {})
        });
        let comparisons = earlier.iter().map(|other| self.comparison(number, other));
        // Comparing two enums with many names takes long.
        quote! {
            #[allow(long_running_const_eval)]
            #allow
            const _: () = {
                #stand_in
                #registration
                #(#comparisons)*
            };
        }
    }

    /// Implements `KeyOf` for the declaration's number.
    fn registration(&self, number: u64) -> TokenStream {
        let Self { start, end, module, allow, .. } = self;
        let generics = &self.input.item.generics;
        let (lifetimes, bounds) = (generics.lifetimes(), generics.where_clause.as_ref().filter(|_| !self.generic));
        let declaration = self.with_lifetimes(ToTokens::to_token_stream);
        let (declaration_type, number) = (self.declaration_type(number), Literal::u64_unsuffixed(number));
        let close = self.close();
        let values = self.typed_values();
        let values = (!self.pattern.typed.is_empty())
            .then(|| quote_spanned!(*start=> const VALUES: &'static [#module::ValueSet] = &[#(#values),*];));
        let mut body = Group::new(Delimiter::Brace, values.unwrap_or_default());
        body.set_span(*end);
        quote_spanned! {*start=>
            #[automatically_derived]
            #allow
            impl<#(#lifetimes,)* __Keys: #module::Differ<__Other, #declaration #close, __Other>
                #module::KeyOf<#declaration, __Keys, __Other #close for #module::#declaration_type<#number #close #bounds #body
        }
    }

    /// Fails to compile if the keys overlap with another declaration's keys.
    fn comparison(&self, number: u64, other: &IndexEntry) -> TokenStream {
        let Self { start, module, .. } = self;
        let (own, found) = (self.numbered(number), self.numbered(other.number));
        let declaration = self.with_lifetimes(|_| quote_spanned!(*start=> 'static));
        let close = self.close();
        let assertion = |found: &TokenStream| {
            quote_spanned! {*start=>
                let _ = <#found as #module::KeyOf<_, #module::AssertDistinct, #declaration>>::VALUES;
            }
        };
        if self.pattern.typed.is_empty() && other.pattern.typed.is_empty() {
            return assertion(&found);
        }
        let (own, theirs) = (keys(module, self.pattern, &own), keys(module, &other.pattern, &found));
        let (declaration_type, number) = (self.declaration_type(other.number), Literal::u64_unsuffixed(other.number));
        assertion(
            &quote_spanned!(*start=> #module::#declaration_type<{ if #own.overlaps(#theirs) { #number } else { 0 } } #close),
        )
    }

    /// The declaration, with its lifetimes if it is the struct.
    fn with_lifetimes(&self, named: impl Fn(&Lifetime) -> TokenStream) -> Tokens {
        let declaration = &self.declaration;
        let mut lifetimes = self.input.item.generics.lifetimes().map(|param| named(&param.lifetime)).peekable();
        if self.generic || lifetimes.peek().is_none() {
            return [declaration.clone().into()].into_iter().collect();
        }
        quote_spanned!(self.start=> #declaration<#(#lifetimes),*>).into_iter().collect()
    }

    /// `Declaration7<1007>`, which identifies a declaration.
    fn numbered(&self, number: u64) -> TokenStream {
        let Self { start, module, .. } = self;
        let (declaration_type, number) = (self.declaration_type(number), Literal::u64_unsuffixed(number));
        let close = self.close();
        quote_spanned!(*start=> #module::#declaration_type<#number #close)
    }

    /// The last `>` of a path, up to which rustc underlines it.
    fn close(&self) -> Punct {
        let mut close = Punct::new('>', Spacing::Alone);
        close.set_span(self.end);
        close
    }

    fn declaration_type(&self, number: u64) -> Ident {
        Ident::new(&format!("Declaration{}", number % DECLARATION_TYPES), self.start)
    }

    /// The values of the parameters that only the compiler knows.
    fn typed_values(&self) -> impl Iterator<Item = TokenStream> {
        let Self { input, module, .. } = self;
        typed_fields(input, self.pattern).map(move |field| match field {
            Some(field) => {
                let ty = &field.field.ty;
                let feature = feature(field).map(|feature| quote!(#feature::));
                quote!(<#ty as #module::#feature KeySegment>::VALUES)
            }
            None => value_set(module, ValueSet::Any),
        })
    }
}

/// `KeyPattern::new("{}:me", &[values::<Declaration7<1007>, _>(0)])`
fn keys(module: &Tokens, pattern: &Pattern, found: &TokenStream) -> TokenStream {
    let text = &pattern.text;
    let values = pattern.values.iter().enumerate().map(|(index, values)| {
        let typed = pattern.typed.iter().position(|typed| typed.parameter == index).map(Literal::usize_unsuffixed);
        typed.map_or_else(|| value_set(module, *values), |typed| quote!(#module::values::<#found, _>(#typed)))
    });
    quote!(#module::KeyPattern::new(#text, &[#(#values),*]))
}

/// A set as an expression.
fn value_set(module: &Tokens, values: ValueSet) -> TokenStream {
    match values {
        ValueSet::Number { from, to } => {
            let (from, to) = (Literal::u128_unsuffixed(from), Literal::u128_unsuffixed(to));
            quote!(#module::ValueSet::Number { from: #from, to: #to })
        }
        ValueSet::Hex { digits } => {
            let digits = Literal::u32_unsuffixed(digits);
            quote!(#module::ValueSet::Hex { digits: #digits })
        }
        ValueSet::Base32 => quote!(#module::ValueSet::Base32),
        ValueSet::OneOf(texts) => quote!(#module::ValueSet::OneOf(&[#(#texts),*])),
        _ => quote!(#module::ValueSet::Any),
    }
}
