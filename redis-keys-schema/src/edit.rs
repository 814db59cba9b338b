//! Suggestions: the text of `help:`, and the edits that follow it.

use std::ops::Range;

use crate::piece::Piece;
use crate::place::Place;

/// A change of an item that a suggestion describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place of the text to replace. An empty range inserts; a field stands for its name; the item, or an
    /// attribute beyond the last one, for a new attribute.
    pub place: Place,
    /// The text to write there. Without a text, an attribute is removed with its `#[…]`.
    pub text: String,
    extent: Extent,
}

/// The text around a place that an edit affects, which is known when the whole attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// The place itself.
    Exact,
    /// An item between commas.
    Listed,
    /// The option that the place is in.
    Option,
    /// A word of the template, with the separator before it.
    Word,
    /// The end of the attribute, wherever the place is.
    End,
}

/// The remedy: the text of `help:` and its edits. An edit without a place is where the error is.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    pub(crate) text: String,
    edits: Vec<(Option<Place>, Extent, String)>,
}

impl From<&str> for Suggestion {
    /// Advice that names no text to write.
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), edits: Vec::new() }
    }
}

impl From<String> for Suggestion {
    fn from(text: String) -> Self {
        Self { text, edits: Vec::new() }
    }
}

impl Suggestion {
    fn new(text: impl Into<String>, extent: Extent, replacement: impl Into<String>) -> Self {
        Self { text: text.into(), edits: vec![(None, extent, replacement.into())] }
    }

    /// Writes a text in place of the reported text.
    pub(crate) fn write(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(format!("write `{text}`"), Extent::Exact, text)
    }

    /// Writes the likely meaning in place of the reported text.
    pub(crate) fn did_you_mean(text: &str) -> Self {
        Self::new(format!("did you mean `{text}`?"), Extent::Exact, text)
    }

    /// Writes an option in place of the reported option.
    pub(crate) fn write_option(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(format!("write `{text}`"), Extent::Option, text)
    }

    /// Adds an option.
    pub(crate) fn add(option: impl Into<String>) -> Self {
        let option = option.into();
        Self::new(format!("add `{option}`"), Extent::End, option)
    }

    /// Removes the reported option.
    pub(crate) fn remove_option() -> Self {
        Self::new("remove it", Extent::Option, "")
    }

    /// Removes the reported text.
    pub(crate) fn remove() -> Self {
        Self::new("remove it", Extent::Exact, "")
    }

    /// Removes an item between commas.
    pub(crate) fn remove_listed() -> Self {
        Self::new("remove it", Extent::Listed, "")
    }

    /// Removes a word of the template.
    pub(crate) fn remove_word() -> Self {
        Self::new("remove it", Extent::Word, "")
    }

    /// The same with more words.
    #[must_use]
    pub(crate) fn and(mut self, words: &str) -> Self {
        self.text.push_str(words);
        self
    }

    /// The same in other words.
    #[must_use]
    pub(crate) fn saying(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The same for another place than the reported place.
    #[must_use]
    pub(crate) fn at(mut self, place: impl Into<Place>) -> Self {
        if let Some((at, ..)) = self.edits.first_mut() {
            *at = Some(place.into());
        }
        self
    }

    /// The same with another replacement than in the text, because of the surrounding text.
    #[must_use]
    pub(crate) fn replacing(self, place: impl Into<Place>, text: impl Into<String>) -> Self {
        Self { edits: Vec::new(), ..self }.with(place, text)
    }

    /// The same with another edit.
    #[must_use]
    pub(crate) fn with(mut self, place: impl Into<Place>, text: impl Into<String>) -> Self {
        self.edits.push((Some(place.into()), Extent::Exact, text.into()));
        self
    }

    /// The same, followed by another suggestion.
    #[must_use]
    pub(crate) fn followed_by(mut self, other: Self) -> Self {
        self.text = format!("{}; {}", self.text, other.text);
        self.edits.extend(other.edits);
        self
    }

    /// The same, which also removes a word of the template.
    #[must_use]
    pub(crate) fn without_word(mut self, place: impl Into<Place>) -> Self {
        self.edits.push((Some(place.into()), Extent::Word, String::new()));
        self
    }

    /// The same, which also removes an item between commas.
    #[must_use]
    pub(crate) fn without_listed(mut self, place: impl Into<Place>) -> Self {
        self.edits.push((Some(place.into()), Extent::Listed, String::new()));
        self
    }

    /// The same, which also removes the option that a place is in, or writes another option there.
    #[must_use]
    pub(crate) fn with_option(mut self, place: impl Into<Place>, text: impl Into<String>) -> Self {
        self.edits.push((Some(place.into()), Extent::Option, text.into()));
        self
    }

    /// The edits, some of which have the reported place.
    pub(crate) fn edits(self, reported: &Place) -> (String, Vec<Edit>) {
        let edit = |(place, extent, text): (Option<Place>, _, _)| Edit {
            place: place.unwrap_or_else(|| reported.clone()),
            text,
            extent,
        };
        (self.text, self.edits.into_iter().map(edit).collect())
    }
}

impl Edit {
    pub(crate) fn new(place: impl Into<Place>, text: String) -> Self {
        Self { place: place.into(), text, extent: Extent::Exact }
    }

