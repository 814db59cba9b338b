//! The grammar of every attribute: options separated by commas, each `name`, `name = value` or `name(value)`.

use std::ops::Range;

use super::foreign_option::Translation;
use super::raw_option::RawOption;
use crate::Rule;
use crate::diagnostic::{AttributeId, Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::item::Attribute;
use crate::piece::{Outline, Piece, is_name_char, name_end};
use crate::suggest::{list, nearest};

/// The options that an attribute can have.
pub(crate) struct Grammar {
    /// The attribute's name.
    pub(crate) attribute: &'static str,
    /// The options' names, and how each is written.
    pub(crate) options: &'static [(&'static str, &'static str)],
    /// The same for the options in the parentheses of another option.
    pub(crate) inner: &'static [(&'static str, &'static str)],
    /// The options without a value.
    pub(crate) flags: &'static [&'static str],
    /// The meaning of other names for the options, and of options that do not exist here.
    pub(crate) foreign: fn(&str) -> Option<Translation>,
}

impl Grammar {
    fn example(&self, name: &str) -> Option<&'static str> {
        self.options.iter().chain(self.inner).find(|(known, _)| *known == name).map(|(_, example)| *example)
    }

    /// Whether an option has arguments in parentheses, as `allow`.
    fn has_own_grammar(&self, name: &str) -> bool {
        self.example(name).and_then(|example| example.strip_prefix(name)).is_some_and(|rest| rest.starts_with('('))
    }

    /// Whether a word names an option, here or in another library.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.example(word).is_some() || (self.foreign)(word).is_some()
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.options.iter().map(|(name, _)| *name)
    }

    /// Reads the options of an attribute that is not a key's.
    pub(crate) fn read<'t>(
        &self,
        attribute: &Attribute<'t>,
        id: AttributeId,
        diagnostics: &mut Diagnostics,
    ) -> Vec<RawOption<'t>> {
        let name = self.attribute;
        let example = self.options.first().map_or("", |(_, example)| example);
        let text = match attribute {
            Attribute::Arguments(text) => Piece::new(text),
            Attribute::Value(_) => {
                let message = format!("expected `{name}(…)`, found `{name} = …`");
                let help = Suggestion::write(format!("{name}({example})")).and(", for example");
                diagnostics.report(id.whole(), Rule::Declaration, message, help);
                return Vec::new();
            }
            Attribute::Word => Piece::new(""),
        };
        let first = diagnostics.len();
        let pieces = self.split(text, true, diagnostics);
        if pieces.iter().all(|piece| piece.is_empty()) {
            let help = Suggestion::remove().saying(format!("write `{name}({example})`, for example, or remove it"));
            diagnostics.report(id.whole(), Rule::Declaration, "empty attribute", help);
            id.relocate(diagnostics, first);
            return Vec::new();
        }
        let options = pieces.into_iter().map(|piece| self.option(piece, diagnostics)).collect();
        id.relocate(diagnostics, first);
        options
    }

    /// Splits an attribute at its commas. A missing comma is reported, and taken as if it were there; a comma that
    /// nothing precedes is reported and left out. `angles` says whether `<` is a bracket in the first piece.
    pub(super) fn split<'t>(&self, text: Piece<'t>, angles: bool, diagnostics: &mut Diagnostics) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        let mut commas = Vec::new();
        let mut first = Outline::of_first(text.text, angles);
        if !first.balanced {
            // A `<` that nothing closes must not swallow the options after it.
            first = Outline::of_first(text.text, false);
        }
        self.split_run_on(text.to(first.end), &first.assignments, &mut pieces, diagnostics);
        if first.end < text.text.len() {
            commas.push(text.start + first.end);
            let rest = text.from(first.end + 1);
            let mut outline = Outline::of(rest.text, true);
            if !outline.balanced {
                outline = Outline::of(rest.text, false);
            }
            let mut start = 0;
            let mut assignments = outline.assignments.as_slice();
            for end in outline.commas.iter().copied().chain([rest.text.len()]) {
                let count = assignments.iter().take_while(|sign| **sign < end).count();
                let (own, later) = assignments.split_at(count);
                let own: Vec<_> = own.iter().map(|sign| sign - start).collect();
                self.split_run_on(rest.part(start..end), &own, &mut pieces, diagnostics);
                commas.push(rest.start + end);
                assignments = later;
                start = end + 1;
            }
            commas.pop();
            // A trailing comma is fine.
            if pieces.last().is_some_and(|last| last.is_empty()) {
                pieces.pop();
            }
        }
        if pieces.iter().any(|piece| !piece.is_empty()) {
            for piece in pieces.iter().filter(|piece| piece.is_empty()) {
                let comma = commas.iter().find(|comma| **comma >= piece.start).map_or(piece.range(), |&at| at..at + 1);
                let message = "expected an option, found `,`";
                diagnostics.report(comma, Rule::Declaration, message, Suggestion::remove());
            }
            pieces.retain(|piece| !piece.is_empty());
        }
        pieces
    }

    /// Splits where two options follow each other without a comma.
    fn split_run_on<'t>(
        &self,
        piece: Piece<'t>,
        assignments: &[usize],
        pieces: &mut Vec<Piece<'t>>,
        diagnostics: &mut Diagnostics,
    ) {
        let mut start = 0;
        for &sign in assignments {
            let before = piece.part(start..sign).trim();
            if name_end(before.text) == before.text.len() {
                continue;
            }
            let name = trailing_word(before);
            let previous = before.to(name.start - before.start).trim();
            if self.knows(name.text) && !previous.is_empty() && !previous.text.ends_with("r#") {
                let separated = without_semicolon(previous, diagnostics);
                if separated.text.len() == previous.text.len() {
                    diagnostics.push(missing_comma(name));
                }
                self.push_without_flag(separated, pieces, diagnostics);
                start = name.start - piece.start;
            }
        }
        let last = without_semicolon(piece.from(start).trim(), diagnostics);
        self.push_without_flag(last, pieces, diagnostics);
    }

    /// Splits an option from an option without a `=` that follows it: `rename = "mail" default`, `ttl = 1h cache(…)`.
    fn push_without_flag<'t>(&self, piece: Piece<'t>, pieces: &mut Vec<Piece<'t>>, diagnostics: &mut Diagnostics) {
        let arguments = piece.text.ends_with(')').then(|| last_bracket(piece.text)).flatten();
        let name = trailing_word(piece.to(arguments.unwrap_or(piece.text.len())));
        let before = piece.to(name.start - piece.start);
        let is_alone = match arguments {
            Some(_) => self.has_own_grammar(name.text),
            None => {
                self.flags.contains(&name.text) || self.example(name.text).is_some_and(|example| example == name.text)
            }
        };
        // After `=` and `::` it is the value, or a part of it.
        if is_alone
            && before.text.ends_with([' ', '"', '>', ')', ']'])
            && before.text.trim_end().ends_with(|c: char| is_name_char(c) || "\">)]%".contains(c))
        {
            diagnostics.push(missing_comma(name));
            pieces.push(before.trim());
            pieces.push(piece.from(name.start - piece.start));
        } else {
            pieces.push(piece);
        }
    }

    /// Splits an option into its name and its value. A missing `=` is reported.
    pub(super) fn option<'t>(&self, piece: Piece<'t>, diagnostics: &mut Diagnostics) -> RawOption<'t> {
        let name = name_of(piece);
        if name.is_empty() {
            return RawOption { name: piece, value: None, whole: piece };
        }
        let rest = piece.from(name.start + name.text.len() - piece.start).trim();
        let value = match rest.text.chars().next() {
            None => return RawOption { name, value: None, whole: piece },
            Some('=') => {
                let value = first_literal(rest.from(1).trim(), diagnostics);
                return RawOption { name, value: Some(value), whole: piece };
            }
            // It has its own grammar.
            _ if self.has_own_grammar(name.text) => return RawOption { name, value: Some(rest), whole: piece },
            Some('(') => rest.part(1..rest.text.rfind(')').unwrap_or(rest.text.len())).trim(),
            Some(sign) if !is_name_char(sign) && sign != '"' => rest.from(sign.len_utf8()).trim(),
            Some(_) => rest,
        };
        if self.example(name.text).is_some() && !self.flags.contains(&name.text) && !value.is_empty() {
            let message = format!("expected `=` after `{}`", name.text);
            let help = Suggestion::write(format!("{} = {}", name.text, value.text));
            diagnostics.report(piece.range(), Rule::Declaration, message, help);
        }
        RawOption { name, value: Some(value), whole: piece }
    }

    /// Reports an option that does not exist. Returns the option that was meant, so that it is not reported as missing.
    /// `stored` is the stored type.
    pub(crate) fn unknown(&self, written: RawOption<'_>, stored: &str) -> (Option<&'static str>, Diagnostic) {
        let word = written.name.text;
        let foreign = (self.foreign)(word);
        let near = || nearest(word, self.names().chain(self.inner.iter().map(|(name, _)| *name)));
        let (meant, help) = match foreign {
            Some(foreign) => (foreign.option, foreign.suggestion(written, stored, |name| self.example(name))),
            None => match (near(), self.options) {
                (Some(near), _) => (near, Suggestion::did_you_mean(near)),
                (None, [(only, _)]) => ("", format!("the only option is `{only}`").into()),
                (None, _) => ("", format!("the options are {}", list(self.names(), "and")).into()),
            },
        };
        (Some(meant).filter(|meant| !meant.is_empty()), unknown_option(written.name, help))
    }

    /// Reports an option without a value.
    pub(crate) fn missing_value(&self, written: RawOption<'_>) -> Diagnostic {
        let name = written.name;
        let example = self.example(name.text).unwrap_or(name.text);
        let message = format!("missing value for `{}`", name.text);
        let help = Suggestion::write(example).at(written.whole.range());
        Diagnostic::new(name.range(), Rule::Declaration, message, help)
    }
}

