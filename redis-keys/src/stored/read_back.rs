//! Rejects values that a serializer writes but that cannot be read back.
//!
//! Reading back every value would double the cost of a write. Therefore [`WatchedFormat`] wraps a value and everything
//! that it passes to a serializer, and notes parts that might get lost. Only values with such a finding, which are
//! rare, are read back.

use std::cell::Cell;
use std::fmt::Display;
use std::io;

use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::limits::{ELEMENTS_AT_ONCE, MAX_DEPTH, PAIRS_AT_ONCE};
use super::memory::{DECODED_TOO_LARGE, EXCEEDS_16MB, LimitedBuffer};
use super::{MAX_DECODED_BYTES, Stored, StoredError};

/// A stored form of serde types.
pub(super) trait SerdeForm: Stored {
    /// The reason if a value cannot be written.
    const NOT_REPRESENTABLE: &'static str;

    /// The values that the form cannot represent but writes nevertheless.
    const LOSSES: Losses;

    /// Writes a value, and returns whether that was possible.
    fn write(value: &impl Serialize, out: &mut LimitedBuffer) -> bool;
}

/// Kinds of values that a form cannot represent but writes nevertheless.
#[derive(Clone, Copy)]
pub(super) struct Losses {
    /// NaN and infinities become `null`.
    pub(super) non_finite: bool,
    /// `Some(None)` and `Some(())` become `None`.
    pub(super) empty_some: bool,
    /// A field that is skipped if a condition holds shifts the fields behind it.
    pub(super) skipped_field: bool,
}

