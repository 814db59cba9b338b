//! Limits for deserializers, which trust the bytes.
//!
//! Crafted bytes can lead a deserializer into unbounded recursion, into allocating for elements that are not there, and
//! into making elements that take far more memory than their bytes. [`LimitedForm`] wraps a deserializer and everything
//! that it passes to a type (visitors, accesses, seeds), and fails when a limit is exceeded.
//!
//! Memory is counted by the sizes of types. An element of a list is counted when it is read, and with the first element
//! three more, because most lists start with space for four. The pairs of a map are counted 11 at a time, because a
//! node of a `BTreeMap` has space for 11. The parts of an element, such as the fields of a struct or the content of an
//! `Option`, lie within the element. Data outside the element, such as the content of a `Box`, is counted in addition.
//! Text is not counted: it is no longer than its bytes.

use std::cell::Cell;
use std::{any, fmt, mem};

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::MAX_DECODED_BYTES;
use super::memory::{self, BUFFERED_ELEMENT_BYTES, DECODED_TOO_LARGE, REPLY_TOO_LARGE};

/// The depth that a list, map, struct or enum adds.
const LEVEL: u16 = 4;

/// The depth that a `Some` or a newtype adds. Not zero: a recursive type can nest them without any bytes.
const WRAPPER: u16 = 1;

/// The most elements for which a list has space before they are read.
const MOST_RESERVED: usize = 256;

/// The maximum depth: 127 lists, the limit of `serde_json`, or 101 structs in a `Some` each.
///
/// Even without optimizations it fits on the stack of a thread with the default size.
pub(super) const MAX_DEPTH: u16 = 127 * LEVEL;

/// The number of elements of a list that are counted together.
pub(super) const ELEMENTS_AT_ONCE: u32 = 4;

/// The number of pairs of a map that are counted together.
pub(super) const PAIRS_AT_ONCE: u32 = 11;

/// The bytes that an element of a type without a size counts as, so that a few bytes cannot keep a loop busy.
const EMPTY_ELEMENT_BYTES: u32 = 8;

/// The limits of one value, with the remaining amounts.
pub(super) struct Limits {
    /// The length of the input. No list has more elements, unless they are empty.
    bytes: usize,
    memory: u32,
    memory_left: Cell<u32>,
    exceeded: Cell<Option<&'static str>>,
}

impl Limits {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let memory = clamp(memory::left(bytes.len()));
        Self { bytes: bytes.len(), memory, memory_left: Cell::new(memory), exceeded: Cell::new(None) }
    }

    /// Deserializes a value within the limits.
    pub(super) fn deserialize<'de, P, D>(&self, deserializer: D) -> Result<P, D::Error>
    where
        P: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        // The caller has the place for the value itself.
        P::deserialize(LimitedForm {
            inner: deserializer,
            limits: self,
            depth_left: MAX_DEPTH,
            counted: u32::MAX,
            is_inline: false,
        })
    }

    /// Returns the limit that made [`deserialize`](Self::deserialize) fail, if there is one.
    pub(super) fn exceeded(&self) -> Option<&'static str> {
        self.exceeded.get()
    }

    #[cold]
    fn exceed<E: de::Error>(&self, why: &'static str) -> E {
        self.exceeded.set(Some(why));
        E::custom(why)
    }

    #[inline]
    fn count<E: de::Error>(&self, bytes: u32) -> Result<(), E> {
        let left = self.memory_left.get().checked_sub(bytes);
        left.map(|left| self.memory_left.set(left)).ok_or_else(|| self.exceed(self.too_large()))
    }

    #[cold]
    fn too_large(&self) -> &'static str {
        if self.memory == clamp(MAX_DECODED_BYTES) { DECODED_TOO_LARGE } else { REPLY_TOO_LARGE }
    }

    /// Limits the claimed length of a list to the length that the input can hold, and to a few elements: nested lists can
    /// each claim the same bytes. Longer lists grow while they are read.
    fn size_hint(&self, claimed: Option<usize>) -> Option<usize> {
        claimed.map(|claimed| claimed.min(self.bytes).min(MOST_RESERVED))
    }
}

impl Drop for Limits {
    fn drop(&mut self) {
        memory::take((self.memory - self.memory_left.get()) as usize);
    }
}

