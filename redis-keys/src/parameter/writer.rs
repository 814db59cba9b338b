//! The place of one parameter in a key that is being written.

use redis_keys_core::alphabet::is_word_byte;

use crate::key::{KeyFaultKind, KeyWriter};

/// What [`KeySegment::write`](crate::KeySegment::write) writes into. It checks everything that it gets, and refuses the key
/// when nothing was written at all.
///
/// The pieces of several calls stand one behind the other.
pub struct SegmentWriter<'k> {
    key: &'k mut KeyWriter,
    start: usize,
    /// Whether the parameter stands alone between two `:`, so that it may have several words.
    whole: bool,
    /// Whether a `.` was the last thing written, behind which a word is missing.
    open: bool,
}

impl<'k> SegmentWriter<'k> {
    #[inline]
    pub(crate) fn new(key: &'k mut KeyWriter, whole: bool) -> Self {
        let start = key.len();
        Self { key, start, whole, open: false }
    }

    /// Writes text: `a` to `z`, `0` to `9`, and `.` between words where the parameter is a whole segment.
    #[inline]
    pub fn text(&mut self, text: &str) {
        if text.bytes().all(is_word_byte) {
            self.digits(text);
        } else {
            self.text_with_signs(text);
        }
    }

    /// Writes a number.
    #[inline]
    pub fn number(&mut self, number: u64) {
        self.digits(itoa::Buffer::new().format(number));
    }

    /// Refuses the value. `why` follows the name of the parameter in the message, as in "is negative"; it must say nothing
    /// of the value itself, since errors are logged.
    #[cold]
    pub fn refuse(&mut self, why: &'static str) {
        self.key.refuse(KeyFaultKind::Refused(why));
    }

    /// Writes what is known to be letters and digits.
    #[inline]
    pub(crate) fn digits(&mut self, digits: &str) {
        debug_assert!(digits.bytes().all(is_word_byte), "these bytes are not checked again");
        self.key.push(digits.as_bytes());
        self.open &= digits.is_empty();
    }

    /// Text that has something other than letters and digits in it, byte by byte.
    fn text_with_signs(&mut self, text: &str) {
        for byte in text.bytes() {
            let at = self.written();
            if byte == b'.' && !self.whole {
                return self.key.refuse(KeyFaultKind::Dot { at, lone: false });
            }
            if byte == b'.' && (at == 0 || self.open) {
                return self.key.refuse(KeyFaultKind::Dot { at, lone: true });
            }
            if byte != b'.' && !is_word_byte(byte) {
                return self.key.refuse(KeyFaultKind::Byte { byte, at });
            }
            self.key.push(&[byte]);
            self.open = byte == b'.';
        }
    }

    #[inline]
    fn written(&self) -> usize {
        self.key.len() - self.start
    }
}

impl Drop for SegmentWriter<'_> {
    /// The end of the parameter: the place to see what is missing.
    #[inline]
    fn drop(&mut self) {
        let len = self.written();
        if len == 0 {
            self.key.refuse(KeyFaultKind::Empty);
        } else if self.open {
            self.key.refuse(KeyFaultKind::Dot { at: len - 1, lone: true });
        }
        self.key.end_parameter(len);
    }
}
