//! Text and bytes, stored verbatim.

use std::io;

use super::{Stored, StoredError};

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
}

#[diagnostic::do_not_recommend]
impl Appendable for String {}
#[diagnostic::do_not_recommend]
impl Appendable for Vec<u8> {}
#[cfg(feature = "bytes")]
#[diagnostic::do_not_recommend]
impl Appendable for bytes::Bytes {}
