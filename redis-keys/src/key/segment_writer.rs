//! Writing one parameter of a key.

use redis_keys_core::alphabet::is_word_byte;

use super::{KeyProblem, KeyWriter};

/// The output of [`KeySegment::write`](crate::KeySegment::write).
///
/// Several calls append to the same parameter. All text is checked: text that a key cannot contain, or a parameter that is
/// still empty at the end, makes the key invalid.
pub struct SegmentWriter<'k> {
    key: &'k mut KeyWriter,
    start: usize,
    /// Whether the parameter is a whole segment, which can contain `.`.
    whole: bool,
    /// Whether the last byte is a `.`, which a word has to follow.
    after_dot: bool,
}

impl<'k> SegmentWriter<'k> {
    #[inline]
    pub(crate) fn new(key: &'k mut KeyWriter, whole: bool) -> Self {
        let start = key.len();
        Self { key, start, whole, after_dot: false }
    }

    /// Writes text: `a` to `z`, `0` to `9`, and single `.` between words if the parameter is a whole segment.
    #[inline]
    pub fn text(&mut self, text: &str) {
        if text.bytes().all(is_word_byte) {
            self.digits(text);
        } else {
            self.checked_text(text);
        }
    }

    /// Writes a number.
    #[inline]
    pub fn number(&mut self, number: u64) {
        self.digits(itoa::Buffer::new().format(number));
    }

    /// Rejects the value, which makes the key invalid.
    ///
    /// `reason` follows the name of the parameter in the message, as in "is negative". It must not contain the value itself,
    /// since errors are logged.
    #[cold]
    pub fn reject(&mut self, reason: &'static str) {
        self.key.reject(KeyProblem::Rejected(reason));
    }

    /// Writes text that is known to be letters and digits.
    #[inline]
    pub(crate) fn digits(&mut self, digits: &str) {
        debug_assert!(digits.bytes().all(is_word_byte), "these bytes are not checked again");
        self.key.push(digits.as_bytes());
        self.after_dot &= digits.is_empty();
    }

    /// Writes two hexadecimal digits for each byte.
    pub(crate) fn hex<const BYTES: usize>(&mut self, bytes: [u8; BYTES]) {
        let digit = |nibble| if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 };
        let digits = bytes.map(|byte| [digit(byte >> 4), digit(byte & 0xF)]);
        // Digits are ASCII, so this is always text.
        self.digits(str::from_utf8(digits.as_flattened()).unwrap_or_default());
    }

    /// Writes text byte by byte, up to the first one that is not allowed.
    fn checked_text(&mut self, text: &str) {
        let start = self.written();
        for byte in text.bytes() {
            let at = self.written();
            if byte == b'.' && !self.whole {
                return self.key.reject(KeyProblem::DotInWord { at });
            }
            if byte == b'.' && (at == 0 || self.after_dot) {
                return self.key.reject(KeyProblem::StrayDot { at });
            }
            if byte != b'.' && !is_word_byte(byte) {
                return self.key.reject(invalid_byte(text, start).unwrap_or(KeyProblem::Byte { byte, at }));
            }
            self.key.push(&[byte]);
            self.after_dot = byte == b'.';
        }
    }

    #[inline]
    fn written(&self) -> usize {
        self.key.len() - self.start
    }
}

impl Drop for SegmentWriter<'_> {
    /// Ends the parameter and checks that it is complete.
    #[inline]
    fn drop(&mut self) {
        let len = self.written();
        if len == 0 {
            self.key.reject(KeyProblem::Empty);
        } else if self.after_dot {
            self.key.reject(KeyProblem::StrayDot { at: len - 1 });
        }
        self.key.end_parameter(len);
    }
}

/// The first byte of text that is invalid in lower case too: the advice to lower-case the text would not be enough.
#[cold]
fn invalid_byte(text: &str, start: usize) -> Option<KeyProblem> {
    let is_invalid = |byte: u8| byte != b'.' && !byte.is_ascii_alphanumeric();
    let (at, byte) = text.bytes().enumerate().find(|&(_, byte)| is_invalid(byte))?;
    Some(KeyProblem::Byte { byte, at: start + at })
}
