//! A buffer with a limit.

use std::io;

use super::MAX_DECOMPRESSED_BYTES;

/// A buffer that holds at most [`MAX_DECOMPRESSED_BYTES`].
pub(super) struct LimitedBuffer {
    pub(super) bytes: Vec<u8>,
    pub(super) is_exceeded: bool,
}

impl LimitedBuffer {
    pub(super) fn with_capacity(hint: usize) -> Self {
        // The hint of a user's own form can be anything.
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
