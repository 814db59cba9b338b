//! The serializer that notes what a type writes, at the places at which it is read.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::super::error::Error;
use super::super::name::name_of;
use super::super::place::{PlaceId, Places, Step};
use super::super::reading::{Kind, Leaf};
use super::super::writing::{Writing, WrittenKind};
use super::Tracer;
use redis_keys_core::value_shape::Number;

/// A value that is written: one place of the whole.
#[derive(Clone, Copy)]
pub(super) struct Writer<'t> {
    tracer: &'t Tracer,
    at: PlaceId,
}

impl<'t> Writer<'t> {
    /// The whole value.
    pub(super) fn new(tracer: &'t Tracer) -> Self {
        Self { tracer, at: tracer.state.borrow().alternative_at(PlaceId::ROOT) }
    }

    fn places<R>(&self, act: impl FnOnce(&mut Places) -> R) -> R {
        act(&mut self.tracer.state.borrow_mut().places)
    }

    fn note(&self, note: impl FnOnce(&mut Writing)) {
        let state = &mut *self.tracer.state.borrow_mut();
        if state.notes_writing {
            note(&mut state.places[self.at].writing);
        }
    }

    fn enter(&self, step: Step) -> Result<Self, Error> {
        let at = self.places(|places| {
            let at = places.enter(self.at, step)?;
            // A type inside itself is written where it is around.
            let Some(Kind::Recursive(outer)) = places[at].reading.kind else { return Some(at) };
            Some(outer)
        });
        let at = self.tracer.state.borrow().alternative_at(at.ok_or(Error::Stopped)?);
        Ok(Self { at, ..*self })
    }

    fn leaf(self, leaf: Leaf) {
        self.note(|writing| writing.note(WrittenKind::Leaf(leaf)));
    }

    /// Notes a variant, and returns the place of its content.
    fn variant(self, name: &'static str) -> Result<Self, Error> {
        self.note(|writing| {
            writing.note(WrittenKind::Enum);
            writing.note_variant(name);
        });
        self.enter(Step::Variant(name.to_owned()))
    }

    fn elements(self, next: Next) -> Parts<'t> {
        Parts { of: self, next, variant: None }
    }

    fn tuple(self, len: usize) -> Parts<'t> {
        self.note(|writing| writing.note(WrittenKind::Tuple(len)));
        self.elements(Next::Index(0))
    }

    fn fields(self) -> Parts<'t> {
        self.note(Writing::note_struct);
        self.elements(Next::Field(String::new()))
    }
}

/// The methods for values without parts.
macro_rules! leaves {
    ($($method:ident($type:ty) $leaf:expr;)*) => {$(
        fn $method(self, _value: $type) -> Result<(), Error> {
            self.leaf($leaf);
            Ok(())
        }
    )*};
}

/// The methods for numbers.
macro_rules! numbers {
    ($($method:ident $type:ident $number:ident;)*) => {$(
        fn $method(self, _value: $type) -> Result<(), Error> {
            self.leaf(Leaf::Number(Number::$number));
            Ok(())
        }
    )*};
}

