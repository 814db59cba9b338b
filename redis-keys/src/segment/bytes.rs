//! Text and bytes of any kind as one word of a key: a digest, or base32.

use std::{borrow::Cow, sync::Arc};

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

#[diagnostic::do_not_recommend]
impl<T: Newtype<Inner: AsBytes> + ?Sized> AsBytes for T {
    const MOST: Option<usize> = <T::Inner as AsBytes>::MOST;

    #[inline]
    fn as_bytes(&self) -> &[u8] {
        self.inner().as_bytes()
    }
}
