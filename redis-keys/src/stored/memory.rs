//! Limits of memory: for a written value, and for all values of one reply.
//!
//! Each value has a limit. A reply can have thousands of values, so they share another limit while the reply is read.
//! It is in a thread-local: `Stored::decode` has no parameter for it, and users' forms can lie between this crate's.

use std::cell::Cell;
use std::io;

use super::{MAX_DECODED_BYTES, MAX_DECOMPRESSED_BYTES, StoredError};

/// The bytes of memory that the values of a reply may take for each byte received, beyond [`MAX_DECODED_BYTES`] in all.
///
/// JSON that compresses well comes to about 100.
const MEMORY_PER_BYTE: usize = 256;

/// The counted bytes of an element whose type is not known when it is read.
pub(super) const BUFFERED_ELEMENT_BYTES: usize = 128;

pub(super) const EXCEEDS_16MB: &str = "exceeds 16MB";

pub(super) const DECODED_TOO_LARGE: &str = "exceeds 64MB when decoded";

/// The error of a value that could be read alone.
pub(super) const REPLY_TOO_LARGE: &str = "exceeds the memory for one reply, with the values before it";

thread_local! {
    /// The reply that is being read.
    static REPLY: Cell<Option<Usage>> = const { Cell::new(None) };
}

#[derive(Clone, Copy, Default)]
struct Usage {
    received: usize,
    taken: usize,
    /// Whether the value that is being read has been decompressed: its bytes were not received.
    is_inner: bool,
}

/// Ends the limit when a reply has been read, or reading it has panicked.
struct Reset;

impl Drop for Reset {
    fn drop(&mut self) {
        REPLY.set(None);
    }
}

/// Reads a reply, or a batch's replies, whose values share the limit.
pub(crate) fn share<T>(read: impl FnOnce() -> T) -> T {
    if REPLY.get().is_some() {
        return read();
    }
    let _reset = Reset;
    REPLY.set(Some(Usage::default()));
    read()
}

/// Reads replies as [`share`] does, and returns the memory that their values have taken beside the bytes received.
pub(crate) fn measure<T>(read: impl FnOnce() -> T) -> (T, usize) {
    share(|| (read(), REPLY.get().map_or(0, |usage| usage.taken)))
}

/// The memory that a value with these bytes may take.
pub(super) fn left(bytes: usize) -> usize {
    let Some(mut usage) = REPLY.get() else { return MAX_DECODED_BYTES };
    if !usage.is_inner {
        usage.received = usage.received.saturating_add(bytes);
        REPLY.set(Some(usage));
    }
    let most = usage.received.saturating_mul(MEMORY_PER_BYTE).max(MAX_DECODED_BYTES);
    most.saturating_sub(usage.taken).min(MAX_DECODED_BYTES)
}

/// Notes that a value has taken memory.
pub(super) fn take(bytes: usize) {
    if let Some(usage) = REPLY.get() {
        REPLY.set(Some(Usage { taken: usage.taken.saturating_add(bytes), ..usage }));
    }
}

/// Whether the bytes of the value that is being read were decompressed for a reply.
pub(super) fn is_inner() -> bool {
    REPLY.get().is_some_and(|usage| usage.is_inner)
}

/// Reads a value of `plain` bytes that have been decompressed from `compressed` ones.
pub(super) fn decompressed<T>(
    compressed: usize,
    plain: usize,
    read: impl FnOnce() -> Result<T, StoredError>,
) -> Result<T, StoredError> {
    if left(compressed) < plain {
        return Err(StoredError::new(REPLY_TOO_LARGE));
    }
    take(plain);
    let was_inner = set_inner(true);
    let result = read();
    set_inner(was_inner);
    result
}

fn set_inner(is_inner: bool) -> bool {
    let Some(usage) = REPLY.get() else { return false };
    REPLY.set(Some(Usage { is_inner, ..usage }));
    usage.is_inner
}

/// A buffer that holds at most [`MAX_DECOMPRESSED_BYTES`].
pub(crate) struct LimitedBuffer {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_exceeded: bool,
}

impl LimitedBuffer {
    pub(crate) fn with_capacity(hint: usize) -> Self {
        // The hint of a user's form can be anything.
        Self { bytes: Vec::with_capacity(hint.min(MAX_DECOMPRESSED_BYTES / 16)), is_exceeded: false }
    }
}

impl io::Write for LimitedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > MAX_DECOMPRESSED_BYTES - self.bytes.len() {
            self.is_exceeded = true;
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
