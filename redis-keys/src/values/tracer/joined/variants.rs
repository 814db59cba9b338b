//! The variants of enums.

use redis_keys_core::value_shape::{Content, Enum, Shape, Variant};

use super::super::super::place::{PlaceId, Step};
use super::super::super::reading::Kind;
use super::super::super::writing::WrittenKind;
use super::Joined;

impl Joined<'_> {
    /// An enum whose variants name their contents.
    pub(super) fn variants(&mut self, at: PlaceId, names: &'static [&'static str]) -> Enum {
        let variants = names.iter().map(|name| {
            let content = match self.places.variant(at, name) {
                Some(content) => self.content(content),
                None => Content::Newtype(self.unknown(at)),
            };
            self.variant(at, at, name, content)
        });
        let variants = variants.collect();
        Enum { variants, reads_others: self.reading(at).variants.reads_others, ..Enum::default() }
    }

    fn content(&mut self, at: PlaceId) -> Content {
        match self.reading(at).kind {
            Some(Kind::Unit) => Content::Unit,
            Some(Kind::Tuple(len)) => Content::Tuple(self.tuple(at, len)),
            Some(Kind::Struct(names)) => Content::Struct(self.fields(at, names)),
            _ => Content::Newtype(self.inside(at, &Step::Inner)),
        }
    }

    /// An enum whose tag and content are two fields.
    pub(super) fn adjacent(&mut self, at: PlaceId, tag: &'static str, content: &'static str) -> Shape {
        let Some(tag_place) = self.places.field(at, tag) else { return self.unknown(at) };
        let names = self.reading(tag_place).variant_names().unwrap_or_default();
        let variants = names.iter().map(|name| {
            let is_made = self.reading(tag_place).variants.done.contains(name);
            let content = match self.places.variant(at, name) {
                // A variant without content has none beside its tag.
                Some(content) if is_made && !self.writing(content).is_known() => Content::Unit,
                Some(content) => content_of(self.shape(content)),
                None if is_made => Content::Unit,
                None => Content::Newtype(self.unknown(at)),
            };
            self.variant(tag_place, at, name, content)
        });
        let variants = variants.collect();
        let reads_others = self.reading(tag_place).variants.reads_others;
        Shape::Enum(Enum { variants, reads_others, tag: Some(tag.to_owned()), content: Some(content.to_owned()) })
    }

    /// An enum with a tag among the fields of its variants.
    pub(super) fn tagged(&mut self, at: PlaceId, tag: String, names: &'static [&'static str]) -> Shape {
        self.note(at, "serde buffers an enum with `tag`, so its variants may have more fields");
        let variants = names.iter().map(|name| {
            let has_failed = self.reading(at).variants.failed.contains(name);
            let content = match self.places.variant(at, name).filter(|_| !has_failed) {
                Some(content) => match self.reading(content).alternatives() {
                    Some(names) => Content::Newtype(self.one_of(content, names)),
                    None => Content::Struct(self.buffered_fields(content)),
                },
                None => Content::Newtype(Shape::Unknown),
            };
            self.variant(at, at, name, content)
        });
        Shape::Enum(Enum { variants: variants.collect(), tag: Some(tag), ..Enum::default() })
    }

    /// An enum without a tag.
    pub(super) fn one_of(&mut self, at: PlaceId, names: &'static [&'static str]) -> Shape {
        let shapes = names.iter().map(|name| {
            let is_made = self.reading(at).variants.done.contains(name);
            let content = self.places.variant(at, name).filter(|_| is_made);
            if let Some(content) = content.filter(|content| self.writes_what_it_reads(*content)) {
                return self.shape(content);
            }
            self.note(at, &format!("no value of its alternative {name} could be made"));
            Shape::Unknown
        });
        Shape::OneOf(shapes.collect())
    }

    /// Returns whether a struct writes all fields that it reads, and no others. Otherwise another alternative may have read
    /// some of its values.
    fn writes_what_it_reads(&self, content: PlaceId) -> bool {
        let (writing, fields) = (self.writing(content), &self.reading(content).fields);
        if writing.only_kind() != Some(WrittenKind::Struct) {
            return true;
        }
        let is_needed = |name: &str| fields.can_be_missing.get(name) == Some(&false);
        let is_always_written = |(name, times): &(String, usize)| *times == writing.times || !is_needed(name);
        fields.names.iter().all(|name| writing.has_field(name)) && writing.fields.iter().all(is_always_written)
    }

    /// A variant of the enum whose tag is at `tag`, and whose contents are inside `outer`.
    fn variant(&mut self, tag: PlaceId, outer: PlaceId, name: &str, content: Content) -> Variant {
        let has_failed = self.reading(tag).variants.failed.contains(name);
        if has_failed {
            let place = self.places.variant(outer, name).unwrap_or(outer);
            self.note(place, "no value of this variant could be made");
        }
        let written = &self.writing(tag).variants;
        let is_written = written.is_empty() || has_failed || self.is_writing_refused || written.contains(&name);
        Variant { name: name.to_owned(), content, is_written }
    }
}

/// Returns the content of a variant that has a tag: a struct's fields are those of the variant.
fn content_of(shape: Shape) -> Content {
    match shape {
        Shape::Struct(fields) => Content::Struct(fields),
        Shape::Tuple(items) => Content::Tuple(items),
        Shape::Unit => Content::Unit,
        shape => Content::Newtype(shape),
    }
}
