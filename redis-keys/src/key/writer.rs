//! Writing keys.

use std::fmt;

use redis_keys_core::legacy::{WrittenForm, reads_as_template};
use redis_keys_core::limits::{MAX_KEY_BYTES, MAX_LEGACY_KEY_BYTES, is_word_byte};

#[cfg(any(test, feature = "testing"))]
use super::test_prefix;
use super::{InvalidKey, Key, KeyProblem, namespace};
use crate::schema::Schema;

/// The capacity of a key: its limit, and the prefix of a test's own keys.
pub(super) const CAPACITY: usize = MAX_KEY_BYTES + TEST_PREFIX_BYTES;

#[cfg(any(test, feature = "testing"))]
const TEST_PREFIX_BYTES: usize = test_prefix::BYTES;
#[cfg(not(any(test, feature = "testing")))]
const TEST_PREFIX_BYTES: usize = 0;

/// A declaration and the text of a key. Every [`RedisKey`](crate::RedisKey) implements it.
pub(crate) trait KeyText {
    const SCHEMA: &'static Schema;

    /// Writes the key.
    fn write_text(&self, key: &mut KeyWriter);

    /// Returns the end of the bucket from which the expiry counts, in seconds since 1970.
    fn bucket_end(&self) -> Option<i64>;
}

/// The output of [`RedisKey::write_key`](crate::RedisKey::write_key): a buffer on the stack.
///
/// Its methods do not fail. The first problem is kept until the key is finished.
pub struct KeyWriter {
    bytes: [u8; CAPACITY],
    /// The length of the test prefix, which does not count towards the limit.
    #[cfg(any(test, feature = "testing"))]
    test_prefix: usize,
    /// The limit of the key's length.
    limit: usize,
    /// The length of the whole text, even where it exceeds the buffer.
    len: usize,
    parameters: usize,
    /// The index and the length of the longest parameter, which is to blame if the key is too long.
    longest: (usize, usize),
    invalid: Option<InvalidKey>,
    /// The whole text of a legacy key that exceeds the buffer.
    #[allow(clippy::box_collection, reason = "every command has a writer on its stack, and few are that long")]
    long: Option<Box<String>>,
}

