//! The shape of what a type writes, where nothing else is known.

use redis_keys_core::value_shape::{Content, Enum, Field, Read, Shape, Struct, Variant};

use super::super::super::place::{PlaceId, Step};
use super::super::super::writing::WrittenKind;
use super::{Joined, leaf_shape};

impl Joined<'_> {
    /// Returns what is written at a place.
    pub(super) fn written(&self, at: PlaceId) -> Shape {
        let writing = self.writing(at);
        if !writing.is_option {
            return writing.only_kind().map_or(Shape::Unknown, |kind| self.written_as(at, kind));
        }
        let is_other = !writing.kinds.is_empty();
        if is_other { Shape::Unknown } else { Shape::Option(Box::new(self.written_inside(at, &Step::Some))) }
    }

    fn written_inside(&self, at: PlaceId, step: &Step) -> Shape {
        self.places.find(at, step).map_or(Shape::Unknown, |inner| self.written(inner))
    }

    fn written_as(&self, at: PlaceId, kind: WrittenKind) -> Shape {
        match kind {
            WrittenKind::Leaf(leaf) => leaf_shape(leaf),
            WrittenKind::List => Shape::List(Box::new(self.written_inside(at, &Step::Item))),
            WrittenKind::Tuple(len) => Shape::Tuple(self.written_tuple(at, len)),
            WrittenKind::Map => {
                let key = self.written_inside(at, &Step::Key);
                Shape::Map(Box::new((key, self.written_inside(at, &Step::Value))))
            }
            WrittenKind::Struct => Shape::Struct(self.written_fields(at)),
            WrittenKind::Enum => self.written_variants(at),
            WrittenKind::Newtype => self.written_inside(at, &Step::Inner),
        }
    }

    fn written_tuple(&self, at: PlaceId, len: usize) -> Vec<Shape> {
        (0..len).map(|index| self.written_inside(at, &Step::Index(index))).collect()
    }

    fn written_fields(&self, at: PlaceId) -> Struct {
        let fields = self.writing(at).fields.iter().map(|(name, _)| {
            let shape = self.written_inside(at, &Step::Field(name.clone()));
            Field { read: Read::Unknown, written: self.is_written(at, name), ..Field::new(name, shape) }
        });
        Struct { fields: fields.collect(), rejects_others: false, is_partly_known: true }
    }

    fn written_variants(&self, at: PlaceId) -> Shape {
        let variants = self.writing(at).variants.iter().map(|name| {
            let content = self.places.variant(at, name).map_or(Content::Unit, |content| self.written_content(content));
            Variant { name: (*name).to_owned(), content, is_written: true }
        });
        Shape::Enum(Enum { variants: variants.collect(), ..Enum::default() })
    }

    fn written_content(&self, at: PlaceId) -> Content {
        match self.writing(at).only_kind() {
            Some(WrittenKind::Leaf(_)) => Content::Unit,
            Some(WrittenKind::Tuple(len)) => Content::Tuple(self.written_tuple(at, len)),
            Some(WrittenKind::Struct) => Content::Struct(self.written_fields(at)),
            _ => Content::Newtype(self.written_inside(at, &Step::Inner)),
        }
    }
}