/// Reports a name that is no option.
pub(super) fn unknown_option(name: Piece<'_>, help: Suggestion) -> Diagnostic {
    let word = name.text;
    let message = if word.starts_with(is_name_char) {
        format!("unknown option `{word}`")
    } else {
        format!("expected an option, found `{word}`")
    };
    Diagnostic::new(name.range(), Rule::Declaration, message, help)
}

/// Reports a duplicate option.
pub(crate) fn duplicate(option: RawOption<'_>) -> Diagnostic {
    let message = format!("duplicate option `{}`", option.name.text);
    let help = Suggestion::remove_listed().saying("keep one of them").at(option.whole.range());
    Diagnostic::new(option.name.range(), Rule::Declaration, message, help)
}

/// Reads the attributes of an item whose only option is `crate`, and returns where the path is.
pub(crate) fn read_crate_path(
    attributes: &[Attribute<'_>],
    grammar: &Grammar,
    diagnostics: &mut Diagnostics,
) -> Option<Range<usize>> {
    for index in 1..attributes.len() {
        let message = format!("duplicate attribute `#[{}(…)]`", grammar.attribute);
        let help = "move its options into the first";
        diagnostics.report(AttributeId::Item(index).whole(), Rule::Declaration, message, help);
    }
    let mut path = None;
    for option in grammar.read(attributes.first()?, AttributeId::Item(0), diagnostics) {
        let diagnostic = match option.bare_value() {
            _ if option.name.text != "crate" => grammar.unknown(option, "").1,
            Some(value) if path.is_none() => {
                path = Some(value.range());
                continue;
            }
            Some(_) => duplicate(option),
            None => grammar.missing_value(option),
        };
        diagnostics.push(diagnostic);
    }
    path
}

/// The value, or its first literal if it is several, which is reported.
pub(super) fn first_literal<'t>(value: Piece<'t>, diagnostics: &mut Diagnostics) -> Piece<'t> {
    match value.first_literal() {
        Some((first, rest)) if rest.text.starts_with(['"', 'r']) && rest.first_literal().is_some() => {
            let message = format!("expected `,`, found `{}`: a value is one literal", rest.text);
            diagnostics.report(rest.range(), Rule::Declaration, message, Suggestion::remove());
            first
        }
        _ => value,
    }
}