/// A parameter of a legacy text.
///
/// It consists of the parameter's index in the template, the number of digits that is filled up with zeros, whether it
/// contains no `:`, the text that ends it, and the form that the name of its type promises. The parameter must not
/// contain the text that ends it, unless that text is empty.
pub type LegacyValue = (usize, usize, bool, &'static str, WrittenForm);

/// The function that writes the other name of a key, if it has one.
pub type OtherNameWriter<K> = Option<fn(&K, &mut KeyWriter) -> &'static str>;

impl KeyWriter {
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [0; CAPACITY],
            #[cfg(any(test, feature = "testing"))]
            test_prefix: 0,
            limit: MAX_KEY_BYTES,
            len: 0,
            parameters: 0,
            longest: (0, 0),
            invalid: None,
            long: None,
        }
    }

    /// Writes a whole key.
    #[inline]
    pub(crate) fn write<K: KeyText>(&mut self, key: &K) {
        if K::SCHEMA.legacy.is_some() {
            return self.write_legacy(key);
        }
        self.limit = K::SCHEMA.max_key_bytes;
        key.write_text(self);
        // Inserting the prefix last keeps the offsets of keys without one constant.
        if let Some(namespace) = namespace::of_keys() {
            self.insert_namespace(namespace);
        }
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = test_prefix::of_key(K::SCHEMA.name) {
            self.prepend(&prefix);
            self.test_prefix = prefix.len();
        }
    }

    fn write_legacy<K: KeyText>(&mut self, key: &K) {
        self.limit = MAX_LEGACY_KEY_BYTES;
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = test_prefix::of_key(K::SCHEMA.name) {
            self.push(&prefix);
            self.test_prefix = prefix.len();
        }
        let prefix = namespace::legacy_prefix();
        let start = self.len;
        if !prefix.is_empty() {
            self.push_legacy(prefix);
        }
        key.write_text(self);
        // Without either, the declarations were compared at compile time.
        let namespace = namespace::of_keys();
        if (namespace.is_some() || !prefix.is_empty()) && can_be_of_template(self.text_from(start), namespace) {
            // No parameter is to blame.
            self.parameters = usize::MAX;
            self.reject(KeyProblem::ReadsAsTemplate);
        }
    }

    #[cold]
    fn insert_namespace(&mut self, namespace: &str) {
        self.prepend(b":");
        self.prepend(namespace.as_bytes());
    }

    /// Moves the text back and writes `prefix` before it. Text that exceeds the capacity is too long in any case.
    fn prepend(&mut self, prefix: &[u8]) {
        let len = self.len + prefix.len();
        if let Some(bytes) = self.bytes.get_mut(..len) {
            bytes.copy_within(..self.len, prefix.len());
            let (start, _) = bytes.split_at_mut(prefix.len());
            start.copy_from_slice(prefix);
        }
        self.len = len;
    }

    /// Returns the length of the key with its namespace, without the test prefix.
    #[inline]
    fn key_len(&self) -> usize {
        #[cfg(any(test, feature = "testing"))]
        return self.len - self.test_prefix;
        #[cfg(not(any(test, feature = "testing")))]
        return self.len;
    }

    /// Writes literal text of the template, which was checked at compile time.
    #[inline]
    pub fn literal(&mut self, text: &'static str) {
        self.push(text.as_bytes());
    }

    /// Writes the literal text before the copy's number, and the number.
    #[inline]
    pub fn copy(&mut self, before: &'static str, number: u32, copies: u32) {
        self.literal(before);
        if number >= copies {
            self.reject(KeyProblem::Copy { copies });
        }
        self.segment().number(number.into());
    }

    /// Starts a parameter that is a whole segment.
    #[inline]
    pub fn segment(&mut self) -> SegmentWriter<'_> {
        SegmentWriter::new(self, true)
    }

    /// Starts a parameter that is a word within a segment.
    #[inline]
    pub fn word(&mut self) -> SegmentWriter<'_> {
        SegmentWriter::new(self, false)
    }

    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        if let Some(target) = self.bytes.get_mut(self.len..end) {
            target.copy_from_slice(bytes);
        }
        self.len = end;
    }

    /// Writes text of a legacy text, which can exceed the buffer.
    #[inline]
    pub(crate) fn push_legacy(&mut self, text: &str) {
        if self.len + text.len() > CAPACITY {
            self.push_long(text.as_bytes());
        }
        self.push(text.as_bytes());
    }

    #[cold]
    fn push_long(&mut self, bytes: &[u8]) {
        let start = self.bytes.get(..self.len).unwrap_or_default();
        let long = self.long.get_or_insert_with(|| Box::new(String::from_utf8_lossy(start).into_owned()));
        if long.len() < self.limit {
            long.push_str(&String::from_utf8_lossy(bytes));
        }
    }

    /// Writes a parameter of a legacy text.
    pub(crate) fn legacy_value(
        &mut self,
        before: &'static str,
        (index, zeros, no_colon, end, form): LegacyValue,
        write: impl FnOnce(&mut LegacyWriter<'_>, usize) -> fmt::Result,
    ) {
        self.push_legacy(before);
        let start = self.len;
        self.parameters = index;
        if write(&mut LegacyWriter(self), zeros).is_err() {
            self.reject(KeyProblem::Rejected("cannot be written: its `fmt` returned an error"));
        }
        if !form.gives(self.text_from(start)) {
            self.reject(KeyProblem::OtherForm);
        } else if no_colon && self.text_from(start).contains(':') {
            self.reject(KeyProblem::Colon);
        } else if !end.is_empty() && ends_early(self.text_from(start), end) {
            self.reject(KeyProblem::Ends { end });
        }
        let len = self.len - start;
        self.end_parameter(len);
    }

    /// The text from a byte on.
    fn text_from(&self, start: usize) -> &str {
        match &self.long {
            None => str::from_utf8(self.bytes.get(start..self.len).unwrap_or_default()).unwrap_or_default(),
            Some(long) => long.get(start..).unwrap_or_default(),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Marks the key as invalid, and keeps the first problem.
    #[cold]
    pub(crate) fn reject(&mut self, problem: KeyProblem) {
        let parameter = self.parameters;
        self.invalid.get_or_insert(InvalidKey { parameter, problem });
    }

    #[inline]
    pub(crate) fn end_parameter(&mut self, len: usize) {
        if len > self.longest.1 {
            self.longest = (self.parameters, len);
        }
        self.parameters += 1;
    }

    /// Returns the text of the key.
    #[inline]
    pub(crate) fn bytes(&self) -> Result<&[u8], InvalidKey> {
        match self.bytes.get(..self.len) {
            Some(bytes) if self.invalid.is_none() && self.key_len() <= self.limit => Ok(bytes),
            _ => self.long_bytes(),
        }
    }

    #[cold]
    fn long_bytes(&self) -> Result<&[u8], InvalidKey> {
        match &self.long {
            Some(long) if self.invalid.is_none() && self.key_len() <= self.limit => Ok(long.as_bytes()),
            _ => Err(self.invalid()),
        }
    }

    #[inline]
    pub(crate) fn finish(&mut self) -> Result<Key, InvalidKey> {
        self.bytes()?;
        let long = if self.len > CAPACITY { self.long.take() } else { None };
        Ok(Key::new(self.bytes, self.len, long.map(|long| long.into_boxed_str())))
    }

    #[cold]
    fn invalid(&self) -> InvalidKey {
        let (parameter, len) = self.longest;
        let is_legacy = self.limit > MAX_KEY_BYTES;
        let namespace = namespace::get().filter(|_| !is_legacy).map_or(0, |namespace| namespace.len() + 1);
        let problem = KeyProblem::TooLong { key: self.key_len(), namespace, parameter: len, limit: self.limit };
        self.invalid.unwrap_or(InvalidKey { parameter, problem })
    }
}

/// Whether the text that ends a value first occurs before the value's end, maybe partly behind it: `a:` before `::`.
fn ends_early(value: &str, end: &str) -> bool {
    value.contains(end)
        || (1..end.len()).any(|split| {
            // The end of the value and the start of the text behind it.
            end.get(..split).is_some_and(|start| value.ends_with(start))
                && end.get(split..).is_some_and(|rest| end.starts_with(rest))
        })
}

/// Whether a key under its legacy text can be the key of a template.
fn can_be_of_template(key: &str, namespace: Option<&str>) -> bool {
    let Some(namespace) = namespace else { return reads_as_template(key) };
    key.strip_prefix(namespace).and_then(|rest| rest.strip_prefix(':')).is_some_and(reads_as_template)
}

/// Writes a value that `format!` would write.
pub(crate) struct LegacyWriter<'k>(&'k mut KeyWriter);

impl fmt::Write for LegacyWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push_legacy(text);
        Ok(())
    }
}

impl LegacyWriter<'_> {
    /// The method that `write!` calls.
    pub(crate) fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> fmt::Result {
        fmt::Write::write_fmt(self, arguments)
    }
}

/// The output of [`KeySegment::write`](crate::KeySegment::write).
///
/// Several calls append to the same parameter. All text is checked: text that a key cannot contain, or a parameter that
/// is still empty at the end, makes the key invalid.
pub struct SegmentWriter<'k> {
    key: &'k mut KeyWriter,
    start: usize,
    /// Whether the parameter is a whole segment, which can contain `.`.
    whole: bool,
    /// Whether the last byte is a `.`, so that a word has to follow.
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
    /// `reason` follows the name of the parameter in the message, as in "is negative". It must not contain the value
    /// itself: errors are logged.
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

    /// Writes text byte by byte, up to the first byte that is not allowed.
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
