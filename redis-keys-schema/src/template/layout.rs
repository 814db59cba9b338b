//! The layout of a template: its segments, their words, and the elements of each word.

use std::ops::Range;

use super::parameters::Parameters;
use super::word::rewritten;
use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::is_word_byte;
use crate::piece::{Piece, is_name_char};

/// A template, split at its separators.
#[derive(Debug, Default)]
pub(super) struct Layout<'t> {
    pub(super) segments: Vec<Segment<'t>>,
}

/// The words between two colons.
#[derive(Debug, Default)]
pub(super) struct Segment<'t> {
    pub(super) words: Vec<Word<'t>>,
    pub(super) range: Range<usize>,
}

/// The elements between two separators.
#[derive(Debug, Default)]
pub(super) struct Word<'t> {
    pub(super) elements: Vec<Element<'t>>,
}

/// Text or a placeholder. Several elements in one word are a mistake, which another check reports.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element<'t> {
    Text(Piece<'t>),
    Braced(Piece<'t>),
}

impl<'t> Element<'t> {
    pub(super) fn piece(self) -> Piece<'t> {
        let (Self::Text(piece) | Self::Braced(piece)) = self;
        piece
    }

    pub(super) fn text(self) -> Option<&'t str> {
        match self {
            Self::Text(text) => Some(text.text),
            Self::Braced(_) => None,
        }
    }
}

impl<'t> Word<'t> {
    /// Whether white space separates two of its elements.
    pub(super) fn has_space(&self) -> bool {
        self.elements.windows(2).any(|pair| pair[0].piece().range().end < pair[1].piece().start)
    }

    /// Its text, if it is nothing but text.
    pub(super) fn only_text(&self) -> Option<Piece<'t>> {
        match self.elements.as_slice() {
            [Element::Text(text)] => Some(*text),
            _ => None,
        }
    }

    /// From its first element to its last.
    pub(super) fn range(&self) -> Range<usize> {
        match (self.elements.first(), self.elements.last()) {
            (Some(first), Some(last)) => first.piece().range().start..last.piece().range().end,
            _ => 0..0,
        }
    }

    pub(super) fn text(&self) -> String {
        self.elements.iter().map(|element| element.piece().text).collect()
    }
}

impl<'t> Segment<'t> {
    pub(super) fn text(&self) -> String {
        self.words.iter().map(Word::text).collect::<Vec<_>>().join(".")
    }

    /// Its text, if it is a single word of text.
    pub(super) fn only_text(&self) -> Option<Piece<'t>> {
        match self.words.as_slice() {
            [word] => word.only_text(),
            _ => None,
        }
    }
}

/// A separator or an element of a word, with its place.
enum Lexeme<'t> {
    Separator(char, usize),
    Element(Element<'t>),
}

impl<'t> Layout<'t> {
    /// Splits a template. Empty words are reported here and left out.
    pub(super) fn read(piece: Piece<'t>, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) -> Self {
        let lexemes = lexemes(piece, parameters, diagnostics);
        report_empty_words(&lexemes, parameters, diagnostics);
        let mut layout = Self::default();
        let mut segment = Segment::default();
        let mut word = Word::default();
        for lexeme in lexemes {
            match lexeme {
                Lexeme::Element(element) => word.elements.push(element),
                Lexeme::Separator(sign, _) => {
                    segment.close_word(&mut word);
                    if sign == ':' {
                        layout.close_segment(&mut segment);
                    }
                }
            }
        }
        segment.close_word(&mut word);
        layout.close_segment(&mut segment);
        layout
    }

    fn close_segment(&mut self, segment: &mut Segment<'t>) {
        let mut segment = std::mem::take(segment);
        if let (Some(first), Some(last)) = (segment.words.first(), segment.words.last()) {
            segment.range = first.range().start..last.range().end;
            self.segments.push(segment);
        }
    }
}

impl<'t> Segment<'t> {
    fn close_word(&mut self, word: &mut Word<'t>) {
        let word = std::mem::take(word);
        if !word.elements.is_empty() {
            self.words.push(word);
        }
    }
}

/// Splits a template into separators, placeholders and runs of text. White space only ends a run.
fn lexemes<'t>(piece: Piece<'t>, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) -> Vec<Lexeme<'t>> {
    let mut lexemes = Vec::new();
    let mut at = 0;
    while let Some(c) = piece.text.get(at..).and_then(|rest| rest.chars().next()) {
        let end = match c {
            ':' | '.' => {
                lexemes.push(Lexeme::Separator(c, piece.start + at));
                at + 1
            }
            '{' => {
                let end = closing_brace(piece, at, parameters, diagnostics);
                lexemes.push(Lexeme::Element(Element::Braced(piece.part(at..end))));
                end
            }
            '}' => {
                report_closing_brace(piece, at, parameters, diagnostics);
                at + 1
            }
            c if c.is_whitespace() => at + c.len_utf8(),
            _ => {
                let end = text_end(piece.text, at);
                lexemes.push(Lexeme::Element(Element::Text(piece.part(at..end))));
                end
            }
        };
        at = end;
    }
    lexemes
}

