//! Asks the compiler whether another declaration's keys can be the same: `meeting` in the `redis-keys` crate says how.

mod identity;
mod seen;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use redis_keys_core::ValueSet;
use redis_keys_schema::Declaration;
use redis_keys_schema::meeting::{Declared, Pattern};
use syn::{GenericParam, Lifetime};

use crate::generics::mentions_any;
use crate::input::Input;
use crate::rendered::respanned;

/// As many as there are types `Declaration0`, `Declaration1` … in the `redis-keys` crate.
const SHARES: u64 = 256;

/// What a declaration says of its keys, and what it asks of those before it.
pub(crate) fn expand(input: &Input<'_>, declaration: &Declaration, krate: &TokenStream) -> TokenStream {
    // Where the keys may be the same as others there is no pattern.
    let Some(pattern) = Pattern::of(&input.item(), declaration) else { return TokenStream::new() };
    let Some(edges) = edges(input, declaration) else { return TokenStream::new() };
    let (number, before) = seen::declare(input, &pattern);
    Meeting::new(input, &pattern, edges, krate).expand(number, &before)
}

/// The spans of the template's first and last token: rustc draws what is between.
fn edges(input: &Input<'_>, declaration: &Declaration) -> Option<(Span, Span)> {
    let template = &declaration.template.as_ref()?.range;
    let mut edges = input.attributes.first()?.rendered.run(template)?.into_iter().map(|edge| edge.span());
    let start = edges.next()?;
    Some((start, edges.next().unwrap_or(start)))
}

struct Meeting<'m> {
    input: &'m Input<'m>,
    pattern: &'m Pattern,
    start: Span,
    end: Span,
    home: TokenStream,
    /// What stands for the declaration: the struct, or where that is not one type a struct of its name.
    declaration: TokenStream,
    generic: bool,
    /// What is deprecated is named all the same.
    allow: Option<TokenStream>,
}

