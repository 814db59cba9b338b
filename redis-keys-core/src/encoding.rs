//! Encoded parameters: the texts of `#[redis_key(base32)]` and `#[redis_key(digest)]`.
//!
//! The encoded text is stored data: every later version of this crate must write the same text.

/// Writes the base32 of these bytes piece by piece: RFC 4648, in lower case and without padding.
#[cfg(feature = "base32")]
#[inline]
pub fn write_base32(bytes: &[u8], mut write: impl FnMut(&str)) {
    use base32ct::Encoding as _;

    // Five bytes encode to eight letters independently of their neighbours.
    for five in bytes.chunks(5) {
        let mut letters = [0; 8];
        write(base32ct::Base32Unpadded::encode(five, &mut letters).unwrap_or_default());
    }
}

/// Decodes base32 into a buffer, which is large enough if it is as long as the text. Returns `None` for other text.
#[cfg(feature = "base32")]
#[inline]
pub fn read_base32<'b>(text: &str, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    use base32ct::Encoding as _;

    base32ct::Base32Unpadded::decode(text, buffer).ok()
}

/// Returns the first 128 bits of the SHA-256 of these bytes.
#[cfg(feature = "digest")]
#[inline]
pub fn digest(bytes: &[u8]) -> [u8; 16] {
    use sha2::Digest as _;

    let digest: [u8; 32] = sha2::Sha256::digest(bytes).into();
    let (first, _) = digest.split_at(16);
    first.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "base32")]
    #[test]
    fn base32_is_written_and_read() {
        // The examples of RFC 4648.
        for (bytes, expected) in
            [("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("fooba", "mzxw6ytb"), ("foobar", "mzxw6ytboi")]
        {
            let (mut text, mut buffer) = (String::new(), [0; 16]);
            super::write_base32(bytes.as_bytes(), |letters| text.push_str(letters));
            assert_eq!(text, expected);
            assert_eq!(super::read_base32(&text, &mut buffer), Some(bytes.as_bytes()));
        }
        for text in ["MZXW6", "mzxw6===", "1", "mzxw6\n", "ü"] {
            assert_eq!(super::read_base32(text, &mut [0; 16]), None, "{text}");
        }
    }

    #[cfg(feature = "digest")]
    #[test]
    fn a_digest_is_the_first_half_of_the_sha_256() {
        // `printf abc | sha256sum`
        assert_eq!(u128::from_be_bytes(super::digest(b"abc")), 0xba78_16bf_8f01_cfea_4141_40de_5dae_2223);
    }
}
