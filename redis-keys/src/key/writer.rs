//! Writing keys.

use redis_keys_core::limits::MAX_KEY_BYTES;

use super::{InvalidKey, Key, KeyProblem, SegmentWriter, namespace};
use crate::RedisKey;

/// The capacity of a key: its limit, and the prefix of a test's own keys.
pub(super) const CAPACITY: usize = MAX_KEY_BYTES + TEST_PREFIX_BYTES;

#[cfg(any(test, feature = "testing"))]
const TEST_PREFIX_BYTES: usize = crate::testing::Prefix::BYTES;
#[cfg(not(any(test, feature = "testing")))]
const TEST_PREFIX_BYTES: usize = 0;

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
}

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
        }
    }

    /// Writes a whole key.
    #[inline]
    pub(crate) fn write<K: RedisKey>(&mut self, key: &K) {
        self.limit = K::SCHEMA.max_key_bytes;
        let end = key.write_key(self);
        self.literal(end);
        // Inserting the prefix last keeps the offsets of keys without one constant.
        if let Some(namespace) = namespace::of_keys() {
            self.insert_namespace(namespace);
        }
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = crate::testing::prefix_of_key(K::SCHEMA.name) {
            self.prepend(prefix.as_bytes());
            self.test_prefix = prefix.len();
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

    /// Writes the literal text before it, and the number of a copy.
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

    /// Starts a parameter that is one of several words of a segment.
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
            _ => Err(self.invalid()),
        }
    }

    pub(crate) fn finish(self) -> Result<Key, InvalidKey> {
        self.bytes()?;
        Ok(Key::new(self.bytes, self.len))
    }

    #[cold]
    fn invalid(&self) -> InvalidKey {
        let (parameter, len) = self.longest;
        let namespace = namespace::get().map_or(0, |namespace| namespace.len() + 1);
        let problem = KeyProblem::TooLong { key: self.key_len(), namespace, parameter: len, limit: self.limit };
        self.invalid.unwrap_or(InvalidKey { parameter, problem })
    }
}
