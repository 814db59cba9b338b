//! What the value is told of the bytes. Each thing that can hold another is one level deeper.

use std::fmt;

use serde::de::{Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use super::Bounded;

macro_rules! leaves {
    ($($method:ident($($type:ty)?);)*) => {$(leaves!(@ $method $($type)?);)*};
    (@ $method:ident $type:ty) => {
        #[inline]
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.part.$method(value)
        }
    };
    (@ $method:ident) => {
        #[inline]
        fn $method<E: Error>(self) -> Result<V::Value, E> {
            self.part.$method()
        }
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.expecting(f)
    }

    leaves! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_i128(i128);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_u128(u128);
        visit_f32(f32);
        visit_f64(f64);
        visit_char(char);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
        visit_none();
        visit_unit();
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        let (visitor, reader) = self.down(reader)?;
        visitor.visit_some(reader)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        let (visitor, reader) = self.down(reader)?;
        visitor.visit_newtype_struct(reader)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<V::Value, A::Error> {
        let (visitor, elements) = self.down(elements)?;
        visitor.visit_seq(elements)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        let (visitor, entries) = self.down(entries)?;
        visitor.visit_map(entries)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let (visitor, variant) = self.down(variant)?;
        visitor.visit_enum(variant)
    }
}
