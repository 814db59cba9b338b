//! The bytes that a key can contain.

/// Whether a word of a key can contain a byte: `a` to `z` and `0` to `9`.
///
/// ```
/// use redis_keys_core::alphabet::is_word_byte;
///
/// assert!(is_word_byte(b'a') && is_word_byte(b'7'));
/// assert!(!is_word_byte(b'A') && !is_word_byte(b'_') && !is_word_byte(b'.'));
/// ```
#[inline]
pub const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}
