//! Any text and any bytes in the letters and digits of a key, so that they can be read back.

use crate::KeyWriter;

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
        use base32ct::Encoding as _;

        key.literal(before);
        let mut out = key.segment();
        // Five bytes are eight letters, whatever stands before and behind.
        for five in self.as_bytes().chunks(5) {
            let mut letters = [0; 8];
            out.digits(base32ct::Base32Unpadded::encode(five, &mut letters).unwrap_or_default());
        }
    }
}
