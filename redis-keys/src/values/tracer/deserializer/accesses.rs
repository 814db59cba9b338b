//! The parts of a value, which the deserializer gives one after the other.

use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor, value::StrDeserializer,
};

use super::super::super::error::Error;
use super::super::super::place::Step;
use super::super::super::reading::Kind;
use super::Recorder;

/// The elements of a list, or of a tuple, whose places have an index.
pub(super) struct Elements<'t> {
    pub(super) list: Recorder<'t>,
    pub(super) left: usize,
    pub(super) index: Option<usize>,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let step = match &mut self.index {
            None => Step::Item,
            Some(next) => {
                let index = *next;
                *next += 1;
                Step::Index(index)
            }
        };
        seed.deserialize(self.list.enter(step)?).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The entries of a map.
pub(super) struct Entries<'t> {
    pub(super) map: Recorder<'t>,
    pub(super) left: usize,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(self.map.enter(Step::Key)?).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.map.enter(Step::Value)?)
    }
}

/// The fields of a struct, from the last to the first.
pub(super) struct Fields<'t> {
    pub(super) of: Recorder<'t>,
    pub(super) left: Vec<String>,
    /// The field whose value is next.
    pub(super) name: String,
}

impl Fields<'_> {
    /// Returns the place of the next value: of an enum with its content beside its tag, the content's.
    fn next_step(&self) -> Step {
        let variant = self.of.with(|state| {
            let reading = &state.places[self.of.at].reading;
            let Some(Kind::Struct([tag, content])) = reading.kind else { return None };
            let is_content = reading.fields.is_adjacent && self.name == *content;
            state.chosen(state.places.field(self.of.at, tag).filter(|_| is_content)?)
        });
        variant.map_or_else(|| Step::Field(self.name.clone()), |variant| Step::Variant(variant.to_owned()))
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(name) = self.left.pop() else { return Ok(None) };
        self.of.with(|state| state.pass.key = Some((self.of.at, name.clone())));
        self.name.clone_from(&name);
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.of.enter(self.next_step())?)
    }
}

/// The tag of an enum, then the fields of its variant.
pub(super) struct Tagged<'t> {
    /// The tag, until its name is read.
    pub(super) tag: Option<String>,
    /// Whether the value of the tag is next.
    pub(super) is_at_tag: bool,
    pub(super) variant: &'static str,
    pub(super) fields: Fields<'t>,
}

impl<'de> MapAccess<'de> for Tagged<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(tag) = self.tag.take() else { return self.fields.next_key_seed(seed) };
        self.is_at_tag = true;
        seed.deserialize(tag.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        if std::mem::take(&mut self.is_at_tag) {
            return seed.deserialize(self.variant.into_deserializer());
        }
        self.fields.next_value_seed(seed)
    }
}

/// The variant of an enum. `None` is a variant that the enum lacks.
#[derive(Clone, Copy)]
pub(super) struct Choice<'t> {
    pub(super) of: Recorder<'t>,
    pub(super) variant: Option<&'static str>,
}

impl<'t> Choice<'t> {
    /// Returns the place of the variant's content.
    fn content(&self) -> Result<Recorder<'t>, Error> {
        let variant = self.variant.ok_or(Error::Stopped)?;
        self.of.enter(Step::Variant(variant.to_owned()))
    }
}

impl<'de> EnumAccess<'de> for Choice<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.variant.unwrap_or("not a variant").into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        if self.variant.is_none() {
            return Ok(());
        }
        let content = self.content()?;
        content.ask(Kind::Unit)?;
        content.with(|state| state.pass.visited.push(content.at));
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        let content = self.content()?;
        content.ask(Kind::Newtype)?;
        seed.deserialize(content.enter(Step::Inner)?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let content = self.content()?;
        content.ask(Kind::Tuple(len))?;
        visitor.visit_seq(content.tuple(len))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        let content = self.content()?;
        content.ask(Kind::Struct(fields))?;
        visitor.visit_map(content.declared_fields(fields))
    }
}
