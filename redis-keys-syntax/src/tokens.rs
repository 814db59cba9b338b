//! Tokens as a list.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens that are interpolated several times. Interpolating a `TokenStream` calls the compiler each time; interpolating
/// single tokens does not.
#[derive(Clone, Default)]
pub struct Tokens(Vec<TokenTree>);

impl Tokens {
    /// The same tokens, all with one span.
    pub fn respanned(&self, span: Span) -> Self {
        respan(self.0.iter().cloned(), span).collect()
    }

    /// The path with one more name.
    pub fn join(mut self, name: &str, span: Span) -> Self {
        for spacing in [Spacing::Joint, Spacing::Alone] {
            let mut colon = Punct::new(':', spacing);
            colon.set_span(span);
            self.0.push(colon.into());
        }
        self.0.push(Ident::new(name, span).into());
        self
    }
}

impl FromIterator<TokenTree> for Tokens {
    fn from_iter<I: IntoIterator<Item = TokenTree>>(tokens: I) -> Self {
        Self(tokens.into_iter().collect())
    }
}

impl IntoIterator for Tokens {
    type Item = TokenTree;
    type IntoIter = std::vec::IntoIter<TokenTree>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

/// The same tokens, all with one span. `$crate` still resolves to the crate of its macro.
pub(crate) fn respan(tokens: impl IntoIterator<Item = TokenTree>, span: Span) -> impl Iterator<Item = TokenTree> {
    tokens.into_iter().map(move |mut token| {
        let is_crate = matches!(&token, TokenTree::Ident(ident) if ident == "$crate");
        if let TokenTree::Group(group) = &token {
            let inner: Vec<_> = respan(group.stream(), span).collect();
            token = TokenTree::Group(Group::new(group.delimiter(), inner.into_iter().collect()));
        }
        token.set_span(if is_crate { token.span().located_at(span) } else { span });
        token
    })
}