pub(super) fn missing_comma(name: Piece<'_>) -> Diagnostic {
    let message = format!("expected `,` before `{}`", name.text);
    Diagnostic::new(name.range(), Rule::Declaration, message, Suggestion::write(format!(", {}", name.text)))
}

/// The piece without a `;` at its end, which is reported.
fn without_semicolon<'t>(piece: Piece<'t>, diagnostics: &mut Diagnostics) -> Piece<'t> {
    let Some(rest) = piece.text.strip_suffix(';') else { return piece };
    let range = piece.from(rest.len()).range();
    diagnostics.report(range, Rule::Declaration, "expected `,`, found `;`", Suggestion::write(","));
    piece.to(rest.len()).trim()
}

/// The name that an option starts with. `r#crate` is as good as `crate`.
pub(super) fn name_of(piece: Piece<'_>) -> Piece<'_> {
    if piece.text.starts_with("r#") { piece.from(2).leading_word() } else { piece.leading_word() }
}

/// The bracket that the last `)` closes.
fn last_bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let brackets = text.char_indices().rev().filter(|(_, c)| "()".contains(*c));
    for (at, bracket) in brackets {
        depth = if bracket == ')' { depth + 1 } else { depth.saturating_sub(1) };
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The word that a text ends with.
fn trailing_word(piece: Piece<'_>) -> Piece<'_> {
    piece.from(piece.text.trim_end_matches(is_name_char).len())
}
