//! Forms that compress another form.

#[cfg(feature = "gzip")]
mod gzip;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "snappy")]
mod snappy;
#[cfg(any(feature = "gzip", feature = "zstd"))]
mod stream;
#[cfg(feature = "zstd")]
mod zstd;

use std::io;

#[cfg(feature = "gzip")]
pub use gzip::Gzip;
#[cfg(feature = "lz4")]
pub use lz4::Lz4;
#[cfg(feature = "snappy")]
pub use snappy::Snappy;
#[cfg(feature = "zstd")]
pub use zstd::Zstd;

use super::{MAX_DECOMPRESSED_BYTES, MIN_COMPRESSED_BYTES, Stored, StoredError};

/// The first byte of what a compressing form writes: that what follows is the inner form as it is, or how it is compressed.
///
/// No text begins with any of these bytes and no message of Protobuf, so that what was written before a form was wrapped is
/// not taken for compressed. They are the same in every version to come.
mod mark {
    pub(super) const LZ4: u8 = 0xf6;
    pub(super) const SNAPPY: u8 = 0xf7;
    pub(super) const GZIP: u8 = 0xfc;
    pub(super) const ZSTD: u8 = 0xfe;
    pub(super) const PLAIN: u8 = 0xff;
}

/// One way to compress.
trait Codec {
    const MARK: u8;

    /// What is wrong with bytes that it cannot decompress.
    const WRONG: &'static str;

    /// The bytes compressed. Where that fails, they are written as they are.
    fn compress(plain: &[u8]) -> Option<Vec<u8>>;

    /// The bytes as they were before. Nothing in them is trusted: no more than [`MAX_DECOMPRESSED_BYTES`] are made room for.
    fn decompress(packed: &[u8]) -> Result<Vec<u8>, Fault>;
}

/// Why bytes cannot be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Wrong,
    TooLarge,
}

fn encode<C: Codec, F: Stored>(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
    let mut plain = Plain::with_room(F::size_hint(value));
    let encoded = F::encode(value, &mut plain);
    if plain.is_over {
        return Err(StoredError::new("before compression it has more than 16MB, which would not be read back"));
    }
    encoded?;
    let plain = plain.bytes;
    let packed = if plain.len() < MIN_COMPRESSED_BYTES { None } else { C::compress(&plain) };
    let (mark, bytes) = match &packed {
        Some(packed) if packed.len() < plain.len() => (C::MARK, packed),
        _ => (mark::PLAIN, &plain),
    };
    out.write_all(&[mark]).and_then(|()| out.write_all(bytes)).map_err(StoredError::from_io)
}

fn decode<C: Codec, F: Stored>(mut bytes: Vec<u8>) -> Result<F::Output, StoredError> {
    match bytes.split_first() {
        Some((&mark::PLAIN, _)) => {
            bytes.drain(..1);
            F::decode(bytes)
        }
        Some((&mark, packed)) if mark == C::MARK => {
            let plain = C::decompress(packed).map_err(|fault| match fault {
                Fault::Wrong => StoredError::new(C::WRONG),
                Fault::TooLarge => StoredError::new("it decompresses to more than 16MB"),
            })?;
            drop(bytes);
            F::decode(plain)
        }
        Some((&mark, _)) => Err(StoredError::new(marked(mark))),
        None => Err(StoredError::new("it is empty, without the mark that a compressing form writes")),
    }
}

/// What is under a mark that is not the expected one.
fn marked(mark: u8) -> &'static str {
    match mark {
        mark::LZ4 => "it is compressed as `Lz4`",
        mark::SNAPPY => "it is compressed as `Snappy`",
        mark::GZIP => "it is compressed as `Gzip`",
        mark::ZSTD => "it is compressed as `Zstd`",
        _ => "it does not begin with the mark that a compressing form writes",
    }
}

/// Room for a size that stands in the bytes, if they can be that large. At most so many bytes come of one.
#[cfg(any(feature = "lz4", feature = "snappy"))]
fn room(claimed: usize, packed: &[u8], most_of_one: usize) -> Result<Vec<u8>, Fault> {
    if claimed > MAX_DECOMPRESSED_BYTES {
        return Err(Fault::TooLarge);
    }
    if claimed > packed.len().saturating_mul(most_of_one) {
        return Err(Fault::Wrong);
    }
    Ok(vec![0; claimed])
}

/// The inner form, kept up to the bound.
struct Plain {
    bytes: Vec<u8>,
    is_over: bool,
}

impl Plain {
    fn with_room(hint: usize) -> Self {
        // A form of the user's own may hint at anything.
        Self { bytes: Vec::with_capacity(hint.min(MAX_DECOMPRESSED_BYTES / 16)), is_over: false }
    }
}

impl io::Write for Plain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > MAX_DECOMPRESSED_BYTES - self.bytes.len() {
            self.is_over = true;
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, feature = "lz4", feature = "snappy"))]
mod tests {
    use super::{Fault, MAX_DECOMPRESSED_BYTES, room};

    #[test]
    fn room_is_made_for_no_more_than_can_be_there() {
        assert_eq!(room(2_550, &[0; 10], 255), Ok(vec![0; 2_550]));
        assert_eq!(room(2_551, &[0; 10], 255), Err(Fault::Wrong));
        assert_eq!(room(MAX_DECOMPRESSED_BYTES + 1, &vec![0; 1 << 17], 255), Err(Fault::TooLarge));
    }
}
