//! Parameters in the legacy text of a key: written as `format!` wrote them, and parsed by `FromStr`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{KeySegment, ParseSegment};
use crate::key::{KeyWriter, LegacyValue, SegmentWriter};

/// Declares a trait whose `segment` writes a value by a trait of `std::fmt`.
macro_rules! written_by {
    ($($name:ident, $by:ident, $plain:literal, $zeros:literal, $message:literal, $label:literal;)*) => {$(
        /// A value that a legacy text contains.
        #[diagnostic::on_unimplemented(
            message = $message,
            label = $label,
            note = "a legacy text contains what `format!` writes: different values have to be written differently"
        )]
        pub trait $name {
            /// Writes the literal text before it, and the value.
            fn segment(&self, key: &mut KeyWriter, before: &'static str, value: LegacyValue);
        }

        #[diagnostic::do_not_recommend]
        impl<T: fmt::$by + ?Sized> $name for T {
            fn segment(&self, key: &mut KeyWriter, before: &'static str, value: LegacyValue) {
                key.legacy_value(before, value, |out, zeros| match zeros {
                    0 => write!(out, $plain, self),
                    zeros => write!(out, $zeros, self, zeros = zeros),
                });
            }
        }
    )*};
}

written_by! {
    Displayed, Display, "{}", "{:0zeros$}",
    "`{Self}` cannot be part of a legacy text: it does not implement `Display`", "implement `Display` for it";

    Debugged, Debug, "{:?}", "{:0zeros$?}",
    "`{Self}` cannot be part of a legacy text by `:?`: it does not implement `Debug`", "implement `Debug` for it";

    InLowerHex, LowerHex, "{:x}", "{:0zeros$x}",
    "`{Self}` cannot be part of a legacy text by `:x`: it does not implement `LowerHex`", "implement `LowerHex` for it";

    InUpperHex, UpperHex, "{:X}", "{:0zeros$X}",
    "`{Self}` cannot be part of a legacy text by `:X`: it does not implement `UpperHex`", "implement `UpperHex` for it";
}

/// A parameter that was parsed from a legacy text.
pub struct FromLegacy<T>(pub T);

/// A parameter of a type that holds text, parsed from a legacy text. The text need not be owned.
pub struct FromLegacyText<T>(pub T);

#[diagnostic::do_not_recommend]
impl<T: FromStr> ParseSegment<'_> for FromLegacy<T> {
    fn parse(text: &str) -> Result<Self, &'static str> {
        text.parse().map(Self).map_err(|_| "cannot be parsed by its `FromStr`")
    }
}

macro_rules! text {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'k> ParseSegment<'k> for FromLegacyText<$ty> {
            fn parse(text: &'k str) -> Result<Self, &'static str> {
                Ok(Self(text.into()))
            }
        }
    )*};
}

text!(&'k str Cow<'k, str> Box<str> Arc<str>);

/// The whole text is compared when the key has been parsed, so that no value is written alone.
macro_rules! never_written {
    ($($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> KeySegment for $name<T> {
            const LONGEST: Option<usize> = None;

            fn write(&self, _out: &mut SegmentWriter<'_>) {}
        }
    )*};
}

never_written!(FromLegacy FromLegacyText);
