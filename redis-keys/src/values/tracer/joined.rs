//! The shape of a type: what it reads and what it writes, joined place by place.

mod buffered;
mod variants;
mod written;

use redis_keys_core::value_shape::{Field, Read, Shape, Struct, Written};

use super::super::candidates::TEXTS;
use super::super::place::{PlaceId, Places, Step};
use super::super::reading::{Kind, Leaf, Reading};
use super::super::writing::{Writing, WrittenKind};
use super::state::State;

/// Returns the shape of the whole value, and the places that are not known, or only in part.
pub(super) fn shape(state: &State) -> (Shape, Vec<String>) {
    let mut joined = Joined {
        places: &state.places,
        open: Vec::new(),
        notes: Vec::new(),
        is_writing_refused: state.is_writing_refused,
    };
    let shape = joined.shape(PlaceId::ROOT);
    let mut notes = joined.notes;
    if state.is_writing_refused {
        notes.push("`.`: not all values could be written, so it is not known in full what is".to_owned());
    }
    if state.is_exhausted() {
        notes.push("`.`: the type is too large to be known in full".to_owned());
    }
    notes.dedup();
    (shape, notes)
}

struct Joined<'p> {
    places: &'p Places,
    /// The places around the current one: a recursive type is one of them.
    open: Vec<Open>,
    notes: Vec<String>,
    /// Whether a value could not be written: then what was not written can be written in another value.
    is_writing_refused: bool,
}

/// A place whose shape is being made.
struct Open {
    at: PlaceId,
    /// Whether it counts as a level of a recursive type: not if the type is the same around an option or a list.
    has_level: bool,
}

