//! Base64, for bytes that are not text.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in Base64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place)) as usize & 63;
            let is_padding = place > chunk.len();
            text.push(if is_padding { '=' } else { DIGITS.get(digit).map_or('=', |digit| char::from(*digit)) });
        }
    }
    text
}

/// Bytes from Base64 with padding, or `None` if it is not Base64.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut chunks = text.as_bytes().chunks_exact(4);
    for chunk in &mut chunks {
        let digits = chunk.iter().take_while(|digit| **digit != b'=').count();
        let mut bits = 0_u32;
        for (place, digit) in chunk.iter().enumerate() {
            let value = match digit {
                digit if place < digits => DIGITS.iter().position(|other| other == digit)?,
                b'=' => 0,
                _ => return None,
            };
            bits = bits << 6 | u32::try_from(value).ok()?;
        }
        let [_, whole @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(whole.get(..digits.checked_sub(1).filter(|length| *length > 0)?)?);
    }
    chunks.remainder().is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_their_text() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (b"\xff\x00\xfe\xfb", "/wD++w=="),
        ] {
            assert_eq!(base64(bytes), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes));
        }
        for text in ["Z", "Zg=", "Z===", "====", "Zg=?", "Zg=g", "Zm9v "] {
            assert_eq!(from_base64(text), None, "{text}");
        }
    }
}
