//! Diagnostics as compile errors, and warnings as uses of deprecated macros, both with the tokens at fault underlined.

use std::fmt;
use std::ops::Range;

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream};
use quote::{ToTokens, quote};
use redis_keys_schema::{Diagnostic, Level, Place, Warning};
use redis_keys_syntax::{Input, Underline};

use crate::editor;
use crate::item::levels;

/// One `compile_error!` for each diagnostic.
pub(crate) fn compile_errors(input: &Input<'_>, diagnostics: Vec<Diagnostic>) -> TokenStream {
    diagnostics.into_iter().map(|diagnostic| compile_error(input, diagnostic)).collect()
}

/// The fields whose types have an error.
pub(crate) fn fields_with_type_errors(diagnostics: &[Diagnostic]) -> Vec<usize> {
    let field = |diagnostic: &Diagnostic| match diagnostic.place {
        Place::FieldType(number) => Some(number),
        _ => None,
    };
    diagnostics.iter().filter_map(field).collect()
}

/// One error or warning for each finding of a lint.
pub(crate) fn warnings(input: &Input<'_>, warnings: Vec<Warning>) -> TokenStream {
    let report = |warning: Warning| {
        let place = warning.place.clone();
        let (tokens, warning) = placed(input, &place, warning, Warning::drawn);
        match warning.level {
            Level::Deny => error(tokens, &warning),
            // rust-analyzer shows the warnings of the compiler.
            _ if editor::is_running() => TokenStream::new(),
            _ => deprecation(input, &tokens, &warning),
        }
    };
    warnings.into_iter().map(report).collect()
}

/// On stable Rust a macro cannot emit warnings, but it can use a deprecated item, whose note rustc shows. For another
/// crate's macro, rustc shows it only if the use has spans of the user's tokens. The item is a macro because rustc
/// underlines the whole path to it, so that the first and the last token of the path can have any two spans.
fn deprecation(input: &Input<'_>, tokens: &TokenStream, warning: &Warning) -> TokenStream {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    let (note, name) = (warning.to_string(), warning.lint.name());
    let levels = levels(input);
    let (ours, defined) = (Ident::new("redis_keys", Span::call_site()), Ident::new(name, Span::call_site()));
    let path = Path { first: Ident::new("redis_keys", first), last: Ident::new(name, last) };
    quote! {
        #(#levels)*
        const _: () = {
            mod #ours {
                #[deprecated(note = #note)]
                macro_rules! #defined { () => {}; }
                #[allow(deprecated)]
                pub(super) use #defined;
            }
            #path! {}
        };
    }
}

/// `first::last`, which rustc underlines from the first to the last.
struct Path {
    first: Ident,
    last: Ident,
}

impl ToTokens for Path {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let colon = |spacing| {
            let mut colon = Punct::new(':', spacing);
            colon.set_span(self.first.span());
            colon
        };
        self.first.to_tokens(tokens);
        colon(Spacing::Joint).to_tokens(tokens);
        colon(Spacing::Alone).to_tokens(tokens);
        self.last.to_tokens(tokens);
    }
}

fn compile_error(input: &Input<'_>, diagnostic: Diagnostic) -> TokenStream {
    let place = diagnostic.place.clone();
    let (tokens, diagnostic) = placed(input, &place, diagnostic, Diagnostic::drawn);
    error(tokens, &diagnostic)
}

/// An error that underlines tokens.
fn error(tokens: TokenStream, message: &impl fmt::Display) -> TokenStream {
    if editor::is_running() {
        // rust-analyzer underlines the name of the macro, and on hovering over a word shows other tokens with the
        // word's span.
        let span = tokens.into_iter().next().map_or_else(Span::call_site, |token| token.span());
        let (name, message) = (Ident::new("compile_error", span), message.to_string());
        return quote!(::core::#name! { #message });
    }
    syn::Error::new_spanned(tokens, message).into_compile_error()
}

/// The tokens to underline, and the message. The message draws the place if only a whole literal can be underlined.
fn placed<T>(
    input: &Input<'_>,
    place: &Place,
    message: T,
    drawn: impl FnOnce(T, &str, Range<usize>) -> T,
) -> (TokenStream, T) {
    let Underline { tokens, literal } = input.underline(place);
    match literal {
        Some((text, literal)) => (tokens, drawn(message, text, literal)),
        None => (tokens, message),
    }
}
