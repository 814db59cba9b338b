//! Diagnostics: the problem, its place, and the remedy.

use std::fmt;
use std::ops::{Deref, Range};

use crate::Rule;
use crate::edit::{Edit, Suggestion};
use crate::place::Place;

/// An attribute of the item, of a field or of a variant, by their indices.
#[derive(Clone, Copy)]
pub(crate) enum AttributeId {
    Item(usize),
    Field(usize, usize),
    Variant(usize, usize),
}

impl AttributeId {
    /// Bytes of the attribute's text.
    pub(crate) fn bytes(self, range: Range<usize>) -> Place {
        match self {
            Self::Item(_) => Place::Attribute(range),
            Self::Field(field, index) => Place::FieldAttribute(field, index, range),
            Self::Variant(variant, index) => Place::VariantAttribute(variant, index, range),
        }
    }

    /// The whole attribute.
    pub(crate) fn whole(self) -> Place {
        match self {
            Self::Item(index) => Place::WholeAttribute(index),
            Self::Field(field, index) => Place::WholeFieldAttribute(field, index),
            Self::Variant(variant, index) => Place::WholeVariantAttribute(variant, index),
        }
    }

    /// Moves the diagnostics from the index `first` on to this attribute: readers of a text count its bytes only.
    pub(crate) fn relocate(self, diagnostics: &mut Diagnostics, first: usize) {
        for Diagnostic { place, edits, .. } in diagnostics.0.iter_mut().skip(first) {
            for place in edits.iter_mut().map(|edit| &mut edit.place).chain([place]) {
                if let Place::Attribute(range) = place {
                    *place = self.bytes(std::mem::take(range));
                }
            }
        }
    }
}

/// The errors of an item.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

/// Proof that an error is reported: [`Diagnostics::push`] is its only source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedError(());

impl Diagnostics {
    /// Reports an error.
    pub fn push(&mut self, diagnostic: Diagnostic) -> ReportedError {
        self.0.push(diagnostic);
        ReportedError(())
    }

    /// Reports a problem, and the remedy.
    pub(crate) fn report(
        &mut self,
        place: impl Into<Place>,
        rule: Rule,
        message: impl Into<String>,
        suggestion: impl Into<Suggestion>,
    ) -> ReportedError {
        self.push(Diagnostic::new(place, rule, message, suggestion))
    }

    /// Returns the result of the checks, or the errors in the order of the text. There is at least one error, because
    /// everything that could not be read was reported.
    ///
    /// # Errors
    ///
    /// If anything is reported.
    pub fn finish<T>(mut self, read: Result<T, ReportedError>) -> Result<T, Vec<Diagnostic>> {
        match read {
            Ok(read) if self.0.is_empty() => Ok(read),
            _ => {
                self.sort();
                Err(self.0)
            }
        }
    }

    /// The first error for which a condition holds.
    pub(crate) fn find_mut(&mut self, is_meant: impl Fn(&Diagnostic) -> bool) -> Option<&mut Diagnostic> {
        self.0.iter_mut().find(|diagnostic| is_meant(diagnostic))
    }

