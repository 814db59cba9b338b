//! Text and bytes, the values of parameters with an encoding.

use std::borrow::Cow;
use std::sync::Arc;

#[cfg(feature = "base32")]
use super::FromInner;
use super::Newtype;

/// A type whose values are text or bytes.
pub trait AsBytes {
    /// The length of the longest value, if it is bounded.
    const MAX_BYTES: Option<usize> = None;

    /// Returns the bytes: for text, its UTF-8.
    fn as_bytes(&self) -> &[u8];
}

macro_rules! as_bytes {
    ($($type:ty)*; $as_bytes:expr) => {$(
        #[diagnostic::do_not_recommend]
        impl AsBytes for $type {
            #[inline]
            fn as_bytes(&self) -> &[u8] {
                $as_bytes(self)
            }
        }
    )*};
}

as_bytes!(str String &str &String [u8] &[u8] Vec<u8> Box<[u8]> Arc<[u8]> Cow<'_, [u8]>; AsRef::<[u8]>::as_ref);
as_bytes!(Box<str> Arc<str> Cow<'_, str>; str::as_bytes);
#[cfg(feature = "bytes")]
as_bytes!(bytes::Bytes; AsRef::<[u8]>::as_ref);

macro_rules! arrays {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const N: usize> AsBytes for $type {
            const MAX_BYTES: Option<usize> = Some(N);

            #[inline]
            fn as_bytes(&self) -> &[u8] {
                self.as_slice()
            }
        }
    )*};
}

arrays!([u8; N] & [u8; N]);

#[diagnostic::do_not_recommend]
impl<T: Newtype<Inner: AsBytes> + ?Sized> AsBytes for T {
    const MAX_BYTES: Option<usize> = <T::Inner as AsBytes>::MAX_BYTES;

    #[inline]
    fn as_bytes(&self) -> &[u8] {
        self.inner().as_bytes()
    }
}

/// A type that can be created from decoded bytes.
#[cfg(feature = "base32")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be parsed from a key",
    label = "cannot be created from the decoded bytes",
    note = "`String`, `Vec<u8>`, `[u8; 16]`, `Bytes` and other owned text and bytes can be parsed, and newtypes of text with `#[derive(KeySegment)]`"
)]
pub trait FromBytes: AsBytes + Sized {
    /// Creates the value.
    fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str>;
}

#[cfg(feature = "base32")]
macro_rules! from_bytes {
    ($($type:ty)*; $from_bytes:expr) => {$(
        #[diagnostic::do_not_recommend]
        impl FromBytes for $type {
            fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
                $from_bytes(bytes).map(Self::from)
            }
        }
    )*};
}

#[cfg(feature = "base32")]
from_bytes!(Vec<u8> Box<[u8]> Arc<[u8]> Cow<'_, [u8]>; |bytes: &[u8]| Ok(bytes.to_vec()));
#[cfg(all(feature = "base32", feature = "bytes"))]
from_bytes!(bytes::Bytes; |bytes: &[u8]| Ok(bytes.to_vec()));
#[cfg(feature = "base32")]
from_bytes!(String Box<str> Arc<str> Cow<'_, str>; utf8);

#[cfg(feature = "base32")]
fn utf8(bytes: &[u8]) -> Result<String, &'static str> {
    String::from_utf8(bytes.to_vec()).map_err(|_| "is not UTF-8 when decoded")
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<const N: usize> FromBytes for [u8; N] {
    fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
        bytes.try_into().map_err(|_| "has the wrong number of bytes when decoded")
    }
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: FromInner<Inner: FromBytes>> FromBytes for T {
    fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
        T::Inner::from_bytes(bytes).map(Self::from_inner)
    }
}