impl<'t> Serializer for Writer<'t> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'t>;
    type SerializeTuple = Parts<'t>;
    type SerializeTupleStruct = Parts<'t>;
    type SerializeTupleVariant = Parts<'t>;
    type SerializeMap = Parts<'t>;
    type SerializeStruct = Parts<'t>;
    type SerializeStructVariant = Parts<'t>;

    fn is_human_readable(&self) -> bool {
        self.tracer.is_human_readable
    }

    leaves! {
        serialize_bool(bool) Leaf::Bool;
        serialize_char(char) Leaf::Char;
        serialize_str(&str) Leaf::Text;
        serialize_bytes(&[u8]) Leaf::Bytes;
        serialize_unit_struct(&'static str) Leaf::Unit;
    }

    numbers! {
        serialize_u8 u8 U8;
        serialize_u16 u16 U16;
        serialize_u32 u32 U32;
        serialize_u64 u64 U64;
        serialize_u128 u128 U128;
        serialize_i8 i8 I8;
        serialize_i16 i16 I16;
        serialize_i32 i32 I32;
        serialize_i64 i64 I64;
        serialize_i128 i128 I128;
        serialize_f32 f32 F32;
        serialize_f64 f64 F64;
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.leaf(Leaf::Unit);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.note(|writing| writing.is_option = true);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.note(|writing| writing.is_option = true);
        value.serialize(self.enter(Step::Some)?)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Error> {
        self.variant(variant)?.leaf(Leaf::Unit);
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let content = self.variant(variant)?;
        content.note(|writing| writing.note(WrittenKind::Newtype));
        value.serialize(content.enter(Step::Inner)?)
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Parts<'t>, Error> {
        self.note(|writing| writing.note(WrittenKind::List));
        Ok(self.elements(Next::Item))
    }

    fn serialize_tuple(self, len: usize) -> Result<Parts<'t>, Error> {
        Ok(self.tuple(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Parts<'t>, Error> {
        Ok(self.tuple(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'t>, Error> {
        Ok(self.variant(variant)?.tuple(len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Parts<'t>, Error> {
        // `flatten` writes a map of unknown length, whose keys are the names of fields.
        let is_struct = self.places(|places| {
            let reading = &places[self.at].reading;
            match reading.kind {
                Some(Kind::Map) => false,
                Some(Kind::Flattened) => true,
                _ => len.is_none() || reading.buffered.tag.is_some(),
            }
        });
        if is_struct {
            return Ok(self.fields());
        }
        self.note(|writing| writing.note(WrittenKind::Map));
        Ok(self.elements(Next::Item))
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Parts<'t>, Error> {
        Ok(self.fields())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Parts<'t>, Error> {
        Ok(self.variant(variant)?.fields())
    }
}

/// The parts of a value, one after the other.
pub(super) struct Parts<'t> {
    of: Writer<'t>,
    next: Next,
    /// The variant of an enum whose content is the field after its tag.
    variant: Option<String>,
}

/// The place of the next part.
enum Next {
    /// The same for all: a list or a map.
    Item,
    Index(usize),
    /// A field. For a map its name is written before.
    Field(String),
}

impl Parts<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let step = match &mut self.next {
            Next::Index(next) => {
                let index = *next;
                *next += 1;
                Step::Index(index)
            }
            Next::Item | Next::Field(_) => Step::Item,
        };
        value.serialize(self.of.enter(step)?)
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        if self.is_tag(name) {
            return self.tag(value);
        }
        let step = match self.adjacent_field(name) {
            Some(Adjacent::Content) => Step::Variant(self.variant.take().unwrap_or_default()),
            Some(Adjacent::Tag) => {
                self.variant = name_of(value);
                Step::Field(name.to_owned())
            }
            None => Step::Field(name.to_owned()),
        };
        self.of.note(|writing| writing.note_field(name));
        value.serialize(self.of.enter(step)?)
    }

    /// Returns which field of an enum this is, if the enum's tag and its content are fields.
    fn adjacent_field(&self, name: &str) -> Option<Adjacent> {
        self.of.places(|places| {
            let reading = &places[self.of.at].reading;
            match reading.kind {
                Some(Kind::Struct([tag, _])) if reading.fields.is_adjacent && *tag == name => Some(Adjacent::Tag),
                Some(Kind::Struct([_, content])) if reading.fields.is_adjacent && *content == name => {
                    Some(Adjacent::Content)
                }
                _ => None,
            }
        })
    }

    /// Returns whether the field is the tag of an enum, beside the fields of its variant.
    fn is_tag(&self, name: &str) -> bool {
        self.of.places(|places| {
            let tag = places[self.of.at].reading.buffered.tag.as_ref();
            tag.is_some_and(|(tag, _)| tag == name)
        })
    }

    /// The tag is written first: the fields after it are those of the variant.
    fn tag<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let variant = name_of(value).unwrap_or_default();
        let known = self.of.places(|places| {
            let (_, variants) = places[self.of.at].reading.buffered.tag.as_ref()?;
            variants.iter().copied().find(|known| *known == variant)
        });
        if let Some(known) = known {
            self.of.note(|writing| writing.note_variant(known));
        }
        self.of = self.of.enter(Step::Variant(variant))?;
        self.of.note(Writing::note_struct);
        Ok(())
    }
}

/// A field of an enum whose tag and content are fields.
enum Adjacent {
    Tag,
    Content,
}

/// The traits whose only part is an element.
macro_rules! elements {
    ($($trait:ident $method:ident;)*) => {$(
        impl $trait for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}

/// The traits whose only part is a field.
macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl $trait for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                self.field(name, value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

fields!(SerializeStruct SerializeStructVariant);

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        if let Next::Field(name) = &mut self.next {
            *name = name_of(key).unwrap_or_default();
            return Ok(());
        }
        key.serialize(self.of.enter(Step::Key)?)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if let Next::Field(name) = &mut self.next {
            let name = std::mem::take(name);
            return self.field(&name, value);
        }
        value.serialize(self.of.enter(Step::Value)?)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}
