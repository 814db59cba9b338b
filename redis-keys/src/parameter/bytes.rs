//! Text and bytes of any kind as one word of a key: a digest, or base32.

use std::{borrow::Cow, sync::Arc};

#[cfg(feature = "base32")]
use super::FromInner;
use super::Newtype;

/// What has bytes.
pub trait AsBytes {
    /// How many bytes it has at most, or `None` when there is no bound.
    const MOST: Option<usize> = None;

    /// The bytes: those of a text in UTF-8.
    fn as_bytes(&self) -> &[u8];
}

macro_rules! bytes {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl AsBytes for $type {
            #[inline]
            fn as_bytes(&self) -> &[u8] {
                self.as_ref()
            }
        }
    )*};
}

bytes!(str String [u8] &[u8] Vec<u8> Box<[u8]> Arc<[u8]> Cow<'_, [u8]>);

#[cfg(feature = "bytes")]
bytes!(bytes::Bytes);

macro_rules! text {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl AsBytes for $type {
            #[inline]
            fn as_bytes(&self) -> &[u8] {
                let text: &str = self;
                text.as_bytes()
            }
        }
    )*};
}

text!(&str &String Box<str> Arc<str> Cow<'_, str>);

macro_rules! arrays {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const N: usize> AsBytes for $type {
            const MOST: Option<usize> = Some(N);

            #[inline]
            fn as_bytes(&self) -> &[u8] {
                self.as_slice()
            }
        }
    )*};
}

arrays!([u8; N] & [u8; N]);

/// What can be made of bytes that were read back.
#[cfg(feature = "base32")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read back from a key",
    label = "it cannot be made of the bytes that stand there in base32",
    note = "`String`, `Vec<u8>`, `[u8; 16]`, `Bytes` and other text and bytes that are not borrowed can, and newtypes of text with `#[derive(KeySegment)]`"
)]
pub trait FromBytes: AsBytes + Sized {
    /// The value.
    fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str>;
}

#[cfg(feature = "base32")]
macro_rules! from_bytes {
    ($($type:ty)*; $($text:ty)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl FromBytes for $type {
                fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
                    Ok(bytes.to_vec().into())
                }
            }
        )*
        $(
            #[diagnostic::do_not_recommend]
            impl FromBytes for $text {
                fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
                    let text = std::str::from_utf8(bytes).map_err(|_| "is no text in UTF-8, in base32")?;
                    Ok(text.to_owned().into())
                }
            }
        )*
    };
}

#[cfg(feature = "base32")]
from_bytes!(Vec<u8> Box<[u8]> Arc<[u8]> Cow<'_, [u8]>; String Box<str> Arc<str> Cow<'_, str>);

#[cfg(all(feature = "base32", feature = "bytes"))]
from_bytes!(bytes::Bytes;);

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<const N: usize> FromBytes for [u8; N] {
    fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
        bytes.try_into().map_err(|_| "has another number of bytes, in base32")
    }
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: FromInner<Inner: FromBytes>> FromBytes for T {
    fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
        T::Inner::from_bytes(bytes).map(Self::from_inner)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Newtype<Inner: AsBytes> + ?Sized> AsBytes for T {
    const MOST: Option<usize> = <T::Inner as AsBytes>::MOST;

    #[inline]
    fn as_bytes(&self) -> &[u8] {
        self.inner().as_bytes()
    }
}