impl<'m> Meeting<'m> {
    fn new(input: &'m Input<'m>, pattern: &'m Pattern, (start, end): (Span, Span), krate: &TokenStream) -> Self {
        let krate = respanned(krate.clone(), start);
        let home = quote_spanned!(start=> #krate::meeting);
        let generics = &input.item.generics;
        let generic = generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)));
        let mut name: Ident = input.item.ident.clone();
        name.set_span(name.span().located_at(start));
        let declaration = name.into_token_stream();
        let allow = input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
        Self { input, pattern, start, end, home, declaration, generic, allow }
    }

    fn expand(&self, number: u64, before: &[Declared]) -> TokenStream {
        let declared = self.declared(number);
        let asked = before.iter().map(|other| self.asked(number, other));
        if !self.generic && before.is_empty() {
            return declared;
        }
        let allow = &self.allow;
        let stand_in = self.generic.then(|| {
            let name = &self.declaration;
            quote!(#[allow(dead_code, non_camel_case_types)] struct #name {})
        });
        // Two enums of very many names have many more pairs of them.
        quote! {
            #[allow(long_running_const_eval)]
            #allow
            const _: () = {
                #stand_in
                #declared
                #(#asked)*
            };
        }
    }

    /// Says which number the declaration has.
    fn declared(&self, number: u64) -> TokenStream {
        let Self { start, end, home, allow, .. } = self;
        let generics = &self.input.item.generics;
        let (lifetimes, bounds) = (generics.lifetimes(), generics.where_clause.as_ref().filter(|_| !self.generic));
        let declaration = self.with_lifetimes(ToTokens::to_token_stream);
        let found = self.found(number);
        let close = quote_spanned!(*end=> >);
        let prints = self.typed();
        let prints = (!self.pattern.typed.is_empty())
            .then(|| quote_spanned!(*start=> const VALUES: &'static [#home::ValueSet] = &[#(#prints),*];));
        let body = quote_spanned!(*end=> { #prints });
        quote_spanned! {*start=>
            #[automatically_derived]
            #allow
            impl<#(#lifetimes,)* __Keys: #home::Differ<__Other, #declaration #close, __Other>
                #home::KeyOf<#declaration, __Keys, __Other #close for #found #bounds #body
        }
    }

    /// Asks whether the keys of one before it are the same.
    fn asked(&self, number: u64, other: &Declared) -> TokenStream {
        let Self { start, end, home, .. } = self;
        let (own, found) = (self.found(number), self.found(other.number));
        let declaration = self.with_lifetimes(|_| quote_spanned!(*start=> 'static));
        let close = quote_spanned!(*end=> >);
        let question = |found: &TokenStream| {
            quote_spanned! {*start=>
                let _ = <#found as #home::KeyOf<_, #home::TheirKeys, #declaration>>::VALUES;
            }
        };
        if self.pattern.typed.is_empty() && other.pattern.typed.is_empty() {
            return question(&found);
        }
        let (own, theirs) = (keys(home, self.pattern, &own), keys(home, &other.pattern, &found));
        let (share, number) = (self.share(other.number), Literal::u64_unsuffixed(other.number));
        question(&quote_spanned!(*start=> #home::#share<{ if #own.overlaps(#theirs) { #number } else { 0 } } #close))
    }

    /// The declaration, with its lifetimes if it is the struct itself.
    fn with_lifetimes(&self, named: impl Fn(&Lifetime) -> TokenStream) -> TokenStream {
        let declaration = &self.declaration;
        let mut lifetimes = self.input.item.generics.lifetimes().map(|param| named(&param.lifetime)).peekable();
        if self.generic || lifetimes.peek().is_none() {
            return declaration.clone();
        }
        quote_spanned!(self.start=> #declaration<#(#lifetimes),*>)
    }

    /// `Declaration7<1007>`: what a declaration is found by.
    fn found(&self, number: u64) -> TokenStream {
        let Self { start, end, home, .. } = self;
        let (share, number) = (self.share(number), Literal::u64_unsuffixed(number));
        let close = quote_spanned!(*end=> >);
        quote_spanned!(*start=> #home::#share<#number #close)
    }

    fn share(&self, number: u64) -> Ident {
        Ident::new(&format!("Declaration{}", number % SHARES), self.start)
    }

    /// What the parameters print of which only the compiler knows it.
    fn typed(&self) -> impl Iterator<Item = TokenStream> {
        let Self { input, home, .. } = self;
        self.pattern.typed.iter().map(move |typed| {
            let ty = input.fields.get(typed.field).map(|field| field.field.ty.to_token_stream());
            match ty.filter(|ty| !mentions_any(&input.item.generics, ty)) {
                Some(ty) => quote!(<#ty as #home::KeySegment>::VALUES),
                // What is left open can be any type.
                None => known(home, ValueSet::Any),
            }
        })
    }
}

/// `KeyPattern::new("{}:me", &[prints::<Declaration7<1007>, _>(0)])`
fn keys(home: &TokenStream, pattern: &Pattern, found: &TokenStream) -> TokenStream {
    let text = &pattern.text;
    let prints = pattern.prints.iter().enumerate().map(|(number, prints)| {
        let typed = pattern.typed.iter().position(|typed| typed.parameter == number).map(Literal::usize_unsuffixed);
        typed.map_or_else(|| known(home, *prints), |typed| quote!(#home::prints::<#found, _>(#typed)))
    });
    quote!(#home::KeyPattern::new(#text, &[#(#prints),*]))
}

/// What is known without the compiler.
fn known(home: &TokenStream, prints: ValueSet) -> TokenStream {
    match prints {
        ValueSet::Number { from, to } => {
            let (from, to) = (Literal::u128_unsuffixed(from), Literal::u128_unsuffixed(to));
            quote!(#home::ValueSet::Number { from: #from, to: #to })
        }
        ValueSet::Hex { digits } => {
            let digits = Literal::u32_unsuffixed(digits);
            quote!(#home::ValueSet::Hex { digits: #digits })
        }
        ValueSet::Base32 => quote!(#home::ValueSet::Base32),
        ValueSet::OneOf(texts) => quote!(#home::ValueSet::OneOf(&[#(#texts),*])),
        _ => quote!(#home::ValueSet::Any),
    }
}