    /// Finds the bytes of all edits. `text` returns the text of the attribute that a place is in, and `options` are the
    /// places of the options of the item's attribute.
    pub(crate) fn resolve_edits<'t>(&mut self, text: impl Fn(&Place) -> Option<&'t str>, options: &[Range<usize>]) {
        for edit in self.0.iter_mut().flat_map(|diagnostic| &mut diagnostic.edits) {
            if let Some(text) = text(&edit.place) {
                edit.resolve(text, options);
            }
        }
    }

    /// Sorts the errors by their places, and drops duplicates.
    pub(crate) fn sort(&mut self) {
        self.0.sort_by_key(|diagnostic| diagnostic.place.position());
        self.0.dedup();
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place to underline.
    pub place: Place,
    /// The rule that is broken.
    pub rule: Rule,
    /// The description of the problem.
    pub message: String,
    /// The text to write instead.
    pub suggestion: String,
    /// The edits that follow the suggestion. None if it does not say which text to write.
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    pub(crate) fn new(
        place: impl Into<Place>,
        rule: Rule,
        message: impl Into<String>,
        suggestion: impl Into<Suggestion>,
    ) -> Self {
        let place = place.into();
        let (suggestion, edits) = suggestion.into().edits(&place);
        Self { place, rule, message: message.into(), suggestion, edits }
    }

    /// `value` or `field` is not a type, which only a parser of Rust can find out.
    #[must_use]
    pub fn no_type(range: Range<usize>, text: &str) -> Self {
        let message = format!("expected a type, found `{text}`");
        Self::new(range, Rule::StoredForm, message, "write a type, as in `Json<Profile>` or `u64`")
    }

    /// `value` or `field` is nested deeper than `most` levels, which a parser of Rust cannot read.
    #[must_use]
    pub fn nested_type(range: Range<usize>, most: usize) -> Self {
        let message = format!("type nested more than {most} levels deep");
        Self::new(range, Rule::StoredForm, message, "give a type inside a name, as in `type Inner = …`")
    }

    /// `crate` is not a path, which only a parser of Rust can find out.
    #[must_use]
    pub fn no_path(range: Range<usize>, text: &str) -> Self {
        let message = format!("expected a path, found `{text}`");
        Self::new(range, Rule::Declaration, message, "write a path, as in `crate = my_crate::redis_keys`")
    }

    /// The same diagnostic with its place drawn into the message. This is for string literals, which an editor can only
    /// underline as a whole.
    ///
    /// `text` is the text that the byte range of the diagnostic counts in, and `literal` the part to draw.
    #[must_use]
    pub fn drawn(mut self, text: &str, literal: Range<usize>) -> Self {
        if let Some(drawing) = drawing(&self.place, text, literal) {
            self.message.push_str(&drawing);
        }
        self
    }
}

/// The lines that draw a place into a message. None for a text of several lines.
pub(crate) fn drawing(place: &Place, text: &str, literal: Range<usize>) -> Option<String> {
    let (Place::Attribute(range) | Place::FieldAttribute(.., range) | Place::VariantAttribute(.., range)) = place
    else {
        return None;
    };
    let line = text.get(literal.clone()).filter(|line| !line.contains('\n'))?;
    let width = |range: Range<usize>| text.get(range).map_or(0, |part| part.chars().count());
    let start = range.start.max(literal.start);
    let end = range.end.min(literal.end);
    let indent = " ".repeat(width(literal.start..start));
    let carets = "^".repeat(width(start..end).max(1));
    Some(format!("\n    {line}\n    {indent}{carets}"))
}

impl fmt::Display for Diagnostic {
    /// The message, then `help:` and `rule:` on separate lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, suggestion, rule, .. } = self;
        write!(f, "{message}\nhelp: {suggestion}\nrule: {rule}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_help_and_rule_on_lines_of_their_own() {
        let diagnostic = Diagnostic::new(0..4, Rule::LowerCase, "`Info` is not lower case", "write `info`");
        assert_eq!(diagnostic.to_string(), "`Info` is not lower case\nhelp: write `info`\nrule: lower-case");
    }

    #[test]
    fn draws_the_place_by_characters_not_by_bytes() {
        let text = "\"é:Info\"";
        let diagnostic = Diagnostic::new(4..8, Rule::LowerCase, "wrong", "").drawn(text, 0..text.len());
        assert_eq!(diagnostic.message, "wrong\n    \"é:Info\"\n       ^^^^");
    }

    #[test]
    fn draws_nothing_for_ranges_that_are_off() {
        let diagnostic = Diagnostic::new(40..80, Rule::LowerCase, "wrong", "");
        assert_eq!(diagnostic.clone().drawn("abc", 2..9).message, "wrong");
        assert_eq!(diagnostic.drawn("abc", 0..3).message, "wrong\n    abc\n    ^");
    }
}
