//! Integers, floats and `bool` as values, in the decimal text that Redis itself counts with.

use std::{io, str};

use super::{Stored, StoredError};
#[cfg(feature = "values")]
use crate::values::forms::{self, Form};

/// A stored form that `INCRBY` can change: integers of up to 64 bits.
#[diagnostic::on_unimplemented(
    message = "counting needs an integer value, but this key stores `{Self}`",
    label = "cannot be counted",
    note = "declare `value = u64` or another integer of up to 64 bits"
)]
pub trait Integer: Stored<Input = Self, Output = Self> + Copy {
    /// The type itself.
    ///
    /// Accessors take this type, so that a key that cannot be counted gets one error, without a second error about the
    /// number.
    type Number: Into<Self> + From<Self>;

    /// The lowest number that Redis may store.
    #[doc(hidden)]
    const LOWEST: i64;
    /// The highest number that Redis may store. Redis counts with signed 64 bits, whatever the type is.
    #[doc(hidden)]
    const HIGHEST: i64;

    #[doc(hidden)]
    fn to_i64(self) -> Option<i64>;
    #[doc(hidden)]
    fn from_i64(number: i64) -> Option<Self>;
}

/// A stored form that `INCRBYFLOAT` can change: `f32` and `f64`.
#[diagnostic::on_unimplemented(
    message = "counting by a float needs a float value, but this key stores `{Self}`",
    label = "cannot be counted by a float",
    note = "declare `value = f64`, or count integers with `incr_by`"
)]
pub trait Float: Stored<Input = Self, Output = Self> + Copy {
    /// The type itself, as [`Integer::Number`].
    type Number: Into<Self> + From<Self>;

    /// The highest number.
    #[doc(hidden)]
    const HIGHEST: f64;
}

macro_rules! stored_integers {
    ($($number:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Stored for $number {
            type Input = Self;
            type Output = Self;

            #[inline]
            fn encode(value: &Self, out: &mut impl io::Write) -> Result<(), StoredError> {
                out.write_all(itoa::Buffer::new().format(*value).as_bytes()).map_err(StoredError::from_io)
            }

            #[inline]
            fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
                let number = str::from_utf8(&bytes).ok().and_then(|text| text.parse().ok());
                number.ok_or(StoredError::new(concat!("not an integer in the range of `", stringify!($number), "`")))
            }

            fn size_hint(_value: &Self) -> usize {
                $number::MAX.ilog10() as usize + 2
            }

            #[cfg(feature = "values")]
            fn form(_notes: &mut Vec<String>) -> Form {
                forms::number(stringify!($number))
            }
        }
    )*};
}

stored_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! counted_integers {
    ($($number:ident: $lowest:expr, $highest:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Integer for $number {
            type Number = Self;
            const LOWEST: i64 = $lowest;
            const HIGHEST: i64 = $highest;

            fn to_i64(self) -> Option<i64> {
                i64::try_from(self).ok()
            }

            fn from_i64(number: i64) -> Option<Self> {
                Self::try_from(number).ok()
            }
        }
    )*};
}

counted_integers! {
    u8: 0, u8::MAX as i64;
    u16: 0, u16::MAX as i64;
    u32: 0, u32::MAX as i64;
    u64: 0, i64::MAX;
    usize: 0, isize::MAX as i64;
    i8: i8::MIN as i64, i8::MAX as i64;
    i16: i16::MIN as i64, i16::MAX as i64;
    i32: i32::MIN as i64, i32::MAX as i64;
    i64: i64::MIN, i64::MAX;
    isize: isize::MIN as i64, isize::MAX as i64;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        /// The shortest decimal that reads as the same number. NaN and infinities are rejected.
        #[diagnostic::do_not_recommend]
        impl Stored for $float {
            type Input = Self;
            type Output = Self;

            fn encode(value: &Self, out: &mut impl io::Write) -> Result<(), StoredError> {
                if !value.is_finite() {
                    return Err(StoredError::new("not a finite number"));
                }
                // As `Debug` does, write exponents where plain digits would be long.
                let plain = *value == 0.0 || (1e-5..1e16).contains(&value.abs());
                let written = if plain { write!(out, "{value}") } else { write!(out, "{value:e}") };
                written.map_err(StoredError::from_io)
            }

            fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
                let number = str::from_utf8(&bytes).ok().and_then(|text| text.parse::<$float>().ok());
                number.filter(|number| number.is_finite()).ok_or(StoredError::new("not a finite number"))
            }

            #[cfg(feature = "values")]
            fn form(_notes: &mut Vec<String>) -> Form {
                forms::number(stringify!($float))
            }
        }

        #[diagnostic::do_not_recommend]
        impl Float for $float {
            type Number = Self;
            const HIGHEST: f64 = $float::MAX as f64;
        }
    )*};
}

floats!(f32 f64);

/// `1` and `0`.
#[diagnostic::do_not_recommend]
impl Stored for bool {
    type Input = Self;
    type Output = Self;

    fn encode(value: &Self, out: &mut impl io::Write) -> Result<(), StoredError> {
        out.write_all(if *value { b"1" } else { b"0" }).map_err(StoredError::from_io)
    }

    fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
        match bytes.as_slice() {
            b"1" => Ok(true),
            b"0" => Ok(false),
            _ => Err(StoredError::new("neither `1` nor `0`")),
        }
    }

    fn size_hint(_value: &Self) -> usize {
        1
    }

    #[cfg(feature = "values")]
    fn form(_notes: &mut Vec<String>) -> Form {
        Form::Bool
    }
}