    /// The bytes that it replaces within a part of the item's attribute. `None` if it is an edit of something else.
    pub(crate) fn within(&self, part: &Range<usize>) -> Option<Range<usize>> {
        let Place::Attribute(range) = &self.place else { return None };
        // An option that is added follows the template, and is not in it.
        let is_within = self.extent != Extent::End && part.start <= range.start && range.end <= part.end;
        is_within.then(|| range.clone())
    }

    /// Finds the bytes that it affects in the text of its attribute. `options` are the places of the options of the
    /// item's attribute.
    pub(crate) fn resolve(&mut self, text: &str, options: &[Range<usize>]) {
        let Some(range) = self.place.bytes() else { return };
        let read;
        let options = match self.place {
            Place::Attribute(_) if !options.is_empty() => options,
            _ => {
                read = options_of(text);
                &read
            }
        };
        let resolved = match self.extent {
            Extent::Exact => return,
            Extent::Listed => with_comma(text, range),
            Extent::Option => {
                let around = options.iter().find(|option| option.start <= range.start && range.start <= option.end);
                let option = around.cloned().unwrap_or(range);
                if self.text.is_empty() { with_comma(text, option) } else { option }
            }
            Extent::Word => with_separator(text, range),
            Extent::End => {
                let end = text.trim_end().len();
                let is_first = text.trim().is_empty();
                let comma = if is_first || text.trim_end().ends_with(',') { "" } else { ", " };
                self.text.insert_str(0, comma);
                end..end
            }
        };
        // An attribute without options is an error, too.
        let is_empty = || self.text.is_empty() && resolved.len() >= text.trim().len();
        self.place = match self.place.whole() {
            Some(whole) if is_empty() => whole,
            _ => self.place.with_bytes(resolved),
        };
    }
}

/// The places of an attribute's options.
fn options_of(text: &str) -> Vec<Range<usize>> {
    Piece::new(text).split_at_commas(true).into_iter().map(|piece| piece.trim().range()).collect()
}

/// A part of a list with the comma before it, or after it if it is the first.
fn with_comma(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default().trim_end();
    if before.ends_with(',') {
        return before.len() - 1..range.end;
    }
    let after = text.get(range.end..).unwrap_or_default();
    let rest = after.trim_start().strip_prefix(',').map(str::trim_start);
    range.start..rest.map_or(range.end, |rest| text.len() - rest.len())
}

/// A word of a template with the separator before it.
fn with_separator(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default().trim_end();
    if before.ends_with([':', '.']) { before.len() - 1..range.end } else { range }
}

/// Applies edits of one text, except for edits that overlap an earlier edit.
pub(crate) fn apply<'e>(text: &str, edits: impl IntoIterator<Item = (Range<usize>, &'e str)>) -> String {
    let mut chosen: Vec<(Range<usize>, &str)> = Vec::new();
    for (range, replacement) in edits {
        let overlaps = |other: &Range<usize>| {
            let same_place = range.is_empty() && other.is_empty();
            !same_place && range.start < other.end.max(other.start + 1) && other.start < range.end.max(range.start + 1)
        };
        if !chosen.iter().any(|(other, _)| overlaps(other)) {
            chosen.push((range, replacement));
        }
    }
    chosen.sort_by_key(|(range, _)| range.start);
    let mut edited = text.to_owned();
    for (range, replacement) in chosen.into_iter().rev() {
        if edited.get(range.clone()).is_some() {
            edited.replace_range(range, replacement);
        }
    }
    edited
}
