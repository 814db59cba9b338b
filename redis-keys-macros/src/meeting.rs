//! Asks the compiler whether another declaration's keys can be the same: `meeting` in the `redis-keys` crate says how.

mod identity;
mod seen;

use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use redis_keys_schema::Declaration;
use redis_keys_schema::meeting::{Declared, Pattern, Prints};
use syn::GenericParam;

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
        let lifetimes = generics.lifetimes().map(|_| quote_spanned!(start=> 'static));
        let declaration = if generic || generics.params.is_empty() {
            name.into_token_stream()
        } else {
            quote_spanned!(start=> #name<#(#lifetimes),*>)
        };
        let allow = input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
        Self { input, pattern, start, end, home, declaration, generic, allow }
    }

    fn expand(&self, number: u64, before: &[Declared]) -> TokenStream {
        let declared = self.declared(number);
        let asked = before.iter().map(|other| self.asked(other));
        if !self.generic && before.is_empty() {
            return declared;
        }
        let allow = &self.allow;
        let stand_in = self.generic.then(|| {
            let name = &self.declaration;
            quote!(#[allow(dead_code, non_camel_case_types)] struct #name {})
        });
        quote! {
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
        let Self { start, end, home, declaration, allow, .. } = self;
        let found = self.found(number);
        let close = quote_spanned!(*end=> >);
        let prints = self.typed();
        let prints = (!self.pattern.typed.is_empty())
            .then(|| quote_spanned!(*start=> const PRINTS: &'static [#home::Prints] = &[#(#prints),*];));
        let body = quote_spanned!(*end=> { #prints });
        quote_spanned! {*start=>
            #[automatically_derived]
            #allow
            impl<__Keys: #home::Differ<__Other, #declaration #close, __Other>
                #home::KeyOf<#declaration, __Keys, __Other #close for #found #body
        }
    }

    /// Asks whether the keys of one before it are the same.
    fn asked(&self, other: &Declared) -> TokenStream {
        let Self { start, end, home, declaration, .. } = self;
        let found = self.found(other.number);
        let close = quote_spanned!(*end=> >);
        let question = |found: &TokenStream| {
            quote_spanned! {*start=>
                let _ = <#found as #home::KeyOf<_, #home::TheirKeys, #declaration>>::PRINTS;
            }
        };
        if self.pattern.typed.is_empty() && other.pattern.typed.is_empty() {
            return question(&found);
        }
        let own = keys(home, self.pattern, self.typed());
        let theirs = (0..other.pattern.typed.len()).map(|number| {
            let number = Literal::usize_unsuffixed(number);
            quote!(#home::prints::<#found, _>(#number))
        });
        let theirs = keys(home, &other.pattern, theirs);
        let number = Literal::u64_unsuffixed(other.number);
        let share = self.share(other.number);
        let met = Ident::new("__MET", *start);
        let question = question(&quote_spanned!(*start=> #home::#share<{ #met } #close));
        quote! {
            {
                // Two enums of very many names have many more pairs of them.
                #[allow(long_running_const_eval)]
                const #met: #home::Number = if #own.can_meet(#theirs) { #number } else { 0 };
                #question
            }
        }
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
            match ty.filter(|ty| !mentions_any(&input.item.generics, ty)).map(for_ever) {
                Some(ty) => quote!(<#ty as #home::KeySegment>::PRINTS),
                // What is left open can be any type.
                None => known(home, Prints::Anything),
            }
        })
    }
}

/// `Keys::new("{}:me", &[…])`
fn keys(home: &TokenStream, pattern: &Pattern, mut typed: impl Iterator<Item = TokenStream>) -> TokenStream {
    let text = &pattern.text;
    let prints = pattern.prints.iter().enumerate().map(|(number, prints)| {
        let by_type = pattern.typed.iter().any(|typed| typed.parameter == number);
        by_type.then(|| typed.next()).flatten().unwrap_or_else(|| known(home, *prints))
    });
    quote!(#home::Keys::new(#text, &[#(#prints),*]))
}

/// What is known without the compiler.
fn known(home: &TokenStream, prints: Prints) -> TokenStream {
    match prints {
        Prints::Number { from, to } => {
            let (from, to) = (Literal::u128_unsuffixed(from), Literal::u128_unsuffixed(to));
            quote!(#home::Prints::Number { from: #from, to: #to })
        }
        Prints::Hex { digits } => {
            let digits = Literal::u32_unsuffixed(digits);
            quote!(#home::Prints::Hex { digits: #digits })
        }
        Prints::Base32 => quote!(#home::Prints::Base32),
        Prints::OneOf(texts) => quote!(#home::Prints::OneOf(&[#(#texts),*])),
        _ => quote!(#home::Prints::Anything),
    }
}

/// A type with `'static` for all of its lifetimes: it prints the same, and a constant may name it.
fn for_ever(tokens: TokenStream) -> TokenStream {
    let mut tick = false;
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Punct(ref punct) if punct.as_char() == '\'' => {
            tick = true;
            let mut punct = Punct::new('\'', Spacing::Joint);
            punct.set_span(token.span());
            punct.into()
        }
        TokenTree::Ident(ident) if tick => {
            tick = false;
            Ident::new("static", ident.span()).into()
        }
        TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), for_ever(group.stream()));
            inner.set_span(group.span());
            inner.into()
        }
        token => token,
    });
    replaced.collect()
}