impl Joined<'_> {
    fn reading(&self, at: PlaceId) -> &Reading {
        &self.places[at].reading
    }

    fn writing(&self, at: PlaceId) -> &Writing {
        &self.places[at].writing
    }

    fn note(&mut self, at: PlaceId, why: &str) {
        self.notes.push(format!("`{}`: {why}", self.places.path(at)));
    }

    fn inside(&mut self, at: PlaceId, step: &Step) -> Shape {
        match self.places.find(at, step) {
            Some(inner) => self.shape(inner),
            None => self.unknown(at),
        }
    }

    /// A part of a value of which no value was made.
    fn unknown(&mut self, at: PlaceId) -> Shape {
        self.note(at, "no value was made of a part of it");
        Shape::Unknown
    }

    /// Returns the shape of a place.
    fn shape(&mut self, at: PlaceId) -> Shape {
        let Some(kind) = self.reading(at).kind else { return self.unread(at) };
        if self.reading(at).is_opaque && matches!(kind, Kind::Leaf(_) | Kind::Buffered) {
            return self.opaque(at, kind);
        }
        if self.writes_otherwise(at, kind) {
            return Shape::Any(Box::new(self.written(at)));
        }
        let has_level = match kind {
            Kind::Tuple(_) | Kind::Struct(_) | Kind::Flattened | Kind::Enum(_) => true,
            Kind::Buffered => self.reading(at).buffered.recursive.is_none(),
            _ => false,
        };
        self.open.push(Open { at, has_level });
        let shape = self.shape_of_kind(at, kind);
        self.open.pop();
        shape
    }

    fn shape_of_kind(&mut self, at: PlaceId, kind: Kind) -> Shape {
        match kind {
            Kind::Leaf(leaf) => self.leaf(at, leaf),
            Kind::Unit => Shape::Unit,
            Kind::Option => Shape::Option(Box::new(self.inside(at, &Step::Some))),
            Kind::List => Shape::List(Box::new(self.inside(at, &Step::Item))),
            Kind::Tuple(len) => Shape::Tuple(self.tuple(at, len)),
            Kind::Map => {
                let key = self.inside(at, &Step::Key);
                Shape::Map(Box::new((key, self.inside(at, &Step::Value))))
            }
            Kind::Newtype => self.inside(at, &Step::Inner),
            Kind::Struct([tag, content]) if self.reading(at).fields.is_adjacent => self.adjacent(at, tag, content),
            Kind::Struct(names) => Shape::Struct(self.fields(at, names)),
            Kind::Flattened => {
                self.note(at, "serde buffers the fields of a struct with `flatten`, so it may have more");
                Shape::Struct(self.buffered_fields(at))
            }
            Kind::Enum(names) => Shape::Enum(self.variants(at, names)),
            Kind::Buffered => self.buffered(at),
            Kind::Recursive(outer) => self.recursive(outer),
        }
    }

    /// A place of which the type has read nothing.
    fn unread(&mut self, at: PlaceId) -> Shape {
        if !self.writing(at).is_known() {
            return self.unknown(at);
        }
        self.note(at, "no value was read here, so only what is written is known");
        Shape::Any(Box::new(self.written(at)))
    }

    /// A place of which no value is known that the type accepts.
    fn opaque(&mut self, at: PlaceId, kind: Kind) -> Shape {
        self.note(at, "the type's own rules reject all values that were tried");
        match kind {
            Kind::Leaf(leaf) => Shape::Checked(Box::new(leaf_shape(leaf)), Vec::new()),
            _ => Shape::Unknown,
        }
    }

    /// Returns whether the type writes something else than it asks for.
    fn writes_otherwise(&mut self, at: PlaceId, kind: Kind) -> bool {
        let writing = self.writing(at);
        if !writing.is_known() || matches!(kind, Kind::Buffered | Kind::Recursive(_)) {
            return false;
        }
        let is_same = match kind {
            Kind::Option => writing.is_option && writing.kinds.is_empty(),
            _ if writing.is_option => false,
            _ => writing.only_kind().is_some_and(|written| is_kind(kind, written)),
        };
        if !is_same {
            self.note(at, "the type does not write what it asks for when it is read");
        }
        !is_same
    }

    fn leaf(&self, at: PlaceId, leaf: Leaf) -> Shape {
        let reading = self.reading(at);
        let shape = match (leaf, TEXTS.get(reading.candidate)) {
            (Leaf::Text, Some(example)) if reading.candidate > 0 => Shape::TextLike((*example).to_owned()),
            _ => leaf_shape(leaf),
        };
        if reading.rejects.is_empty() {
            return shape;
        }
        Shape::Checked(Box::new(shape), reading.rejects.iter().map(|name| (*name).to_owned()).collect())
    }

    fn tuple(&mut self, at: PlaceId, len: usize) -> Vec<Shape> {
        (0..len).map(|index| self.inside(at, &Step::Index(index))).collect()
    }

    fn recursive(&mut self, outer: PlaceId) -> Shape {
        let Some(index) = self.open.iter().rposition(|open| open.at == outer) else { return self.unknown(outer) };
        let inside = self.open.get(index + 1..).unwrap_or_default();
        Shape::Recursive(1 + inside.iter().filter(|open| open.has_level).count())
    }

    /// The fields of a struct whose names are declared.
    fn fields(&mut self, at: PlaceId, names: &[&'static str]) -> Struct {
        let mut fields = Vec::new();
        for name in names {
            if !self.reading(at).fields.aliases.contains_key(*name) {
                fields.push(self.field(at, name));
            }
        }
        let others: Vec<_> = self.writing(at).fields.iter().map(|(name, _)| name.clone()).collect();
        for name in others {
            if fields.iter().all(|field: &Field| field.name != name) {
                fields.push(self.field_not_read(at, &name));
            }
        }
        Struct { fields, rejects_others: self.reading(at).fields.rejects_others, is_partly_known: false }
    }

    fn field(&mut self, at: PlaceId, name: &'static str) -> Field {
        let known = &self.reading(at).fields.aliases;
        let mut aliases: Vec<_> = known.iter().filter(|(_, of)| **of == name).map(|(alias, _)| alias.clone()).collect();
        let mut stored = name.to_owned();
        // serde lists a name and its aliases in alphabetical order. The one that is written is the name.
        let writing = self.writing(at);
        let written_alias = aliases.iter_mut().find(|alias| writing.has_field(alias));
        if let (Some(alias), false) = (written_alias, writing.has_field(name)) {
            std::mem::swap(alias, &mut stored);
        }
        aliases.sort();
        let written = self.is_written(at, &stored);
        let read = read(self.reading(at).fields.can_be_missing.get(name));
        let shape = self.inside(at, &Step::Field(name.to_owned()));
        Field { name: stored, shape, read, written, aliases }
    }

    /// A field that is written, but not read.
    fn field_not_read(&mut self, at: PlaceId, name: &str) -> Field {
        let shape = self.places.field(at, name).map_or(Shape::Unknown, |field| self.written(field));
        Field { read: Read::Never, written: self.is_written(at, name), ..Field::new(name, shape) }
    }

    fn is_written(&self, at: PlaceId, name: &str) -> Written {
        let writing = self.writing(at);
        match writing.fields.iter().find(|(field, _)| field == name) {
            // No value was made.
            None if writing.times == 0 => Written::Always,
            None => Written::Never,
            Some((_, times)) if *times < writing.times => Written::Sometimes,
            Some(_) => Written::Always,
        }
    }
}

fn read(can_be_missing: Option<&bool>) -> Read {
    match can_be_missing {
        Some(true) => Read::Optional,
        Some(false) => Read::Needed,
        None => Read::Unknown,
    }
}

fn leaf_shape(leaf: Leaf) -> Shape {
    match leaf {
        Leaf::Unit => Shape::Unit,
        Leaf::Bool => Shape::Bool,
        Leaf::Char => Shape::Char,
        Leaf::Text | Leaf::Identifier => Shape::Text,
        Leaf::Bytes => Shape::Bytes,
        Leaf::Number(number) => Shape::Number(number),
    }
}

/// Returns whether a type that asks for `kind` reads what it writes.
fn is_kind(kind: Kind, written: WrittenKind) -> bool {
    match (kind, written) {
        (Kind::Leaf(Leaf::Identifier), WrittenKind::Leaf(Leaf::Text) | WrittenKind::Enum)
        | (Kind::Unit, WrittenKind::Leaf(Leaf::Unit))
        | (Kind::List, WrittenKind::List)
        | (Kind::Map, WrittenKind::Map)
        | (Kind::Newtype, WrittenKind::Newtype)
        | (Kind::Struct(_) | Kind::Flattened, WrittenKind::Struct)
        | (Kind::Enum(_), WrittenKind::Enum) => true,
        (Kind::Leaf(leaf), WrittenKind::Leaf(written)) => leaf == written,
        (Kind::Tuple(len), WrittenKind::Tuple(written)) => len == written,
        _ => false,
    }
}
