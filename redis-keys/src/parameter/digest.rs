//! A digest in the place of text that is long or free.

use crate::key::KeyWriter;

/// What is printed as the first 128 bits of its SHA-256, in hexadecimal digits.
///
/// That is for ever: what one version of this crate stores is found by every later one.
#[cfg_attr(
    feature = "digest",
    diagnostic::on_unimplemented(
        message = "`{Self}` is neither text nor bytes",
        label = "neither text nor bytes",
        note = "`#[redis_key(digest)]` is for text (`String`, `&str`, …), for bytes (`Vec<u8>`, `&[u8]`, `[u8; 16]`, `Bytes`), and for newtypes of text with `#[derive(KeySegment)]`; numbers stand in a key as they are"
    )
)]
#[cfg_attr(
    not(feature = "digest"),
    diagnostic::on_unimplemented(
        message = "`#[redis_key(digest)]` needs the feature `digest` of redis-keys",
        label = "its digest stands in the key",
        note = "switch it on: `cargo add redis-keys --features digest`"
    )
)]
pub trait Digest {
    /// The digits of 128 bits.
    const LONGEST: Option<usize> = Some(32);

    /// Writes the text before it, and its digest.
    fn segment(&self, key: &mut KeyWriter, before: &'static str);

    /// The same: a digest has one word.
    fn word(&self, key: &mut KeyWriter, before: &'static str) {
        self.segment(key, before);
    }
}

#[cfg(feature = "digest")]
#[diagnostic::do_not_recommend]
impl<T: super::bytes::AsBytes + ?Sized> Digest for T {
    fn segment(&self, key: &mut KeyWriter, before: &'static str) {
        key.literal(before);
        let digits = digits(self.as_bytes());
        // Always text, since digits are ASCII.
        key.segment().digits(std::str::from_utf8(&digits).unwrap_or_default());
    }
}

/// The first 16 bytes of a SHA-256, as lower-case hexadecimal digits.
#[cfg(feature = "digest")]
pub(crate) fn digits(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest as _;

    let digest = sha2::Sha256::digest(bytes);
    let mut digits = [0; 32];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(digest) {
        let nibbles =
            [byte >> 4, byte & 0xF].map(|nibble| if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 });
        pair.copy_from_slice(&nibbles);
    }
    digits
}
