//! The shape of values that serde buffers, which is known only as far as errors and written values show it.

use redis_keys_core::value_shape::{Content, Enum, Field, Shape, Struct, Variant};

use super::super::super::candidates::TEXTS;
use super::super::super::place::{PlaceId, Step};
use super::super::super::reading::Guess;
use super::{Joined, read};

impl Joined<'_> {
    /// Returns the shape of a value that serde buffers, or whose type accepts several kinds of values.
    pub(super) fn buffered(&mut self, at: PlaceId) -> Shape {
        let reading = self.reading(at);
        let has_own_rules = reading.buffered.has_own_rules;
        if let Some(outer) = reading.buffered.recursive {
            return self.recursive(outer);
        }
        if let Some((tag, names)) = reading.buffered.tag.clone() {
            return self.tagged(at, tag, names);
        }
        if let Some(names) = reading.alternatives() {
            return self.one_of(at, names);
        }
        let accepts = reading.buffered.accepts.clone();
        if reading.buffered.guess == Guess::Map
            && !has_own_rules
            && accepts.iter().all(|guess| [Guess::Map, Guess::EMPTY_LIST].contains(guess))
        {
            self.note(at, "serde buffers this value, so it may have more fields");
            return Shape::Struct(self.buffered_fields(at));
        }
        if !reading.named_texts.is_empty() {
            return self.named_variants(at);
        }
        let written = self.written_parts(at);
        if !has_own_rules && is_explained(&written, &accepts) {
            return self.with_rules(at, written);
        }
        self.note(at, "the type accepts several kinds of values, and its own rules decide");
        if Guess::ALL.iter().all(|guess| accepts.contains(guess)) {
            return Shape::Any(Box::new(Shape::Unknown));
        }
        let is_unknown = written == Shape::Unknown;
        let shape = Shape::Any(Box::new(written));
        // It writes several kinds of values, and reads not all of them.
        if is_unknown { Shape::Checked(Box::new(shape), Vec::new()) } else { shape }
    }

    /// Returns what is written, with what is known of reading its elements.
    fn written_parts(&mut self, at: PlaceId) -> Shape {
        match self.written(at) {
            Shape::List(_) => Shape::List(Box::new(self.inside(at, &Step::Item))),
            Shape::Tuple(items) => Shape::Tuple(self.tuple(at, items.len())),
            written => written,
        }
    }

    /// A text that is given as one of the candidates is one that the type's own rules accept.
    fn with_rules(&self, at: PlaceId, shape: Shape) -> Shape {
        let reading = self.reading(at);
        let candidate = reading.candidate.checked_sub(1).filter(|_| reading.buffered.guess == Guess::Text);
        match (shape, candidate.and_then(|index| TEXTS.get(index))) {
            (Shape::Text, Some(example)) => Shape::TextLike((*example).to_owned()),
            (shape, _) => shape,
        }
    }

    /// An enum that serde buffers, whose variants an error has named.
    fn named_variants(&mut self, at: PlaceId) -> Shape {
        self.note(at, "serde buffers this enum, so the contents of its variants are not known");
        let written = match self.written(at) {
            Shape::Enum(written) => written.variants,
            _ => Vec::new(),
        };
        let variants = self.reading(at).named_texts.iter().map(|name| {
            let known = written.iter().find(|variant| variant.name == *name).cloned();
            known.unwrap_or_else(|| Variant {
                name: (*name).to_owned(),
                content: Content::Newtype(Shape::Unknown),
                is_written: true,
            })
        });
        Shape::Enum(Enum { variants: variants.collect(), ..Enum::default() })
    }

    /// The fields that are needed or written. A struct that serde buffers does not show others.
    pub(super) fn buffered_fields(&mut self, at: PlaceId) -> Struct {
        let mut names: Vec<String> = self.writing(at).fields.iter().map(|(name, _)| name.clone()).collect();
        let reading = &self.reading(at).fields;
        // A name that is neither needed nor written was given to the wrong struct.
        let is_needed =
            |name: &&String| reading.can_be_missing.get(*name) == Some(&false) || reading.declared.contains(name);
        let needed: Vec<_> = reading.names.iter().filter(is_needed).filter(|name| !names.contains(name)).collect();
        names.extend(needed.into_iter().cloned());
        let declared = &reading.declared;
        let is_partly_known = declared.is_empty() || !declared.iter().all(|name| names.contains(name));
        let fields = names.iter().map(|name| self.buffered_field(at, name)).collect();
        Struct { fields, rejects_others: self.reading(at).fields.rejects_others, is_partly_known }
    }

    fn buffered_field(&mut self, at: PlaceId, name: &str) -> Field {
        let place = self.places.field(at, name);
        let shape = match place {
            Some(place) if self.reading(place).kind.is_some() => self.shape(place),
            Some(place) => self.written(place),
            None => Shape::Unknown,
        };
        let read = read(self.reading(at).fields.can_be_missing.get(name));
        Field { read, written: self.is_written(at, name), ..Field::new(name, shape) }
    }
}

/// Returns whether a type of this shape, without rules of its own, accepts these kinds of values.
fn is_explained(written: &Shape, accepts: &[Guess]) -> bool {
    let is_in = |kinds: &[Guess]| accepts.iter().all(|guess| kinds.contains(guess));
    match written {
        Shape::Unit => is_in(&[Guess::Unit]),
        Shape::Bool => is_in(&[Guess::Bool]),
        Shape::Number(number) if number.is_float() => is_in(&[Guess::Number, Guess::Float]),
        Shape::Number(_) => is_in(&[Guess::Number]),
        Shape::Char | Shape::Text | Shape::Enum(_) => is_in(&[Guess::Text]),
        Shape::Bytes => is_in(&[Guess::Text, Guess::EMPTY_LIST]),
        Shape::List(_) | Shape::Tuple(_) => is_in(&[Guess::EMPTY_LIST]),
        Shape::Map(_) => is_in(&[Guess::Map]),
        Shape::Struct(_) => is_in(&[Guess::Map, Guess::EMPTY_LIST]),
        Shape::Option(inner) => {
            let others: Vec<_> = accepts.iter().copied().filter(|guess| *guess != Guess::Unit).collect();
            is_explained(inner, &others)
        }
        _ => false,
    }
}