/// Returns the bytes that an element of this type counts as.
#[inline]
fn element_bytes<T>() -> u32 {
    match clamp(size_of::<T>()) {
        0 => EMPTY_ELEMENT_BYTES,
        size => size,
    }
}

/// No type is larger than `u32::MAX` bytes in practice, and half the size of the counters makes them faster.
#[inline]
fn clamp(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// A deserializer, visitor, access or seed within the limits.
struct LimitedForm<'l, T> {
    inner: T,
    limits: &'l Limits,
    depth_left: u16,
    /// The bytes of memory that are counted already: the place of a deserializer's value, the rest of a struct for the
    /// fields that an access is still to read, or the rest of the elements that were counted together. For a map, the
    /// number of pairs, because keys and values differ in size.
    counted: u32,
    /// Whether an access reads fields, which are part of the value.
    is_inline: bool,
}

impl<'l, T> LimitedForm<'l, T> {
    /// Wraps another value at the same depth, for which this many bytes are counted.
    #[inline]
    fn wrap<U>(&self, inner: U, counted: u32) -> LimitedForm<'l, U> {
        LimitedForm { inner, limits: self.limits, depth_left: self.depth_left, counted, is_inline: false }
    }

    /// Unwraps a visitor, and wraps the access that it is given.
    #[inline]
    fn descend<U, E: de::Error>(self, access: U, depth: u16, counted: u32) -> Result<(T, LimitedForm<'l, U>), E> {
        let Self { inner, limits, depth_left, is_inline, .. } = self;
        match depth_left.checked_sub(depth) {
            Some(depth_left) => Ok((inner, LimitedForm { inner: access, limits, depth_left, counted, is_inline })),
            None => Err(limits.exceed("nested too deeply")),
        }
    }

    /// Counts the part of a value that does not fit into its place.
    #[inline]
    fn count_outside<V, E: de::Error>(&self) -> Result<(), E> {
        match clamp(size_of::<V>()).saturating_sub(self.counted) {
            0 => Ok(()),
            bytes => self.limits.count(bytes),
        }
    }

    /// Counts an element of a list, or a field.
    #[inline]
    fn count_element<V, E: de::Error>(&mut self) -> Result<(), E> {
        let bytes = element_bytes::<V>();
        match self.counted.checked_sub(bytes) {
            Some(left) => {
                self.counted = left;
                Ok(())
            }
            None => self.count_more(bytes),
        }
    }

    fn count_more<E: de::Error>(&mut self, bytes: u32) -> Result<(), E> {
        if self.is_inline {
            // The last fields of a struct, whose names are counted like values.
            return self.limits.count(bytes - mem::take(&mut self.counted));
        }
        self.counted = self.counted.saturating_add(bytes.saturating_mul(ELEMENTS_AT_ONCE - 1));
        self.limits.count(bytes.saturating_mul(ELEMENTS_AT_ONCE))
    }

    /// Counts a key of a map, or the name of a field.
    #[inline]
    fn count_key<K, E: de::Error>(&mut self) -> Result<(), E> {
        if self.is_inline {
            self.count_element::<K, E>()
        } else if self.counted == 0 {
            self.limits.count(element_bytes::<K>().saturating_mul(PAIRS_AT_ONCE))
        } else {
            Ok(())
        }
    }

    /// Counts the value that belongs to a key, or a field.
    #[inline]
    fn count_value<V, E: de::Error>(&mut self) -> Result<(), E> {
        if self.is_inline {
            self.count_element::<V, E>()
        } else if self.counted == 0 {
            self.counted = PAIRS_AT_ONCE - 1;
            self.limits.count(element_bytes::<V>().saturating_mul(PAIRS_AT_ONCE))
        } else {
            self.counted -= 1;
            Ok(())
        }
    }
}

/// Types that do not contain other values need no limits.
macro_rules! deserialize_leaf {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        }
    )*};
}

