//! Any text and any bytes in the letters and digits of a key, so that they can be read back.

use crate::key::KeyWriter;
#[cfg(feature = "base32")]
use crate::{parameter::ParseSegment, parameter::SegmentWriter};

/// What stands in a key in base32, as it is read back.
pub struct FromBase32<T>(pub T);

/// What is printed in base32: RFC 4648, in lower case and without padding.
#[cfg_attr(
    feature = "base32",
    diagnostic::on_unimplemented(
        message = "`{Self}` is neither text nor bytes",
        label = "neither text nor bytes",
        note = "`#[redis_key(base32)]` is for text (`String`, `&str`, …), for bytes (`Vec<u8>`, `&[u8]`, `[u8; 16]`, `Bytes`), and for newtypes of text with `#[derive(KeySegment)]`; numbers stand in a key as they are"
    )
)]
#[cfg_attr(
    not(feature = "base32"),
    diagnostic::on_unimplemented(
        message = "`#[redis_key(base32)]` needs the feature `base32` of redis-keys",
        label = "it stands in the key in base32",
        note = "switch it on: `cargo add redis-keys --features base32`"
    )
)]
pub trait Base32 {
    /// Eight letters for five bytes, where there is a bound.
    const LONGEST: Option<usize>;

    /// Writes the text before it, and it in base32.
    fn segment(&self, key: &mut KeyWriter, before: &'static str);

    /// The same: base32 has one word.
    fn word(&self, key: &mut KeyWriter, before: &'static str) {
        self.segment(key, before);
    }
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: super::bytes::AsBytes + ?Sized> Base32 for T {
    const LONGEST: Option<usize> = match T::MOST {
        Some(bytes) => Some((bytes * 8).div_ceil(5)),
        None => None,
    };

    fn segment(&self, key: &mut KeyWriter, before: &'static str) {
        key.literal(before);
        write(self.as_bytes(), &mut key.segment());
    }
}

#[cfg(feature = "base32")]
fn write(bytes: &[u8], out: &mut SegmentWriter<'_>) {
    use base32ct::Encoding as _;

    // Five bytes are eight letters, whatever stands before and behind.
    for five in bytes.chunks(5) {
        let mut letters = [0; 8];
        out.digits(base32ct::Base32Unpadded::encode(five, &mut letters).unwrap_or_default());
    }
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: super::bytes::AsBytes> crate::KeySegment for FromBase32<T> {
    const LONGEST: Option<usize> = <T as Base32>::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write(self.0.as_bytes(), out);
    }
}

#[cfg(feature = "base32")]
#[diagnostic::do_not_recommend]
impl<T: super::bytes::FromBytes> ParseSegment<'_> for FromBase32<T> {
    fn parse(text: &str) -> Result<Self, &'static str> {
        use base32ct::Encoding as _;

        // No parameter is longer than a key, and eight letters are five bytes.
        let mut bytes = [0; redis_keys_core::limits::MAX_KEY_BYTES];
        let bytes = base32ct::Base32Unpadded::decode(text, &mut bytes).map_err(|_| "is not in base32")?;
        T::from_bytes(bytes).map(Self)
    }
}
