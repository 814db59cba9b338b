//! The shape of a type: what it reads and what it writes, joined place by place.

mod buffered;
mod written;

use redis_keys_core::value_shape::{Content, Enum, Field, Read, Shape, Struct, Variant, Written};

use super::candidates::TEXTS;
use super::place::{PlaceId, Places, Step};
use super::reading::{Kind, Leaf, Reading};
use super::tracer::State;
use super::writing::{Writing, WrittenKind};

/// Returns the shape of the whole value, and the places that are not known, or only in part.
pub(super) fn shape(state: &State) -> (Shape, Vec<String>) {
    let mut joined = Joined { places: &state.places, open: Vec::new(), notes: Vec::new() };
    let shape = joined.shape(PlaceId::ROOT);
    let mut notes = joined.notes;
    if state.is_exhausted() {
        notes.push("`.`: the type is too large to be known in full".to_owned());
    }
    notes.dedup();
    (shape, notes)
}

struct Joined<'p> {
    places: &'p Places,
    /// The places around the current one that can contain themselves, with their levels in the shape.
    open: Vec<Open>,
    notes: Vec<String>,
}

/// A type that can contain itself.
struct Open {
    at: PlaceId,
    /// Whether the shape has a level for it.
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
        self.places.find(at, step).map_or(Shape::Unknown, |inner| self.shape(inner))
    }

    /// Returns the shape of a place.
    fn shape(&mut self, at: PlaceId) -> Shape {
        let Some(kind) = self.reading(at).kind.clone() else { return self.unread(at) };
        if self.reading(at).is_opaque && matches!(kind, Kind::Leaf(_) | Kind::Buffered) {
            return self.opaque(at, &kind);
        }
        if self.writes_otherwise(at, &kind) {
            return Shape::Any(Box::new(self.written(at)));
        }
        match kind {
            Kind::Leaf(leaf) => self.leaf(at, leaf),
            Kind::Option => Shape::Option(Box::new(self.inside(at, &Step::Some))),
            Kind::List => Shape::List(Box::new(self.inside(at, &Step::Item))),
            Kind::Tuple(len) => self.within(at, true, |joined| Shape::Tuple(joined.tuple(at, len))),
            Kind::Map => {
                let key = self.inside(at, &Step::Key);
                Shape::Map(Box::new((key, self.inside(at, &Step::Value))))
            }
            Kind::Unit => Shape::Unit,
            Kind::Newtype => self.within(at, false, |joined| joined.inside(at, &Step::Inner)),
            Kind::Struct([tag, content]) if self.reading(at).fields.is_adjacent => {
                self.within(at, true, |joined| joined.adjacent(at, tag, content))
            }
            Kind::Struct(names) => self.within(at, true, |joined| Shape::Struct(joined.fields(at, names))),
            Kind::Flattened => self.within(at, true, |joined| {
                joined.note(at, "serde buffers the fields of a struct with `flatten`, so it may have more");
                Shape::Struct(joined.buffered_fields(at))
            }),
            Kind::Enum(names) => self.within(at, true, |joined| Shape::Enum(joined.variants(at, names))),
            Kind::Buffered => self.within(at, true, |joined| joined.buffered(at)),
            Kind::Recursive(outer) => self.recursive(outer),
        }
    }

    /// A place of which the type has read nothing.
    fn unread(&mut self, at: PlaceId) -> Shape {
        if !self.writing(at).is_known() {
            return Shape::Unknown;
        }
        self.note(at, "no value was read here, so only what is written is known");
        Shape::Any(Box::new(self.written(at)))
    }

    /// A place of which no value is known that the type accepts.
    fn opaque(&mut self, at: PlaceId, kind: &Kind) -> Shape {
        self.note(at, "the type's own rules reject all values that were tried");
        let shape = match kind {
            Kind::Leaf(leaf) => leaf_shape(*leaf),
            _ => Shape::Unknown,
        };
        Shape::Any(Box::new(shape))
    }

    /// Returns whether the type writes something else than it asks for.
    fn writes_otherwise(&mut self, at: PlaceId, kind: &Kind) -> bool {
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

    /// Returns the shape of a type that can contain itself.
    fn within<R>(&mut self, at: PlaceId, has_level: bool, shape: impl FnOnce(&mut Self) -> R) -> R {
        self.open.push(Open { at, has_level });
        let shape = shape(self);
        self.open.pop();
        shape
    }

    fn recursive(&self, outer: PlaceId) -> Shape {
        let Some(index) = self.open.iter().rposition(|open| open.at == outer) else { return Shape::Unknown };
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

    /// The variants of an enum whose contents are at its own place.
    fn variants(&mut self, at: PlaceId, names: &'static [&'static str]) -> Enum {
        let variants = names.iter().map(|name| self.variant(at, at, name)).collect();
        Enum { variants, reads_others: self.reading(at).variants.reads_others, ..Enum::default() }
    }

    /// A variant of the enum whose tag is at `tag`, with its content inside `outer`.
    fn variant(&mut self, tag: PlaceId, outer: PlaceId, name: &str) -> Variant {
        let content = self.places.variant(outer, name);
        let has_failed = self.reading(tag).variants.failed.contains(name);
        if has_failed {
            self.note(content.unwrap_or(outer), "no value of this variant could be made");
        }
        let written = &self.writing(tag).variants;
        let is_written = written.is_empty() || has_failed || written.contains(&name);
        let content = match content {
            Some(content) if self.reading(content).kind.is_some() => self.content(content),
            _ => Content::Newtype(Shape::Unknown),
        };
        Variant { name: name.to_owned(), content, is_written }
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
    fn adjacent(&mut self, at: PlaceId, tag: &'static str, content: &'static str) -> Shape {
        let Some(tag_place) = self.places.field(at, tag) else { return Shape::Unknown };
        let names = self.reading(tag_place).variant_names().unwrap_or_default();
        let variants = names.iter().map(|name| {
            let is_unit = self.places.variant(at, name).is_none_or(|content| !self.writing(content).is_known());
            let is_made = self.reading(tag_place).variants.done.contains(name);
            let place = self.places.variant(at, name);
            let mut variant = self.variant(tag_place, at, name);
            variant.content = match place {
                _ if is_unit && is_made => Content::Unit,
                Some(place) => content_of(self.shape(place)),
                None => Content::Newtype(Shape::Unknown),
            };
            variant
        });
        let variants = variants.collect();
        let reads_others = self.reading(tag_place).variants.reads_others;
        Shape::Enum(Enum { variants, reads_others, tag: Some(tag.to_owned()), content: Some(content.to_owned()) })
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
fn is_kind(kind: &Kind, written: WrittenKind) -> bool {
    match (kind, written) {
        (Kind::Leaf(Leaf::Identifier), WrittenKind::Leaf(Leaf::Text) | WrittenKind::Enum)
        | (Kind::Unit, WrittenKind::Leaf(Leaf::Unit))
        | (Kind::List, WrittenKind::List)
        | (Kind::Map, WrittenKind::Map)
        | (Kind::Newtype, WrittenKind::Newtype)
        | (Kind::Struct(_) | Kind::Flattened, WrittenKind::Struct)
        | (Kind::Enum(_), WrittenKind::Enum) => true,
        (Kind::Leaf(leaf), WrittenKind::Leaf(written)) => *leaf == written,
        (Kind::Tuple(len), WrittenKind::Tuple(written)) => *len == written,
        _ => false,
    }
}
