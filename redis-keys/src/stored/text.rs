//! Text and bytes, stored verbatim, and parameter types, which are stored as their text.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{io, str};

use super::{Stored, StoredError};
use crate::parameter::bucket::{Day, Hour, Month, Year};
use crate::parameter::{KeySegment, ParseSegment, write_whole, writes};
#[cfg(feature = "values")]
use crate::values::forms::Form;

/// A stored form that can be appended to and read in part: text and bytes.
#[diagnostic::on_unimplemented(
    message = "appending and reading ranges need text or bytes, but this key stores `{Self}`",
    label = "neither text nor bytes",
    note = "declare `value = String` or `value = Vec<u8>`"
)]
pub trait Appendable: Stored {}

/// UTF-8. Writes take `&str`.
#[diagnostic::do_not_recommend]
impl Stored for String {
    type Input = str;
    type Output = Self;

    #[inline]
    fn encode(value: &str, out: &mut impl io::Write) -> Result<(), StoredError> {
        out.write_all(value.as_bytes()).map_err(StoredError::from_io)
    }

    #[inline]
    fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
        Self::from_utf8(bytes).map_err(|_| StoredError::new("not UTF-8"))
    }

    #[inline]
    fn size_hint(value: &str) -> usize {
        value.len()
    }

    #[cfg(feature = "values")]
    fn form(_notes: &mut Vec<String>) -> Form {
        Form::Text(None)
    }
}

/// Any bytes. Writes take `&[u8]`.
#[diagnostic::do_not_recommend]
impl Stored for Vec<u8> {
    type Input = [u8];
    type Output = Self;

    #[inline]
    fn encode(value: &[u8], out: &mut impl io::Write) -> Result<(), StoredError> {
        out.write_all(value).map_err(StoredError::from_io)
    }

    #[inline]
    fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
        Ok(bytes)
    }

    #[inline]
    fn size_hint(value: &[u8]) -> usize {
        value.len()
    }

    #[cfg(feature = "values")]
    fn form(_notes: &mut Vec<String>) -> Form {
        Form::Bytes
    }
}

/// Any bytes. Writes take `&[u8]`.
#[cfg(feature = "bytes")]
#[diagnostic::do_not_recommend]
impl Stored for bytes::Bytes {
    type Input = [u8];
    type Output = Self;

    #[inline]
    fn encode(value: &[u8], out: &mut impl io::Write) -> Result<(), StoredError> {
        Vec::<u8>::encode(value, out)
    }

    #[inline]
    fn decode(bytes: Vec<u8>) -> Result<Self, StoredError> {
        Ok(bytes.into())
    }

    #[inline]
    fn size_hint(value: &[u8]) -> usize {
        value.len()
    }

    #[cfg(feature = "values")]
    fn form(_notes: &mut Vec<String>) -> Form {
        Form::Bytes
    }
}

/// Writes the text that a value has as a parameter.
///
/// # Errors
///
/// Returns an error if the value has no such text, for example a date before the year 0.
pub fn encode_parameter(value: &impl KeySegment, out: &mut impl io::Write) -> Result<(), StoredError> {
    let no_text = |_| StoredError::new("the value has no text as a parameter");
    out.write_all(write_whole(value).bytes().map_err(no_text)?).map_err(StoredError::from_io)
}

/// Reads the text that a value has as a parameter.
///
/// # Errors
///
/// Returns an error if no value has this text.
pub fn decode_parameter<T: KeySegment + for<'k> ParseSegment<'k>>(bytes: &[u8]) -> Result<T, StoredError> {
    let text = str::from_utf8(bytes).ok();
    let value = text.and_then(|text| T::parse(text).ok().filter(|value| writes(value, text, true)));
    value.ok_or(StoredError::new("not a text of the type as a parameter"))
}

/// The form of a type of parameters. A `cfg` in a macro would be one of the crate that calls it.
#[cfg(feature = "values")]
#[doc(hidden)]
#[macro_export]
macro_rules! __parameter_form {
    () => {
        fn form(_notes: &mut $crate::values::forms::Notes) -> $crate::values::forms::Form {
            $crate::values::forms::parameter::<Self>()
        }
    };
}

/// Nothing without the feature `values`.
#[cfg(not(feature = "values"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __parameter_form {
    () => {};
}

/// Implements [`Stored`] for a type of parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! __stored_as_parameter {
    ($(#[$allow:meta])* [$($params:tt)*] $type:ty [$($bounds:tt)*]) => {
        #[automatically_derived]
        $(#[$allow])*
        impl $($params)* $crate::stored::Stored for $type $($bounds)* {
            type Input = Self;
            type Output = Self;

            fn encode(
                value: &Self,
                out: &mut impl $crate::__private::Write,
            ) -> $crate::__private::EncodeResult {
                $crate::__private::encode_parameter(value, out)
            }

            fn decode(bytes: $crate::__private::Bytes) -> $crate::__private::DecodeResult<Self> {
                $crate::__private::decode_parameter(&bytes)
            }

            $crate::__parameter_form!();
        }
    };
}

__stored_as_parameter!(#[diagnostic::do_not_recommend] [] Ipv4Addr []);
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] Ipv6Addr []);
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] IpAddr []);
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] Year []);
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] Month []);
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] Day []);
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] Hour []);
#[cfg(feature = "uuid")]
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] uuid::Uuid []);
#[cfg(feature = "chrono")]
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] chrono::NaiveDate []);
#[cfg(feature = "jiff")]
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] jiff::civil::Date []);
#[cfg(feature = "time")]
__stored_as_parameter!(#[diagnostic::do_not_recommend] [] time::Date []);

#[diagnostic::do_not_recommend]
impl Appendable for String {}
#[diagnostic::do_not_recommend]
impl Appendable for Vec<u8> {}
#[cfg(feature = "bytes")]
#[diagnostic::do_not_recommend]
impl Appendable for bytes::Bytes {}
