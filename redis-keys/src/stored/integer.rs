//! Whole numbers and `bool` as values, in decimal as Redis itself counts.

use std::{io, str};

use super::{Stored, StoredError};

/// A stored form that Redis can count with: whole numbers of up to 64 bits.
#[diagnostic::on_unimplemented(
    message = "this key holds `{Self}`, and only a whole number can be counted",
    label = "cannot be counted",
    note = "declare `value = u64` or another whole number of up to 64 bits"
)]
pub trait Integer: Stored<Input = Self, Output = Self> + Copy {
    /// The type itself. Counting goes by this name so that a key that cannot be counted gets one error, and no second one
    /// about the type of the number.
    type Number: Into<Self> + From<Self>;

    /// The lowest number that Redis may be left with.
    #[doc(hidden)]
    const LOWEST: i64;
    /// The highest one. Redis counts with 64 bits and a sign, whatever the type is.
    #[doc(hidden)]
    const HIGHEST: i64;

    #[doc(hidden)]
    fn to_i64(self) -> Option<i64>;
    #[doc(hidden)]
    fn from_i64(number: i64) -> Option<Self>;
}

macro_rules! stored {
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
                number.ok_or(StoredError::new(concat!("it is not a whole number that fits into `", stringify!($number), "`")))
            }

            fn size_hint(_value: &Self) -> usize {
                $number::MAX.ilog10() as usize + 2
            }
        }
    )*};
}

macro_rules! counted {
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

stored!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

counted! {
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
            _ => Err(StoredError::new("it is neither `1` nor `0`")),
        }
    }

    fn size_hint(_value: &Self) -> usize {
        1
    }
}
