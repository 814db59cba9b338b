//! Floats as values.

use std::{io, str};

use super::{Stored, StoredError};

/// A stored form that `INCRBYFLOAT` can count with: `f32` and `f64`.
#[diagnostic::on_unimplemented(
    message = "this key holds `{Self}`, and only a float can be counted by a float",
    label = "cannot be counted by a float",
    note = "declare `value = f64`, or count whole numbers with `incr_by`"
)]
pub trait Float: Stored<Input = Self, Output = Self> + Copy {
    /// The type itself, as [`Integer::Number`](super::Integer::Number).
    type Number: Into<Self> + From<Self>;

    /// The highest number.
    #[doc(hidden)]
    const HIGHEST: f64;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        /// The shortest decimal that reads as the same number. What is no number or infinite is refused both ways.
        #[diagnostic::do_not_recommend]
        impl Stored for $float {
            type Input = Self;
            type Output = Self;

            fn encode(value: &Self, out: &mut impl io::Write) -> Result<(), StoredError> {
                if !value.is_finite() {
                    return Err(StoredError::new("it is not a finite number"));
                }
                // `Debug` goes over to exponents where plain digits would be long.
                let plain = *value == 0.0 || (1e-5..1e16).contains(&value.abs());
                let written = if plain { write!(out, "{value}") } else { write!(out, "{value:e}") };
                written.map_err(StoredError::from_io)
            }

            fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
                let number = str::from_utf8(&bytes).ok().and_then(|text| text.parse::<$float>().ok());
                number.filter(|number| number.is_finite()).ok_or(StoredError::new("it is not a finite number"))
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
