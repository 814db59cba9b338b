//! Limits for deserializers of binary formats, which trust the lengths that the bytes claim.
//!
//! Crafted bytes can lead a deserializer into unbounded recursion, into allocating for elements that are not there, and into
//! counting elements that take no bytes. [`Limited`] wraps a deserializer and everything that it passes to a type (visitors,
//! accesses, seeds), and fails when a limit is exceeded.

use std::{cell::Cell, fmt};

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::StoredError;

/// The maximum nesting depth, where each list, map, struct, enum and `Some` counts.
///
/// Even without optimizations it fits on the stack of a thread with the default size.
const MAX_DEPTH: u16 = 128;

/// The number of elements without bytes that are read: units, and structs of them.
const MAX_EMPTY_ELEMENTS: usize = 1 << 20;

/// The limits of one value, and what is left of them.
pub(super) struct Limits {
    /// The length of the input. No list has more elements, unless they are empty.
    bytes: usize,
    elements_left: Cell<usize>,
    exceeded: Cell<Option<&'static str>>,
}

impl Limits {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let bytes = bytes.len();
        // A struct in a list is an element, and so is each of its fields.
        let elements = bytes.saturating_mul(16).saturating_add(MAX_EMPTY_ELEMENTS);
        Self { bytes, elements_left: Cell::new(elements), exceeded: Cell::new(None) }
    }

    /// Deserializes a value within the limits.
    pub(super) fn deserialize<'de, P, D>(&self, deserializer: D) -> Result<P, D::Error>
    where
        P: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        P::deserialize(Limited { inner: deserializer, limits: self, depth_left: MAX_DEPTH })
    }

    /// Returns the limit that made [`deserialize`](Self::deserialize) fail, if one did.
    pub(super) fn exceeded(&self) -> Option<StoredError> {
        self.exceeded.get().map(StoredError::new)
    }

    #[cold]
    fn exceed<E: de::Error>(&self, why: &'static str) -> E {
        self.exceeded.set(Some(why));
        E::custom(why)
    }

    fn count_element<E: de::Error>(&self) -> Result<(), E> {
        let left = self.elements_left.get().checked_sub(1);
        left.map(|left| self.elements_left.set(left)).ok_or_else(|| self.exceed("too many empty elements"))
    }

    /// Limits the claimed length of a list to what the input can hold.
    fn size_hint(&self, claimed: Option<usize>) -> Option<usize> {
        claimed.map(|claimed| claimed.min(self.bytes))
    }
}

/// A deserializer, visitor, access or seed within the limits.
struct Limited<'l, T> {
    inner: T,
    limits: &'l Limits,
    depth_left: u16,
}

impl<'l, T> Limited<'l, T> {
    /// Wraps another value at the same depth.
    fn wrap<U>(&self, inner: U) -> Limited<'l, U> {
        Limited { inner, limits: self.limits, depth_left: self.depth_left }
    }

    /// Unwraps a visitor, and wraps the access that it is given one level deeper.
    fn descend<U, E: de::Error>(self, access: U) -> Result<(T, Limited<'l, U>), E> {
        let Self { inner, limits, depth_left } = self;
        match depth_left.checked_sub(1) {
            Some(depth_left) => Ok((inner, Limited { inner: access, limits, depth_left })),
            None => Err(limits.exceed("nested too deeply")),
        }
    }
}

macro_rules! deserialize {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.wrap(visitor);
            self.inner.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Limited<'_, D> {
    type Error = D::Error;

    deserialize! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit_leaf {
    ($($method:ident($($type:ty)?);)*) => {$(visit_leaf!(@ $method $($type)?);)*};
    (@ $method:ident $type:ty) => {
        #[inline]
        fn $method<E: de::Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    };
    (@ $method:ident) => {
        #[inline]
        fn $method<E: de::Error>(self) -> Result<V::Value, E> {
            self.inner.$method()
        }
    };
}

macro_rules! visit_nested {
    ($($method:ident($access:ident);)*) => {$(
        fn $method<A: $access<'de>>(self, access: A) -> Result<V::Value, A::Error> {
            let (visitor, access) = self.descend(access)?;
            visitor.$method(access)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Limited<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit_leaf! {
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

    visit_nested! {
        visit_some(Deserializer);
        visit_newtype_struct(Deserializer);
        visit_seq(SeqAccess);
        visit_map(MapAccess);
        visit_enum(EnumAccess);
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Limited<'_, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.limits.count_element()?;
        let seed = self.wrap(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.limits.size_hint(self.inner.size_hint())
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.limits.count_element()?;
        let seed = self.wrap(seed);
        self.inner.next_key_seed(seed)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.limits.size_hint(self.inner.size_hint())
    }
}

impl<'de, 'l, A: EnumAccess<'de>> EnumAccess<'de> for Limited<'l, A> {
    type Error = A::Error;
    type Variant = Limited<'l, A::Variant>;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), A::Error> {
        let (seed, outer) = (self.wrap(seed), self.wrap(()));
        let (name, content) = self.inner.variant_seed(seed)?;
        Ok((name, outer.wrap(content)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    #[inline]
    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.newtype_variant_seed(seed)
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
