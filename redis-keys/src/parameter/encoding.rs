//! Encoded parameters, for text and bytes that a key cannot contain: `#[redis_key(digest)]` and `#[redis_key(base32)]`.
//!
//! The encoded text is stored data: later versions of this crate must find the keys that earlier versions wrote.

#[cfg(feature = "base32")]
use super::{ParseSegment, bytes::FromBytes};
#[cfg(any(feature = "base32", feature = "digest"))]
use super::{SegmentWriter, bytes::AsBytes};
use crate::key::KeyWriter;

/// Declares the trait of an encoding and implements it for all types with bytes.
macro_rules! encoding {
    (
        $(#[doc = $doc:literal])*
        $encoding:ident, $feature:literal: $unsupported:literal, $missing_feature:literal, $install:literal,
        $longest:expr, $write:expr
    ) => {
        $(#[doc = $doc])*
        #[cfg_attr(
            feature = $feature,
            diagnostic::on_unimplemented(
                message = $unsupported,
                label = "neither text nor bytes",
                note = "text (`String`, `&str`, …), bytes (`Vec<u8>`, `&[u8]`, `[u8; 16]`, `Bytes`) and newtypes of text with `#[derive(KeySegment)]` can be encoded; integers need no encoding"
            )
        )]
        #[cfg_attr(
            not(feature = $feature),
            diagnostic::on_unimplemented(message = $missing_feature, label = "this parameter is encoded", note = $install)
        )]
        pub trait $encoding {
            /// The length of the longest encoded value, if it is bounded.
            const LONGEST: Option<usize>;

            /// Writes the literal text before the parameter, and the encoded value.
            #[doc(hidden)]
            fn segment(&self, key: &mut KeyWriter, before: &'static str);

            /// Does the same as [`segment`](Self::segment): an encoded value has no `.`.
            #[doc(hidden)]
            fn word(&self, key: &mut KeyWriter, before: &'static str) {
                self.segment(key, before);
            }
        }

        #[cfg(feature = $feature)]
        #[diagnostic::do_not_recommend]
        impl<T: AsBytes + ?Sized> $encoding for T {
            const LONGEST: Option<usize> = $longest;

            fn segment(&self, key: &mut KeyWriter, before: &'static str) {
                key.literal(before);
                $write(self.as_bytes(), &mut key.segment());
            }
        }
    };
}

encoding! {
    /// A value that can be written as a digest: the first 128 bits of its SHA-256, in hexadecimal digits.
    Digest, "digest":
    "`{Self}` cannot be encoded as a digest",
    "`#[redis_key(digest)]` needs the feature `digest` of redis-keys",
    "enable it: `cargo add redis-keys --features digest`",
    Some(32), write_digest
}

encoding! {
    /// A value that can be written in base32: RFC 4648, in lower case and without padding.
    Base32, "base32":
    "`{Self}` cannot be encoded as base32",
    "`#[redis_key(base32)]` needs the feature `base32` of redis-keys",
    "enable it: `cargo add redis-keys --features base32`",
    // Eight letters encode five bytes.
    match T::MAX_BYTES {
        Some(bytes) => Some((bytes * 8).div_ceil(5)),
        None => None,
    },
    write_base32
}

/// Writes a digest as hexadecimal digits.
#[cfg(feature = "digest")]
fn write_digest(bytes: &[u8], out: &mut SegmentWriter<'_>) {
    out.hex(redis_keys_core::encoding::digest(bytes));
}

#[cfg(feature = "base32")]
fn write_base32(bytes: &[u8], out: &mut SegmentWriter<'_>) {
    redis_keys_core::encoding::write_base32(bytes, |letters| out.digits(letters));
}

/// A base32 parameter that was parsed from a key.
pub struct FromBase32<T>(pub T);

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: AsBytes> crate::KeySegment for FromBase32<T> {
    const LONGEST: Option<usize> = <T as Base32>::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write_base32(self.0.as_bytes(), out);
    }
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: FromBytes> ParseSegment<'_> for FromBase32<T> {
    fn parse(text: &str) -> Result<Self, &'static str> {
        // Decoding makes text shorter, and no parameter is longer than a key.
        let mut buffer = [0; redis_keys_core::limits::MAX_KEY_BYTES];
        let bytes = redis_keys_core::encoding::read_base32(text, &mut buffer).ok_or("is not valid base32")?;
        T::from_bytes(bytes).map(Self)
    }
}
