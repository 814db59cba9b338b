//! A key while it is being written.

use redis_keys_schema::limits::MAX_KEY_BYTES;

use super::{Key, KeyFault, KeyFaultKind};
use crate::{RedisKey, segment::SegmentWriter};

/// What [`RedisKey::write_key`](crate::RedisKey::write_key) writes into: a buffer on the stack.
///
/// Its calls don't fail. The first fault is kept until the key is asked for.
pub struct KeyWriter {
    bytes: [u8; MAX_KEY_BYTES],
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
        Self { bytes: [0; MAX_KEY_BYTES], len: 0, parameters: 0, longest: (0, 0), fault: None }
    }

    /// Writes a key, to its end.
    #[inline]
    pub(crate) fn write<K: RedisKey>(&mut self, key: &K) {
        let end = key.write_key(self);
        self.literal(end);
    }

    /// Text of the template, checked at compile time.
    #[inline]
    pub fn literal(&mut self, text: &'static str) {
        self.push(text.as_bytes());
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
            Some(bytes) if self.fault.is_none() => Ok(bytes),
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
        let too_long = KeyFaultKind::TooLong { key: self.len, parameter: len };
        self.fault.unwrap_or(KeyFault { parameter, kind: too_long })
    }
}
