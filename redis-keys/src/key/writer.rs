//! A key while it is being written.

use redis_keys_core::limits::MAX_KEY_BYTES;

use super::{Key, KeyFault, KeyFaultKind};
use crate::{KeySegment, RedisKey, key::namespace, parameter::SegmentWriter};

/// The most bytes, with what tests put in front of a key.
pub(super) const ROOM: usize = MAX_KEY_BYTES + MOST_IN_FRONT;

#[cfg(any(test, feature = "testing"))]
const MOST_IN_FRONT: usize = crate::testing::Prefix::BYTES;
#[cfg(not(any(test, feature = "testing")))]
const MOST_IN_FRONT: usize = 0;

/// What [`RedisKey::write_key`](crate::RedisKey::write_key) writes into: a buffer on the stack.
///
/// Its calls don't fail. The first fault is kept until the key is asked for.
pub struct KeyWriter {
    bytes: [u8; ROOM],
    /// Bytes that stand in front of the key and don't count.
    #[cfg(any(test, feature = "testing"))]
    uncounted: usize,
    /// How many bytes the key may have.
    most: usize,
    /// Counts on beyond the buffer's end, so that the message can say how long the key is.
    len: usize,
    parameters: usize,
    /// The longest parameter and its length: what to shorten when the key is too long.
    longest: (usize, usize),
    fault: Option<KeyFault>,
}

impl KeyWriter {
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            #[cfg(any(test, feature = "testing"))]
            uncounted: 0,
            most: MAX_KEY_BYTES,
            len: 0,
            parameters: 0,
            longest: (0, 0),
            fault: None,
        }
    }

    /// Writes a key, to its end.
    #[inline]
    pub(crate) fn write<K: RedisKey>(&mut self, key: &K) {
        self.most = K::SCHEMA.max_key_bytes;
        let end = key.write_key(self);
        self.literal(end);
        // Only now, so that a key without anything in front is written as to a fixed place.
        if let Some(namespace) = namespace::of_keys() {
            self.put_in_front(namespace);
        }
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = crate::testing::prefix() {
            self.shift(prefix.as_bytes());
            self.uncounted = prefix.len();
        }
    }

    #[cold]
    fn put_in_front(&mut self, namespace: &str) {
        self.shift(b":");
        self.shift(namespace.as_bytes());
    }

    /// Makes room at the start and writes it there. What has no room any more is too long in any case.
    fn shift(&mut self, front: &[u8]) {
        let len = self.len + front.len();
        if let Some(bytes) = self.bytes.get_mut(..len) {
            bytes.copy_within(..self.len, front.len());
            let (room, _) = bytes.split_at_mut(front.len());
            room.copy_from_slice(front);
        }
        self.len = len;
    }

    /// The length of the key alone, with its namespace.
    #[inline]
    fn key_len(&self) -> usize {
        #[cfg(any(test, feature = "testing"))]
        return self.len - self.uncounted;
        #[cfg(not(any(test, feature = "testing")))]
        return self.len;
    }

    /// Whether that is how a value is written: as a whole segment, or as one word beside others.
    pub(crate) fn writes(value: &impl KeySegment, text: &str, whole: bool) -> bool {
        let mut key = Self::new();
        value.write(&mut SegmentWriter::new(&mut key, whole));
        key.bytes().is_ok_and(|bytes| bytes == text.as_bytes())
    }

    /// Text of the template, checked at compile time.
    #[inline]
    pub fn literal(&mut self, text: &'static str) {
        self.push(text.as_bytes());
    }

    /// Writes the text before it, and the number of a copy, of which there are so many.
    #[inline]
    pub fn copy(&mut self, before: &'static str, number: u32, copies: u32) {
        self.literal(before);
        if number >= copies {
            self.refuse(KeyFaultKind::Copy { copies });
        }
        self.segment().number(number.into());
    }

    /// Takes a parameter that is a whole segment.
    #[inline]
    pub fn segment(&mut self) -> SegmentWriter<'_> {
        SegmentWriter::new(self, true)
    }

    /// Takes a parameter that is one word beside others.
    #[inline]
    pub fn word(&mut self) -> SegmentWriter<'_> {
        SegmentWriter::new(self, false)
    }

    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        if let Some(room) = self.bytes.get_mut(self.len..end) {
            room.copy_from_slice(bytes);
        }
        self.len = end;
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Keeps the first fault.
    #[cold]
    pub(crate) fn refuse(&mut self, kind: KeyFaultKind) {
        let parameter = self.parameters;
        self.fault.get_or_insert(KeyFault { parameter, kind });
    }

    #[inline]
    pub(crate) fn end_parameter(&mut self, len: usize) {
        if len > self.longest.1 {
            self.longest = (self.parameters, len);
        }
        self.parameters += 1;
    }

    /// The key's bytes, when nothing is wrong with it.
    #[inline]
    pub(crate) fn bytes(&self) -> Result<&[u8], KeyFault> {
        match self.bytes.get(..self.len) {
            Some(bytes) if self.fault.is_none() && self.key_len() <= self.most => Ok(bytes),
            _ => Err(self.why()),
        }
    }

    pub(crate) fn finish(self) -> Result<Key, KeyFault> {
        self.bytes()?;
        Ok(Key::new(self.bytes, self.len))
    }

    #[cold]
    fn why(&self) -> KeyFault {
        let (parameter, len) = self.longest;
        let namespace = namespace::get().map_or(0, |namespace| namespace.len() + 1);
        let too_long = KeyFaultKind::TooLong { key: self.key_len(), namespace, parameter: len, most: self.most };
        self.fault.unwrap_or(KeyFault { parameter, kind: too_long })
    }
}
