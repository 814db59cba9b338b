//! The proof that no key is too long.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use redis_keys_schema::limits;
use syn::Ident;

use super::{Expansion, segment_trait};
use crate::rendered::respanned;

impl Expansion<'_> {
    /// Proves that no parameter value makes the key too long, underlining the template where one can. `None` where the
    /// rules have proved it already.
    pub(super) fn assert_fits(&self) -> Option<TokenStream> {
        let Self { krate, .. } = self;
        if self.declaration.length_is_proved() {
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
            let segment = segment_trait(placeholder, krate);
            lengths.push(quote!((#name, <#ty as #segment>::LONGEST)));
            if !placeholder.whole_segment && placeholder.encoding.is_none() {
                let types = quote!(::<#ty>);
                words.extend(self.underlined(&placeholder.range, "assert_whole_segment", &types, &quote!(#name)));
            }
        }
        let literal = Literal::usize_unsuffixed(self.template.literal_bytes());
        let most = Literal::usize_unsuffixed(self.declaration.max_key_bytes().unwrap_or(limits::MAX_KEY_BYTES));
        let arguments = quote!(#most, #literal, &[#(#lengths),*]);
        let fits = self.underlined(&self.template.range, "assert_key_fits", &TokenStream::new(), &arguments);
        Some(quote!({ #words #fits }))
    }

    /// A call of ours that rustc underlines as the given part of the attribute, should it fail.
    fn underlined(
        &self,
        range: &Range<usize>,
        name: &str,
        types: &TokenStream,
        arguments: &TokenStream,
    ) -> TokenStream {
        let edges = self.input.attributes.first().and_then(|first| first.rendered.run(range));
        let mut edges = edges.into_iter().flatten().map(|edge| edge.span());
        let start = edges.next().unwrap_or_else(Span::call_site);
        let end = edges.next().unwrap_or(start);
        // The path bears the first token's span and the brackets the last one's: rustc draws what is between. What
        // stands in the brackets keeps its own, so that a type in it is underlined itself.
        let krate = respanned(self.krate.clone(), start);
        let name = Ident::new(name, start);
        let path = quote_spanned!(start=> #krate::__private::#name);
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
        arguments.set_span(end);
        quote_spanned!(end=> #path #types #arguments;)
    }
}