macro_rules! deserialize_nested {
    ($($method:ident($($argument:ident: $type:ty),*) $(-> $inline:ident)?;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.count_outside::<V::Value, D::Error>()?;
            let visitor = self.wrap(visitor, 0)$(.$inline())?;
            self.inner.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for LimitedForm<'_, D> {
    type Error = D::Error;

    deserialize_leaf! {
        deserialize_bool deserialize_char
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_identifier
    }

    deserialize_nested! {
        deserialize_option();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize) -> inline;
        deserialize_tuple_struct(name: &'static str, len: usize) -> inline;
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) -> inline;
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_ignored_any();
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.count_outside::<V::Value, D::Error>()?;
        // The values that serde buffers for `flatten`, `untagged` and `tag` have a type that is not known here.
        if any::type_name::<V::Value>().contains("::private::content::Content") {
            self.limits.count(clamp(BUFFERED_ELEMENT_BYTES))?;
        }
        let visitor = self.wrap(visitor, 0);
        self.inner.deserialize_any(visitor)
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
    ($($method:ident($access:ident), $depth:expr;)*) => {$(
        #[inline]
        fn $method<A: $access<'de>>(self, access: A) -> Result<V::Value, A::Error> {
            // The content of a wrapper lies within the wrapper, but the elements of a list lie outside it.
            let counted = if $depth == WRAPPER { clamp(size_of::<V::Value>()) } else { self.counted };
            let (visitor, access) = self.descend(access, $depth, counted)?;
            visitor.$method(access)
        }
    )*};
}

impl<'de, V: Visitor<'de>> LimitedForm<'_, V> {
    /// Marks the visitor of a struct or tuple, whose elements are part of the value.
    fn inline(self) -> Self {
        Self { counted: clamp(size_of::<V::Value>()), is_inline: true, ..self }
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for LimitedForm<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit_leaf! {
        visit_bool(bool); visit_char(char);
        visit_i8(i8); visit_i16(i16); visit_i32(i32); visit_i64(i64); visit_i128(i128);
        visit_u8(u8); visit_u16(u16); visit_u32(u32); visit_u64(u64); visit_u128(u128);
        visit_f32(f32); visit_f64(f64);
        visit_str(&str); visit_borrowed_str(&'de str); visit_string(String);
        visit_bytes(&[u8]); visit_borrowed_bytes(&'de [u8]); visit_byte_buf(Vec<u8>);
        visit_none(); visit_unit();
    }

    visit_nested! {
        visit_some(Deserializer), WRAPPER;
        visit_newtype_struct(Deserializer), WRAPPER;
        visit_seq(SeqAccess), LEVEL;
        visit_map(MapAccess), LEVEL;
        visit_enum(EnumAccess), LEVEL;
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for LimitedForm<'_, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.wrap(deserializer, self.counted);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for LimitedForm<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        let seed = self.wrap(seed, clamp(size_of::<T::Value>()));
        let element = self.inner.next_element_seed(seed)?;
        if element.is_some() {
            self.count_element::<T::Value, A::Error>()?;
        }
        Ok(element)
    }

    fn size_hint(&self) -> Option<usize> {
        self.limits.size_hint(self.inner.size_hint())
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for LimitedForm<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let seed = self.wrap(seed, clamp(size_of::<K::Value>()));
        let key = self.inner.next_key_seed(seed)?;
        if key.is_some() {
            self.count_key::<K::Value, A::Error>()?;
        }
        Ok(key)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.count_value::<T::Value, A::Error>()?;
        let seed = self.wrap(seed, clamp(size_of::<T::Value>()));
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.limits.size_hint(self.inner.size_hint())
    }
}

impl<'de, 'l, A: EnumAccess<'de>> EnumAccess<'de> for LimitedForm<'l, A> {
    type Error = A::Error;
    type Variant = LimitedForm<'l, A::Variant>;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), A::Error> {
        // A variant's name is not kept.
        let (seed, outer) = (self.wrap(seed, u32::MAX), self.wrap((), 0));
        let (name, content) = self.inner.variant_seed(seed)?;
        Ok((name, outer.wrap(content, 0)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for LimitedForm<'_, A> {
    type Error = A::Error;

    #[inline]
    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.wrap(seed, clamp(size_of::<T::Value>()));
        self.inner.newtype_variant_seed(seed)
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor, 0).inline();
        self.inner.tuple_variant(len, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor, 0).inline();
        self.inner.struct_variant(fields, visitor)
    }
}
