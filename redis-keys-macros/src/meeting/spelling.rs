//! A key's pattern as a type.

use proc_macro2::{Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use redis_keys_schema::meeting::{Form, Pattern, Prints, Word};

use super::hashes::{hash, of_crate};
use crate::generics::mentions_any;
use crate::input::Input;

/// As many as there are types `Keys0`, `Keys1` … in the `redis-keys` crate.
const BUCKETS: u64 = 256;

/// How holes are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holes {
    /// By names, as an `impl` has.
    Named,
    /// As `_`, as an expression has.
    Open,
}

/// The type of the keys of a declaration, with its holes.
pub(super) struct Spelling<'s> {
    input: &'s Input<'s>,
    home: &'s TokenStream,
    start: Span,
    end: Span,
    holes: Holes,
    pub(super) keys: TokenStream,
    /// The names of the holes, if they have names.
    pub(super) names: Vec<Ident>,
    bounds: Vec<TokenStream>,
    /// What the types print of which only the compiler knows it.
    pub(super) constants: Vec<TokenStream>,
}

impl<'s> Spelling<'s> {
    /// The tokens bear the spans of the template's first token, and the last one that of its last.
    pub(super) fn new(
        input: &'s Input<'s>,
        home: &'s TokenStream,
        (start, end): (Span, Span),
        holes: Holes,
        pattern: &Pattern,
    ) -> Self {
        let keys = TokenStream::new();
        let (names, bounds, constants) = (Vec::new(), Vec::new(), Vec::new());
        let mut spelling = Self { input, home, start, end, holes, keys, names, bounds, constants };
        let common = hash((of_crate(), &pattern.group));
        let bucket = Ident::new(&format!("Keys{}", common % BUCKETS), start);
        let common = spelling.number(common);
        let close = quote_spanned!(end=> >);
        let mark = spelling.mark(pattern.segments.first());
        let segments: TokenStream = pattern.segments.iter().map(|words| spelling.segment(words)).collect();
        spelling.keys = quote_spanned!(start=> #home::#bucket<#mark, (#segments), #home::InCommon<#common> #close);
        spelling
    }

    /// What the holes have to be.
    pub(super) fn bounds(&self) -> Option<TokenStream> {
        let bounds = &self.bounds;
        (!bounds.is_empty()).then(|| quote_spanned!(self.start=> where #(#bounds),*))
    }

    /// The text of the first segment, if it has no parameter: most keys differ there, and rustc sees it at once.
    fn mark(&mut self, first: Option<&Vec<Word>>) -> TokenStream {
        let text = |word: &'_ Word| match word {
            Word::Text(text) => Some(text.clone()),
            Word::Parameter { .. } => None,
        };
        let text: Option<Vec<_>> = first.map_or(Some(Vec::new()), |words| words.iter().map(text).collect());
        let home = self.home;
        match text {
            Some(words) => {
                let hash = self.number(hash(words));
                quote_spanned!(self.start=> #home::KeyText<#hash>)
            }
            None => self.hole(),
        }
    }

    fn segment(&mut self, words: &[Word]) -> TokenStream {
        let start = self.start;
        // rustc compares types from the front, and most segments differ in their last word.
        let spelt: Vec<_> = words.iter().rev().map(|word| self.word(word)).collect();
        match spelt.as_slice() {
            [word] => quote_spanned!(start=> #word,),
            words => quote_spanned!(start=> (#(#words),*),),
        }
    }

    fn word(&mut self, word: &Word) -> TokenStream {
        match word {
            Word::Text(text) => self.text(text),
            Word::Parameter { prints: Some(prints), .. } => self.known(*prints),
            Word::Parameter { prints: None, field } => self.known_by_type(*field),
        }
    }

    fn text(&self, text: &str) -> TokenStream {
        let Self { home, start, .. } = self;
        let hash = self.number(hash(text));
        let form = Form::of(text);
        if !form.number && form.also.is_none() {
            return quote_spanned!(*start=> #home::PlainText<#hash>);
        }
        let digits = self.ident(if form.number { "AsNumber" } else { "AsNone" });
        let also = self.ident(match form.also {
            Some(Prints::TrueOrFalse) => "AsBool",
            Some(Prints::UuidDigits) => "AsUuid",
            Some(Prints::YearDigits) => "AsYear",
            Some(Prints::MonthDigits) => "AsMonth",
            Some(Prints::DayDigits) => "AsDay",
            Some(Prints::HourDigits) => "AsHour",
            _ => "AsNone",
        });
        quote_spanned!(*start=> #home::KeyWord<#home::KeyText<#hash>, #home::#digits, #home::#also>)
    }

    fn known(&mut self, prints: Prints) -> TokenStream {
        let (home, start) = (self.home, self.start);
        match prints {
            Prints::WholeNumber => {
                let (text, also) = (self.hole(), self.hole());
                quote_spanned!(start=> #home::KeyWord<#text, #home::AsNumber, #also>)
            }
            Prints::TrueOrFalse => {
                let text = self.hole();
                quote_spanned!(start=> #home::KeyWord<#text, #home::AsNone, #home::AsBool>)
            }
            Prints::UuidDigits => {
                let (text, digits) = (self.hole(), self.hole());
                quote_spanned!(start=> #home::KeyWord<#text, #digits, #home::AsUuid>)
            }
            _ => self.hole(),
        }
    }

    /// What the compiler knows of a type: its `KeySegment::PRINTS`.
    fn known_by_type(&mut self, field: Option<usize>) -> TokenStream {
        let (home, start, end) = (self.home, self.start, self.end);
        let Some(field) = field.and_then(|number| self.input.fields.get(number)) else { return self.hole() };
        let ty = field.field.ty.to_token_stream();
        if mentions_any(&self.input.item.generics, &ty) {
            // It is not one type.
            return self.hole();
        }
        let prints = self.ident(&format!("__PRINTS_{}", self.constants.len()));
        let ty = for_ever(ty);
        self.constants.push(quote_spanned! {start=>
            const #prints: u8 = <#ty as #home::KeySegment>::PRINTS.number();
        });
        let class = quote_spanned!(start=> #home::Class<#prints>);
        let (text, digits, also) = (self.hole(), self.hole(), self.hole());
        if self.holes == Holes::Open {
            return quote_spanned!(start=> <#class as #home::Printed<#text, #digits, #also>>::Word);
        }
        let word = self.ident(&format!("W{}", self.bounds.len()));
        let close = quote_spanned!(end=> >);
        self.bounds.push(quote_spanned!(start=> #class: #home::Printed<#text, #digits, #also, Word = #word #close));
        word.into_token_stream()
    }

    /// What another text may stand in.
    fn hole(&mut self) -> TokenStream {
        if self.holes == Holes::Open {
            return quote_spanned!(self.start=> _);
        }
        let name = self.ident(&format!("H{}", self.names.len()));
        self.names.push(name.clone());
        name.into_token_stream()
    }

    fn ident(&self, name: &str) -> Ident {
        Ident::new(name, self.start)
    }

    fn number(&self, number: u64) -> Literal {
        let mut literal = Literal::u64_unsuffixed(number);
        literal.set_span(self.start);
        literal
    }

    /// All parameters of an `impl`.
    pub(super) fn parameters(&self) -> Vec<Ident> {
        let words = (0..self.bounds.len()).map(|number| self.ident(&format!("W{number}")));
        self.names.iter().cloned().chain(words).collect()
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
            let mut inner = Group::new(group.delimiter(), for_ever(group.stream()));
            inner.set_span(group.span());
            inner.into()
        }
        token => token,
    });
    replaced.collect()
}