/// Reports a `}` that nothing opens: the name before it may be a placeholder.
fn report_closing_brace(piece: Piece<'_>, at: usize, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) {
    let before = piece.to(at).text;
    let name = piece.part(before.trim_end_matches(is_name_char).len()..at);
    let help = match parameters.unused(name.text) {
        Some(field) => {
            let placeholder = format!("{{{}}}", parameters.mean(field));
            Suggestion::write(placeholder).at(name.start..name.range().end + 1)
        }
        None => Suggestion::remove(),
    };
    let range = piece.part(at..at + 1).range();
    diagnostics.report(range, Rule::Declaration, "unmatched `}`", help);
}

/// The end of the placeholder that opens at `at`. A placeholder that nothing closes ends before the next separator.
fn closing_brace(piece: Piece<'_>, at: usize, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) -> usize {
    let mut depth = 0_usize;
    for (offset, c) in piece.from(at).text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + offset + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    let rest = piece.from(at + 1);
    let inner = rest.text.find(['{', ':', '.']).unwrap_or(rest.text.len());
    let name = match rest.to(inner).trim().text {
        "" => parameters.next_unused(),
        name => name,
    };
    let message = "unclosed `{`";
    let help = Suggestion::write(format!("{{{name}}}")).at(piece.part(at..at + 1 + inner).range());
    diagnostics.report(piece.part(at..at + 1).range(), Rule::Declaration, message, help);
    at + 1 + inner
}

fn text_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while end < bytes.len() && is_word_byte(bytes[end]) {
        end += 1;
    }
    let ends = |c: char| matches!(c, ':' | '.' | '{' | '}') || c.is_whitespace();
    text.get(end..).and_then(|rest| rest.find(ends)).map_or(text.len(), |length| end + length)
}

/// Reports separators with nothing between them, each run of separators once.
fn report_empty_words(lexemes: &[Lexeme<'_>], parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) {
    let mut at = 0;
    while at < lexemes.len() {
        let run = lexemes[at..].iter().take_while(|lexeme| matches!(lexeme, Lexeme::Separator(..))).count();
        let (first, last) = (at == 0, at + run == lexemes.len());
        if run > 1 || (run == 1 && (first || last)) {
            report_run(lexemes, at..at + run, parameters, diagnostics);
        }
        at += run.max(1);
    }
}

fn report_run(
    lexemes: &[Lexeme<'_>],
    run: Range<usize>,
    parameters: &mut Parameters<'_>,
    diagnostics: &mut Diagnostics,
) {
    let signs: Vec<_> = lexemes[run.clone()]
        .iter()
        .filter_map(|lexeme| if let Lexeme::Separator(sign, at) = lexeme { Some((*sign, *at)) } else { None })
        .collect();
    let (Some(&(_, start)), Some(&(_, end))) = (signs.first(), signs.last()) else { return };
    let neighbour = |at: Option<usize>| match at.and_then(|at| lexemes.get(at)) {
        Some(Lexeme::Element(Element::Braced(braced))) => Some(braced.text.to_owned()),
        Some(Lexeme::Element(Element::Text(text))) => {
            Some(rewritten(text.text).unwrap_or_else(|| text.text.to_owned()))
        }
        _ => None,
    };
    let before = neighbour(run.start.checked_sub(1));
    // A name after `::` is a placeholder where routes are written like that.
    let route = match lexemes.get(run.end) {
        Some(Lexeme::Element(Element::Text(text))) => parameters.unused(text.text).map(|name| (name, text.range().end)),
        _ => None,
    };
    let after = route.map(|(name, _)| format!("{{{name}}}")).or_else(|| neighbour(Some(run.end)));
    let separator = if signs.iter().any(|&(sign, _)| sign == ':') { ':' } else { '.' };
    let empty = if separator == ':' { "segment" } else { "word" };
    let [first, last] = [signs.first(), signs.last()].map(|sign| sign.map(|&(sign, _)| sign));
    // The words beside the separators have separate suggestions.
    let (message, fixed, between) = match (before, after) {
        (Some(before), Some(after)) if signs.len() == 2 && first != last => {
            let place = if first == Some('.') { format!("after `{before}`") } else { format!("before `{after}`") };
            (format!("empty word {place}"), format!("{before}:{after}"), ":".to_owned())
        }
        (Some(before), Some(after)) => (
            format!("empty {empty} between `{before}` and `{after}`"),
            format!("{before}{separator}{after}"),
            separator.to_string(),
        ),
        (Some(before), None) => (format!("empty {empty} at the end of the key"), before, String::new()),
        (None, Some(after)) => (format!("empty {empty} at the start of the key"), after, String::new()),
        // The key has no words at all, which has a separate message.
        (None, None) => return,
    };
    let help = Suggestion::write(fixed);
    let help = match route {
        Some((name, end)) => help.replacing(start..end, format!("{between}{{{}}}", parameters.mean(name))),
        None => help.replacing(start..end + 1, between),
    };
    diagnostics.report(start..end + 1, Rule::EmptyWord, message, help);
}
