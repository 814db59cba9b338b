//! The template: the shape of a key, `module:name:{parameter}:type`.

mod layout;
mod parameters;
mod placeholder;
mod suffix;
mod word;

use std::ops::Range;

use layout::{Element, Layout, Segment, Word};
use parameters::Parameters;
pub(crate) use parameters::nearest_field;
pub use placeholder::{Encoding, Placeholder};
pub(crate) use suffix::guess_kind;
pub(crate) use word::explain as explain_word;

use crate::diagnostic::{Diagnostic, Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::piece::Piece;
use crate::{Kind, Rule};

/// A key's template, checked as far as it could be read.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its place in the attribute, without quotes.
    pub range: Range<usize>,
    /// The template without white space, as messages, docs and catalogues show it.
    pub text: String,
    /// The parts of a key, in order. Neighbouring literal texts are one part.
    pub parts: Vec<Part>,
    /// The type that the last segment names, or the proof that its absence is reported.
    pub kind: Result<Kind, ReportedError>,
    /// The type that the last segment names or was meant to name.
    pub guessed_kind: Option<Kind>,
    /// The place of the last segment.
    pub suffix: Range<usize>,
    /// The place of each segment, and of each of its words.
    pub(crate) segments: Vec<SegmentPlace>,
    /// The fields that suggestions for wrong words name.
    pub(crate) meant: Vec<String>,
}

/// The place of a segment in the attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct SegmentPlace {
    pub(crate) range: Range<usize>,
    pub(crate) words: Vec<WordPlace>,
}

/// The place of a word in the attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordPlace {
    pub(crate) range: Range<usize>,
    /// Whether it is text, and not a placeholder.
    pub(crate) literal: bool,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that is the same in each key, separators and the braces of a hash tag included.
    Literal(String),
    /// A value of the key's struct.
    Placeholder(Placeholder),
}

