//! Asks the compiler whether another declaration's keys can be the same: `meeting` in the `redis-keys` crate says how.

mod hashes;
mod spelling;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use redis_keys_schema::Declaration;
use redis_keys_schema::meeting::Pattern;
use syn::GenericParam;

use crate::input::Input;
use crate::rendered::respanned;

use spelling::{Holes, Spelling};

/// What a declaration says of its keys.
#[derive(Default)]
pub(crate) struct Meeting {
    /// That they are its own: an item.
    pub(crate) declared: TokenStream,
    /// Whose they are: a statement. It is empty where the item asks that, too.
    pub(crate) asked: TokenStream,
}

impl Meeting {
    /// Nothing where the keys may be the same as others.
    pub(crate) fn of(input: &Input<'_>, declaration: &Declaration, krate: &TokenStream) -> Self {
        Self::spelt(input, declaration, krate).unwrap_or_default()
    }

    fn spelt(input: &Input<'_>, declaration: &Declaration, krate: &TokenStream) -> Option<Self> {
        let pattern = Pattern::of(&input.item(), declaration)?;
        let template = &declaration.template.as_ref()?.range;
        // rustc draws what is between the first token and the last one: all bear the span of the template.
        let mut edges = input.attributes.first()?.rendered.run(template)?.into_iter().map(|edge| edge.span());
        let start = edges.next()?;
        let end = edges.next().unwrap_or(start);
        let krate = respanned(krate.clone(), start);
        let home = quote_spanned!(start=> #krate::meeting);
        let generic = input.item.generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)));

        let own = Spelling::new(input, &home, (start, end), Holes::Named, &pattern);
        let (holes, parameters, keys, bounds) = (&own.names, own.parameters(), &own.keys, own.bounds());
        let holes =
            holes.iter().rev().fold(quote_spanned!(start=> ()), |rest, name| quote_spanned!(start=> (#name, #rest)));
        let declaration = if generic { quote_spanned!(start=> __Declaration) } else { name(input, start) };
        let allow = input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
        let body = quote_spanned!(end=> {});
        let declared = quote_spanned! {start=>
            #[automatically_derived]
            #allow
            impl<#(#parameters),*> #home::IsDeclaredBy<#declaration, #holes> for #keys #bounds #body
        };

        let keys = Spelling::new(input, &home, (start, end), Holes::Open, &pattern).keys;
        let close = quote_spanned!(end=> >);
        let asked = quote_spanned!(start=> let _ = #home::two_declarations_make_the_same_key::<#keys, _, _ #close;);
        let constants = &own.constants;
        if !generic && constants.is_empty() {
            return Some(Self { declared, asked });
        }
        // The struct is not one type, so that something else stands for its declaration.
        let stand_in = generic.then(|| quote_spanned!(start=> #[allow(dead_code)] struct __Declaration;));
        let declared = quote_spanned! {start=>
            const _: () = {
                #stand_in
                #(#constants)*
                #declared
                #asked
            };
        };
        Some(Self { declared, asked: TokenStream::new() })
    }
}

/// The struct, which stands for its declaration.
fn name(input: &Input<'_>, span: Span) -> TokenStream {
    let mut name: Ident = input.item.ident.clone();
    name.set_span(name.span().located_at(span));
    if input.item.generics.params.is_empty() {
        return quote!(#name);
    }
    let lifetimes = input.item.generics.params.iter().map(|_| quote_spanned!(span=> 'static));
    quote_spanned!(span=> #name<#(#lifetimes),*>)
}
