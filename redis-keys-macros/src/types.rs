//! The types that `value = …` and `field = …` name.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use redis_keys_schema::{Declaration, Diagnostic, Given, StoredForm};

use crate::input::Input;
use crate::rendered::respanned;

/// The types of what a key holds, with the names of our stored forms meaning ours. One that is not given, or can't be read,
/// is missing.
pub(crate) struct Types {
    pub(crate) value: Option<TokenStream>,
    /// The names of open fields.
    pub(crate) field: Option<TokenStream>,
}

impl Types {
    /// Reads them. What is no type is reported, and so is a `crate` that is no path.
    pub(crate) fn read(input: &Input<'_>, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let options = &declaration.options;
        if let Some(given) = options.crate_path.as_ref().filter(|given| given.value.is_some())
            && parsed::<syn::Path>(input, &given.range).is_none()
        {
            diagnostics.push(Diagnostic::no_path(given.range.clone(), text_at(input, &given.range)));
        }
        let krate = crate_path(input, declaration);
        let mut read = |given: &Option<Given<StoredForm>>| {
            let form = given.as_ref()?.value.as_ref()?;
            let tokens = parsed::<syn::Type>(input, &form.range);
            if tokens.is_none() {
                diagnostics.push(Diagnostic::no_type(form.range.clone(), text_at(input, &form.range)));
            }
            tokens.map(|tokens| with_our_forms(tokens, form, &krate))
        };
        Self { value: read(&options.value), field: read(&options.field) }
    }
}

/// The tokens of a range, if they parse.
fn parsed<T: syn::parse::Parse>(input: &Input<'_>, range: &Range<usize>) -> Option<TokenStream> {
    let tokens = tokens_at(input, range)?;
    syn::parse2::<T>(tokens.clone()).is_ok().then_some(tokens)
}

fn text_at<'i>(input: &'i Input<'_>, range: &Range<usize>) -> &'i str {
    input.attributes.first().and_then(|attribute| attribute.rendered.text.get(range.clone())).unwrap_or_default()
}

/// The tokens of a range: bare ones as they are, quoted ones with the span of the literal.
fn tokens_at(input: &Input<'_>, range: &Range<usize>) -> Option<TokenStream> {
    let attribute = input.attributes.first()?;
    if attribute.rendered.literal_around(range).is_none() {
        return Some(attribute.rendered.tokens_in(range));
    }
    let span = attribute.rendered.run(range)?.into_iter().next()?.span();
    let text = attribute.rendered.text.get(range.clone())?;
    text.parse().ok().map(|tokens| respanned(tokens, span))
}

/// Puts the path of our own form in the place of each of their names. They are the heads of nested generics, so each
/// second token is one: `Zstd < Json < …`.
fn with_our_forms(tokens: TokenStream, form: &StoredForm, krate: &TokenStream) -> TokenStream {
    let named = |(number, token): (usize, TokenTree)| match token {
        TokenTree::Ident(ident) if number % 2 == 0 && number / 2 < form.ours.len() => {
            let span = ident.span();
            let krate = respanned(krate.clone(), span);
            quote_spanned!(span=> #krate::stored::#ident)
        }
        token => token.into(),
    };
    flat(tokens).into_iter().enumerate().map(named).collect()
}

/// Takes away the invisible brackets that a `macro_rules!` fragment has around it.
fn flat(tokens: TokenStream) -> TokenStream {
    let flatten = |token: TokenTree| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => flat(group.stream()),
        token => token.into(),
    };
    tokens.into_iter().map(flatten).collect()
}

/// Where redis-keys lives.
pub(crate) fn crate_path(input: &Input<'_>, declaration: &Declaration) -> TokenStream {
    let given = declaration.options.crate_path.as_ref().and_then(|given| parsed::<syn::Path>(input, &given.range));
    given.unwrap_or_else(|| {
        let name = Ident::new("redis_keys", Span::call_site());
        quote::quote!(::#name)
    })
}