impl Template {
    /// Reads a template of a key with these fields. `likely` is the type that the options suggest, should the template
    /// not name a type, and `instead` the text to write for a last segment that means a type.
    pub(crate) fn read(
        piece: Piece<'_>,
        fields: &[&str],
        likely: Kind,
        instead: Option<Suggestion>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, ReportedError> {
        let piece = piece.bare();
        let mut parameters = Parameters::new(fields, piece.text);
        if let Some(diagnostic) = not_a_template(piece, &mut parameters) {
            return Err(diagnostics.push(diagnostic));
        }
        let layout = Layout::read(piece, &mut parameters, diagnostics);
        if let Some(diagnostic) = suffix::other_separator(piece, &layout, &mut parameters, likely) {
            return Err(diagnostics.push(diagnostic));
        }
        let Some(last) = layout.segments.last() else { return Err(diagnostics.push(without_words(piece))) };
        let suffix = suffix::check(&layout, last, likely, instead, diagnostics);
        // The words of a misspelt type are not checked.
        let is_misspelt = suffix.kind.is_err() && suffix.meant.is_some();
        let checked = layout.segments.len() - usize::from(is_misspelt);
        for segment in layout.segments.iter().take(checked) {
            check_words(segment, &mut parameters, diagnostics);
        }
        check_module(&layout, diagnostics);
        let mut template = Self {
            range: piece.range(),
            kind: suffix.kind,
            guessed_kind: suffix.meant,
            suffix: last.range.clone(),
            segments: layout.segments.iter().map(SegmentPlace::of).collect(),
            meant: Vec::new(),
            text: String::new(),
            parts: Vec::new(),
        };
        template.assemble(&layout, &mut parameters, diagnostics);
        template.meant.extend(parameters.meant.iter().map(|name| (*name).to_owned()));
        Ok(template)
    }

    /// The first segment, if it is text: the module's name.
    pub fn module(&self) -> Option<&str> {
        self.segments.first().filter(|first| first.literal())?;
        self.text.split(':').next()
    }

    /// The placeholders, in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(placeholder),
            Part::Literal(_) => None,
        })
    }

    pub(crate) fn placeholders_mut(&mut self) -> impl Iterator<Item = &mut Placeholder> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(placeholder),
            Part::Literal(_) => None,
        })
    }

    /// The suggestion to add a word: as the last segment before the type.
    pub(crate) fn insert(&self, word: &str, help: Suggestion) -> Suggestion {
        match (self.guessed_kind, self.segments.as_slice()) {
            (Some(_), [.., before, _]) => help.with(before.range.end..before.range.end, format!(":{word}")),
            // In place of the last segment, as the suggestion for the missing type.
            _ => help.with(self.suffix.clone(), format!("{}:{word}", self.text.rsplit(':').next().unwrap_or_default())),
        }
    }

    /// Returns the number of bytes of each key that are literal text.
    pub fn literal_bytes(&self) -> usize {
        let bytes = |part: &Part| if let Part::Literal(text) = part { text.len() } else { 0 };
        self.parts.iter().map(bytes).sum()
    }

    fn assemble(&mut self, layout: &Layout<'_>, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) {
        for (index, segment) in layout.segments.iter().enumerate() {
            if index > 0 {
                self.push_literal(":");
            }
            for (index, word) in segment.words.iter().enumerate() {
                if index > 0 {
                    self.push_literal(".");
                }
                for element in &word.elements {
                    match *element {
                        Element::Text(text) => self.push_literal(text.text),
                        Element::Braced(braced) => {
                            let whole = segment.words.len() == 1;
                            let placeholder = Placeholder::read(braced, whole, parameters, diagnostics);
                            self.push_placeholder(placeholder);
                        }
                    }
                }
            }
        }
    }

    fn push_literal(&mut self, text: &str) {
        self.text.push_str(text);
        match self.parts.last_mut() {
            Some(Part::Literal(literal)) => literal.push_str(text),
            _ => self.parts.push(Part::Literal(text.to_owned())),
        }
    }

    fn push_placeholder(&mut self, placeholder: Placeholder) {
        let tagged = placeholder.hash_tag;
        let shown = placeholder.to_string();
        if tagged {
            self.push_literal("{");
        }
        // The braces of a hash tag are literal text of the key, but the template shows them once, as written.
        let text = self.text.len() - usize::from(tagged);
        self.parts.push(Part::Placeholder(placeholder));
        if tagged {
            self.push_literal("}");
        }
        self.text.truncate(text);
        self.text.push_str(&shown);
    }
}

impl SegmentPlace {
    fn of(segment: &Segment<'_>) -> Self {
        let word = |word: &Word<'_>| WordPlace { range: word.range(), literal: word.only_text().is_some() };
        Self { range: segment.range.clone(), words: segment.words.iter().map(word).collect() }
    }

    /// Whether it is text, and holds no placeholder.
    pub(crate) fn literal(&self) -> bool {
        self.words.iter().all(|word| word.literal)
    }
}

/// Reports a text without any part like a template.
fn not_a_template(piece: Piece<'_>, parameters: &mut Parameters<'_>) -> Option<Diagnostic> {
    let after_word = piece.from(piece.leading_word().text.len()).text;
    let (place, message, help) = if ["!(", "![", "!{"].iter().any(|call| after_word.starts_with(call)) {
        (piece, "expected a template, found a macro call", "write the text of the template here".into())
    } else if piece.text.starts_with("b\"") {
        let help = Suggestion::remove().saying("remove the `b`").at(piece.start..piece.start + 1);
        (piece, "expected a string, found a byte string", help)
    } else if piece.text.ends_with('{') {
        let help = Suggestion::write(format!("{{{}}}", parameters.next_unused()));
        (piece.from(piece.text.len() - 1), "unclosed `{`", help)
    } else {
        return None;
    };
    Some(Diagnostic::new(place.range(), Rule::Declaration, message, help))
}

fn without_words(piece: Piece<'_>) -> Diagnostic {
    if piece.is_empty() {
        return missing_template(piece.range());
    }
    let message = "missing words: the key has only separators";
    Diagnostic::new(piece.range(), Rule::EmptyWord, message, Suggestion::write("user:profile:string"))
}