/// Declares a stored form of serde types. Its module implements `Stored` for it: errors show that place.
macro_rules! serde_form {
    (
        $(#[$form:meta])*
        pub struct $Form:ident<P $(, const $VERSION:ident: u8 = $first:literal)?>;

        $(#[$value:meta])*
        pub trait $Value:ident;

        not_representable: $not_representable:literal,
        losses: $losses:expr,
        write: |$input:ident, $out:ident| $write:expr,
    ) => {
        $(#[$form])*
        #[derive(Debug)]
        pub struct $Form<P $(, const $VERSION: u8 = $first)?> {
            form: std::marker::PhantomData<fn() -> P>,
        }

        $(#[$value])*
        pub trait $Value: serde::Serialize + DeserializeOwned {}

        #[diagnostic::do_not_recommend]
        impl<P: serde::Serialize + DeserializeOwned> $Value for P {}

        impl<P: $Value $(, const $VERSION: u8)?> $crate::stored::read_back::SerdeForm for $Form<P $(, $VERSION)?> {
            const NOT_REPRESENTABLE: &'static str = $not_representable;
            const LOSSES: Losses = $losses;

            fn write($input: &impl serde::Serialize, $out: &mut $crate::stored::memory::LimitedBuffer) -> bool {
                $write
            }
        }
    };
}

/// The items of `Stored` for a form of serde types, in whose module is `fn decode<P: DeserializeOwned>`. The header of
/// each `impl` is written out: the compiler quotes it.
macro_rules! serde_items {
    ($value:ident, $codec:expr, size_hint: $size_hint:literal) => {
        serde_items!($value, $codec, size_hint: $size_hint, decode: decode);
    };
    ($value:ident, $codec:expr, size_hint: $size_hint:literal, decode: $decode:expr) => {
        type Input = $value;
        type Output = $value;

        fn encode(value: &$value, out: &mut impl std::io::Write) -> Result<(), StoredError> {
            $crate::stored::read_back::encode::<Self>(value, out)
        }

        fn decode(bytes: Vec<u8>) -> Result<$value, StoredError> {
            $decode(&bytes)
        }

        fn size_hint(_value: &$value) -> usize {
            $size_hint
        }

        #[cfg(feature = "values")]
        fn form(notes: &mut Vec<String>) -> $crate::values::forms::Form {
            use $crate::values::forms::Codec;

            $crate::values::forms::serde::<$value>($codec, notes)
        }
    };
}

pub(super) use serde_form;
pub(super) use serde_items;

/// The number of nested lists, structs, enums, `Some`s and newtypes that every form reads.
const SURE_DEPTH: u16 = 100;

/// The number of elements that are read if each takes at most 1KB of memory.
const SURE_ELEMENTS: usize = MAX_DECODED_BYTES / 1024;

/// The assumed length of a list or map whose length is not known in advance, as with `flatten`.
const UNKNOWN_LEN: usize = 16;

const NON_FINITE: &str = "NaN and infinite numbers cannot be stored as JSON: store `None`";
const EMPTY_SOME: &str = "`Some(None)` and `Some(())` would be read back as `None`: use an enum";
const SKIPPED_FIELD: &str = "fields with `skip_serializing_if` cannot be read back: remove the attribute";
const TOO_DEEP: &str = "nested too deeply to be read back: about 100 levels are possible";
const WIDE_INTEGER: &str = "`flatten`, `untagged` and `tag` cannot read back `u128` and `i128`: store text";

/// Encodes a value that can be read back.
pub(super) fn encode<F>(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError>
where
    F: SerdeForm<Input = <F as Stored>::Output>,
    F::Output: Serialize + Sized,
{
    // One type of buffer for all: code for serializers is large.
    let (bytes, findings) = write::<F>(value)?;
    out.write_all(&bytes).map_err(StoredError::from_io)?;
    if findings.is_empty() { Ok(()) } else { read_back::<F>(bytes, &findings) }
}

fn write<F: SerdeForm<Input: Serialize + Sized>>(value: &F::Input) -> Result<(Vec<u8>, Findings), StoredError> {
    let mut out = LimitedBuffer::with_capacity(F::size_hint(value));
    let findings = Findings::new(F::LOSSES);
    let written = F::write(&WatchedFormat { inner: value, findings: &findings, depth: 0, in_some: false }, &mut out);
    let why = match findings.rejected.get() {
        None if written => return Ok((out.bytes, findings)),
        _ if out.is_exceeded => EXCEEDS_16MB,
        rejected => rejected.unwrap_or(F::NOT_REPRESENTABLE),
    };
    Err(StoredError::new(why))
}

/// Reads the written bytes.
#[cold]
fn read_back<F>(bytes: Vec<u8>, findings: &Findings) -> Result<(), StoredError>
where
    F: SerdeForm<Input = <F as Stored>::Output>,
    F::Output: Serialize + Sized,
{
    let read = F::decode(bytes).map_err(|error| findings.explain(error))?;
    if !findings.has_nulls() {
        return Ok(());
    }
    // Values of many types cannot be compared. But a lost part is not found again.
    let (_, again) = write::<F>(&read)?;
    findings.lost(&again).map_or(Ok(()), |why| Err(StoredError::new(why)))
}

/// The parts of a value that might not be read back.
struct Findings {
    losses: Losses,
    elements: Cell<usize>,
    is_deep: Cell<bool>,
    has_wide_integer: Cell<bool>,
    /// The numbers of NaNs, infinities and negative infinities.
    non_finite: Cell<[usize; 3]>,
    empty_somes: Cell<usize>,
    rejected: Cell<Option<&'static str>>,
}

impl Findings {
    fn new(losses: Losses) -> Self {
        Self {
            losses,
            elements: Cell::new(0),
            is_deep: Cell::new(false),
            has_wide_integer: Cell::new(false),
            non_finite: Cell::new([0; 3]),
            empty_somes: Cell::new(0),
            rejected: Cell::new(None),
        }
    }

    fn is_empty(&self) -> bool {
        let is_large = self.elements.get() > SURE_ELEMENTS;
        !(is_large || self.is_deep.get() || self.has_wide_integer.get() || self.has_nulls())
    }

    fn has_nulls(&self) -> bool {
        self.non_finite.get() != [0; 3] || self.empty_somes.get() > 0
    }

    /// Returns the lost part, if there is one, given the findings of the value that was read back.
    fn lost(&self, read: &Self) -> Option<&'static str> {
        if self.non_finite != read.non_finite {
            Some(NON_FINITE)
        } else if self.empty_somes != read.empty_somes {
            Some(EMPTY_SOME)
        } else {
            None
        }
    }

    /// Explains why the value cannot be read back.
    fn explain(&self, error: StoredError) -> StoredError {
        StoredError::new(if error.why == DECODED_TOO_LARGE {
            DECODED_TOO_LARGE
        } else if self.is_deep.get() {
            TOO_DEEP
        } else if self.non_finite.get() != [0; 3] {
            NON_FINITE
        } else if self.empty_somes.get() > 0 {
            EMPTY_SOME
        } else if self.has_wide_integer.get() {
            WIDE_INTEGER
        } else {
            return error;
        })
    }

    #[cold]
    fn reject<E: ser::Error>(&self, why: &'static str) -> E {
        self.rejected.set(Some(why));
        E::custom(why)
    }

    /// Counts as many elements of a list or map together as when they are read.
    fn count_elements(&self, len: Option<usize>, at_once: u32) {
        let len = len.unwrap_or(UNKNOWN_LEN).div_ceil(at_once as usize).saturating_mul(at_once as usize);
        self.elements.set(self.elements.get().saturating_add(len));
    }

    #[cold]
    fn count_non_finite(&self, float: f64) {
        if self.losses.non_finite {
            let [nan, positive, negative] = self.non_finite.get();
            self.non_finite.set(if float.is_nan() {
                [nan + 1, positive, negative]
            } else if float > 0.0 {
                [nan, positive + 1, negative]
            } else {
                [nan, positive, negative + 1]
            });
        }
    }
}

/// A value, a serializer, or a serializer's state for a list, map or struct.
struct WatchedFormat<'f, T> {
    inner: T,
    findings: &'f Findings,
    depth: u16,
    /// Whether this is directly in a `Some`.
    in_some: bool,
}

impl<'f, T> WatchedFormat<'f, T> {
    #[inline]
    fn wrap<U>(&self, inner: U) -> WatchedFormat<'f, U> {
        WatchedFormat { inner, findings: self.findings, depth: self.depth, in_some: false }
    }

    /// Unwraps a serializer, and wraps the content this many levels deeper.
    #[inline]
    fn descend<E: ser::Error>(self, levels: u16) -> Result<(T, WatchedFormat<'f, ()>), E> {
        let Self { inner, findings, depth, .. } = self;
        let depth = depth.saturating_add(levels);
        if depth > SURE_DEPTH {
            findings.is_deep.set(true);
            // No form reads this, and deeper recursion could overflow the stack.
            if depth > MAX_DEPTH {
                return Err(findings.reject(TOO_DEEP));
            }
        }
        Ok((inner, WatchedFormat { inner: (), findings, depth, in_some: false }))
    }

    #[inline]
    fn check_empty(&self) {
        if self.in_some && self.findings.losses.empty_some {
            self.findings.empty_somes.set(self.findings.empty_somes.get().saturating_add(1));
        }
    }
}

impl<T: Serialize + ?Sized> Serialize for WatchedFormat<'_, &T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.inner.serialize(WatchedFormat { in_some: self.in_some, ..self.wrap(serializer) })
    }
}