fn check_words(segment: &Segment<'_>, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) {
    for word in &segment.words {
        match word.elements.as_slice() {
            [] | [Element::Braced(_)] => {}
            [Element::Text(text)] => word::check(*text, parameters, diagnostics),
            _ => check_mixture(word, diagnostics),
        }
    }
}

/// Explains a word of several elements: words with white space between them, or a placeholder that is not a whole word.
fn check_mixture(word: &Word<'_>, diagnostics: &mut Diagnostics) {
    // `${id}` and `#{id}`, which other tools write.
    if let [Element::Text(sign), Element::Braced(braced)] = word.elements.as_slice()
        && matches!(sign.text, "$" | "#" | "@" | "%")
    {
        let inner = braced.text.trim_start_matches('{');
        let placeholder = if sign.text == "#" { format!("{{#{inner}") } else { braced.text.to_owned() };
        let message = format!("expected a placeholder, found `{}`", word.text());
        diagnostics.report(word.range(), Rule::Parameters, message, Suggestion::write(placeholder));
        return;
    }
    let braced = word.elements.iter().filter(|element| matches!(element, Element::Braced(_))).count();
    let message = match braced {
        0 => "keys cannot contain white space",
        _ if braced == word.elements.len() => "missing separator between two placeholders",
        1 => "missing separator between a placeholder and text",
        _ => "expected `.` or `:` between two placeholders",
    };
    let help = match separated(&word.elements) {
        Some(fixed) => Suggestion::write(fixed),
        None => word::A_WORD_HELP.into(),
    };
    diagnostics.report(word.range(), Rule::Separators, message, help);
}

/// The elements of a word as several words. `None` if an element cannot be rewritten.
fn separated(elements: &[Element<'_>]) -> Option<String> {
    let mut words = String::new();
    let mut separator = "";
    for element in elements {
        let word = match element {
            Element::Braced(braced) => braced.text.to_owned(),
            Element::Text(text) if word::is_foreign(text.text) => return None,
            Element::Text(text) => {
                if text.text.starts_with(word::SEGMENT_SIGNS) {
                    separator = if words.is_empty() { "" } else { ":" };
                }
                word::rewritten(text.text).unwrap_or_default()
            }
        };
        if !word.is_empty() {
            words.push_str(separator);
            words.push_str(&word);
            separator = ".";
        }
        if matches!(element, Element::Text(text) if text.text.ends_with(word::SEGMENT_SIGNS)) && !words.is_empty() {
            separator = ":";
        }
    }
    Some(words)
}

/// A key starts with a module's name, written out.
fn check_module(layout: &Layout<'_>, diagnostics: &mut Diagnostics) {
    // A key of one segment is reported by another check.
    let [first, _, ..] = layout.segments.as_slice() else { return };
    if let Some(placeholder) = first.words.iter().flat_map(|word| &word.elements).find_map(|element| match element {
        Element::Braced(braced) => Some(braced),
        Element::Text(_) => None,
    }) {
        let message = format!("expected the name of a module, found `{}`", placeholder.text);
        let text = first.text();
        let help = match text.split_once(".{") {
            Some((module, rest)) => Suggestion::write(format!("{module}:{{{rest}")).at(first.range.clone()),
            None => module_first(&text, first.range.start),
        };
        diagnostics.report(placeholder.range(), Rule::Shape, message, help);
    } else if let Some(text) = first.words.first().and_then(Word::only_text) {
        word::check_first(text, diagnostics);
    }
}

/// The suggestion for a first segment that is not a module's name.
fn module_first(text: &str, start: usize) -> Suggestion {
    let help = format!("write the module first, as in `user:{text}`");
    Suggestion::from(help).with(start..start, "user:")
}

/// Reports an attribute without a template.
pub(crate) fn missing_template(range: Range<usize>) -> Diagnostic {
    let message = "missing template";
    let help = "start with a template, as in `user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h`";
    Diagnostic::new(range, Rule::Declaration, message, help)
}