macro_rules! serialize_leaf {
    ($($method:ident($($type:ty)?) $($check:ident)?;)*) => {$(serialize_leaf!(@ $method($($type)?) $($check)?);)*};
    (@ $method:ident($type:ty)) => {
        #[inline]
        fn $method(self, value: $type) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        }
    };
    (@ $method:ident($type:ty) is_finite) => {
        #[inline]
        fn $method(self, value: $type) -> Result<S::Ok, S::Error> {
            if !value.is_finite() {
                self.findings.count_non_finite(value.into());
            }
            self.inner.$method(value)
        }
    };
    (@ $method:ident($type:ty) is_wide) => {
        #[inline]
        fn $method(self, value: $type) -> Result<S::Ok, S::Error> {
            self.findings.has_wide_integer.set(true);
            self.inner.$method(value)
        }
    };
    (@ $method:ident() is_empty) => {
        #[inline]
        fn $method(self) -> Result<S::Ok, S::Error> {
            self.check_empty();
            self.inner.$method()
        }
    };
}

/// A container lies this many levels above the values in it.
macro_rules! serialize_nested {
    ($($method:ident($($argument:ident: $type:ty),*), $levels:literal -> $Compound:ident;)*) => {$(
        #[inline]
        fn $method(self, $($argument: $type),*) -> Result<Self::$Compound, S::Error> {
            let (serializer, deeper) = self.descend($levels)?;
            Ok(deeper.wrap(serializer.$method($($argument),*)?))
        }
    )*};
}

impl<'f, S: Serializer> Serializer for WatchedFormat<'f, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = WatchedFormat<'f, S::SerializeSeq>;
    type SerializeTuple = WatchedFormat<'f, S::SerializeTuple>;
    type SerializeTupleStruct = WatchedFormat<'f, S::SerializeTupleStruct>;
    type SerializeTupleVariant = WatchedFormat<'f, S::SerializeTupleVariant>;
    type SerializeMap = WatchedFormat<'f, S::SerializeMap>;
    type SerializeStruct = WatchedFormat<'f, S::SerializeStruct>;
    type SerializeStructVariant = WatchedFormat<'f, S::SerializeStructVariant>;

    serialize_leaf! {
        serialize_bool(bool); serialize_char(char); serialize_str(&str); serialize_bytes(&[u8]);
        serialize_i8(i8); serialize_i16(i16); serialize_i32(i32); serialize_i64(i64); serialize_i128(i128) is_wide;
        serialize_u8(u8); serialize_u16(u16); serialize_u32(u32); serialize_u64(u64); serialize_u128(u128) is_wide;
        serialize_f32(f32) is_finite; serialize_f64(f64) is_finite;
        serialize_none() is_empty; serialize_unit() is_empty;
    }

    serialize_nested! {
        serialize_tuple(len: usize), 1 -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize), 1 -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize), 2
            -> SerializeTupleVariant;
        serialize_struct(name: &'static str, len: usize), 1 -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize), 2
            -> SerializeStructVariant;
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<S::Ok, S::Error> {
        self.check_empty();
        self.inner.serialize_unit_struct(name)
    }

    #[inline]
    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        let (serializer, deeper) = self.descend(1)?;
        serializer.serialize_some(&WatchedFormat { in_some: true, ..deeper.wrap(value) })
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        let in_some = self.in_some;
        let (serializer, deeper) = self.descend(1)?;
        serializer.serialize_newtype_struct(name, &WatchedFormat { in_some, ..deeper.wrap(value) })
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let (serializer, deeper) = self.descend(1)?;
        serializer.serialize_newtype_variant(name, index, variant, &deeper.wrap(value))
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        self.findings.count_elements(len, ELEMENTS_AT_ONCE);
        let (serializer, deeper) = self.descend(1)?;
        Ok(deeper.wrap(serializer.serialize_seq(len)?))
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.findings.count_elements(len, PAIRS_AT_ONCE);
        let (serializer, deeper) = self.descend(1)?;
        Ok(deeper.wrap(serializer.serialize_map(len)?))
    }

    #[inline]
    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.collect_str(value)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// Implements the trait of a list or tuple.
macro_rules! serialize_elements {
    ($($trait:ident $method:ident;)*) => {$(
        impl<S: $trait> $trait for WatchedFormat<'_, S> {
            type Ok = S::Ok;
            type Error = S::Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                let value = self.wrap(value);
                self.inner.$method(&value)
            }

            #[inline]
            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    )*};
}

serialize_elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// Implements the trait of a struct.
macro_rules! serialize_fields {
    ($($trait:ident)*) => {$(
        impl<S: $trait> $trait for WatchedFormat<'_, S> {
            type Ok = S::Ok;
            type Error = S::Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), S::Error> {
                let value = self.wrap(value);
                self.inner.serialize_field(key, &value)
            }

            #[inline]
            fn skip_field(&mut self, key: &'static str) -> Result<(), S::Error> {
                if self.findings.losses.skipped_field {
                    return Err(self.findings.reject(SKIPPED_FIELD));
                }
                self.inner.skip_field(key)
            }

            #[inline]
            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    )*};
}

serialize_fields!(SerializeStruct SerializeStructVariant);

impl<S: SerializeMap> SerializeMap for WatchedFormat<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        let key = self.wrap(key);
        self.inner.serialize_key(&key)
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        let value = self.wrap(value);
        self.inner.serialize_value(&value)
    }

    #[inline]
    fn serialize_entry<K, V>(&mut self, key: &K, value: &V) -> Result<(), S::Error>
    where
        K: Serialize + ?Sized,
        V: Serialize + ?Sized,
    {
        let (key, value) = (self.wrap(key), self.wrap(value));
        self.inner.serialize_entry(&key, &value)
    }

    #[inline]
    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}
