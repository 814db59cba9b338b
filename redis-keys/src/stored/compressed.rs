//! Forms that compress another form: a marker byte, then the inner form, compressed or as it is.

use std::io;
use std::marker::PhantomData;

use super::memory::{self, EXCEEDS_16MB, LimitedBuffer};
use super::{MAX_DECOMPRESSED_BYTES, MIN_COMPRESSED_BYTES, Stored, StoredError};
#[cfg(feature = "values")]
use crate::values::forms::Form;

/// The first byte of a compressing form.
///
/// These bytes never change. No UTF-8 text and no Protobuf message starts with one, so a value that was written before
/// its form was wrapped is never taken for a compressed value.
mod marker {
    pub(super) const LZ4: u8 = 0xf6;
    pub(super) const SNAPPY: u8 = 0xf7;
    pub(super) const GZIP: u8 = 0xfc;
    pub(super) const ZSTD: u8 = 0xfe;
    pub(super) const UNCOMPRESSED: u8 = 0xff;
}

/// A compression format.
trait Compression {
    const MARKER: u8;

    /// Compresses. The bytes are stored uncompressed if this fails.
    fn compress(plain: &[u8]) -> Option<Vec<u8>>;

    /// Decompresses untrusted bytes, allocating at most [`MAX_DECOMPRESSED_BYTES`].
    fn decompress(compressed: &[u8]) -> Result<Vec<u8>, DecompressError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DecompressError {
    Corrupt,
    TooLarge,
}

/// The items of `Stored` for a compressing form. The header of each `impl` is written out: the compiler quotes it.
macro_rules! compressing {
    ($format:ident, $inner:ident) => {
        type Input = $inner::Input;
        type Output = $inner::Output;

        fn encode(value: &$inner::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
            encode::<Self, $inner>(value, out)
        }

        fn decode(bytes: Vec<u8>) -> Result<$inner::Output, StoredError> {
            decode::<Self, $inner>(bytes)
        }

        fn size_hint(value: &$inner::Input) -> usize {
            $inner::size_hint(value).saturating_add(1)
        }

        #[cfg(feature = "values")]
        fn form(notes: &mut Vec<String>) -> Form {
            Form::Compressed(redis_keys_core::value_shape::Compression::$format, Box::new($inner::form(notes)))
        }
    };
}

/// A stored form that compresses another form with gzip.
///
/// Every language can read it, but [`Zstd`] is smaller and faster. The marker is followed by a gzip file without
/// trailing bytes. See [the module](crate::stored#compression) for the properties of all compressing forms.
///
/// [`Zstd`]: crate::stored::Zstd
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(page:html:{page_id}:string, value = Gzip<String>, ttl = 1h, max_bytes = 64KB)]
/// struct PageHtml { page_id: u64 }
///
/// let set = PageHtml { page_id: 42 }.set(&"<p>less is more</p>".repeat(10_000));
/// assert!(set.packed()?.len() < 2_000);
/// let get: Command<Option<String>> = PageHtml { page_id: 42 }.get();
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[cfg(feature = "gzip")]
#[cfg_attr(docsrs, doc(cfg(feature = "gzip")))]
#[derive(Debug)]
pub struct Gzip<F> {
    form: PhantomData<fn() -> F>,
}

#[cfg(feature = "gzip")]
impl<F: Stored> Stored for Gzip<F> {
    compressing!(Gzip, F);
}

#[cfg(feature = "gzip")]
impl<F> Compression for Gzip<F> {
    const MARKER: u8 = marker::GZIP;

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        let mut encoder =
            flate2::write::GzEncoder::new(Vec::with_capacity(plain.len() / 4), flate2::Compression::default());
        io::Write::write_all(&mut encoder, plain).ok()?;
        encoder.finish().ok()
    }

    fn decompress(compressed: &[u8]) -> Result<Vec<u8>, DecompressError> {
        let mut decoder = flate2::bufread::GzDecoder::new(compressed);
        let plain = read_to_end(&mut decoder, compressed.len())?;
        if decoder.get_ref().is_empty() { Ok(plain) } else { Err(DecompressError::Corrupt) }
    }
}

/// A stored form that compresses another form with [LZ4](https://lz4.org).
///
/// The fastest form to read, and about as small as [`Snappy`]. The marker is followed by the uncompressed size as four
/// little-endian bytes, and an LZ4 block. See [the module](crate::stored#compression) for the properties of all
/// compressing forms.
///
/// [`Snappy`]: crate::stored::Snappy
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(map:tile:{tile_id}:string, value = Lz4<Vec<u8>>, ttl = 1h)]
/// struct Tile { tile_id: u64 }
///
/// let set = Tile { tile_id: 42 }.set(&[7; 65_536]);
/// assert!(set.packed()?.len() < 500);
/// let get: Command<Option<Vec<u8>>> = Tile { tile_id: 42 }.get();
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[cfg(feature = "lz4")]
#[cfg_attr(docsrs, doc(cfg(feature = "lz4")))]
#[derive(Debug)]
pub struct Lz4<F> {
    form: PhantomData<fn() -> F>,
}

#[cfg(feature = "lz4")]
impl<F: Stored> Stored for Lz4<F> {
    compressing!(Lz4, F);
}

#[cfg(feature = "lz4")]
impl<F> Compression for Lz4<F> {
    const MARKER: u8 = marker::LZ4;

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        Some(lz4_flex::block::compress_prepend_size(plain))
    }

    fn decompress(compressed: &[u8]) -> Result<Vec<u8>, DecompressError> {
        let (size, block) = lz4_flex::block::uncompressed_size(compressed).map_err(|_| DecompressError::Corrupt)?;
        // Each further byte of a match's length adds 255.
        let mut plain = allocate(size, compressed.len(), 255)?;
        match lz4_flex::block::decompress_into(block, &mut plain) {
            Ok(len) if len == plain.len() => Ok(plain),
            _ => Err(DecompressError::Corrupt),
        }
    }
}

/// A stored form that compresses another form with [Snappy](https://google.github.io/snappy/).
///
/// Many times faster than [`Zstd`], but not as small. The marker is followed by Snappy's raw format, which has no
/// frames. See [the module](crate::stored#compression) for the properties of all compressing forms.
///
/// [`Zstd`]: crate::stored::Zstd
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(page:text:{page_id}:string, value = Snappy<String>, ttl = 1h)]
/// struct PageText { page_id: u64 }
///
/// let set = PageText { page_id: 42 }.set(&"less is more, ".repeat(2_000));
/// assert!(set.packed()?.len() < 2_000);
/// let get: Command<Option<String>> = PageText { page_id: 42 }.get();
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[cfg(feature = "snappy")]
#[cfg_attr(docsrs, doc(cfg(feature = "snappy")))]
#[derive(Debug)]
pub struct Snappy<F> {
    form: PhantomData<fn() -> F>,
}

#[cfg(feature = "snappy")]
impl<F: Stored> Stored for Snappy<F> {
    compressing!(Snappy, F);
}

#[cfg(feature = "snappy")]
impl<F> Compression for Snappy<F> {
    const MARKER: u8 = marker::SNAPPY;

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        snap::raw::Encoder::new().compress_vec(plain).ok()
    }

    fn decompress(compressed: &[u8]) -> Result<Vec<u8>, DecompressError> {
        let size = snap::raw::decompress_len(compressed).map_err(|_| DecompressError::Corrupt)?;
        // A copy of 64 bytes takes three.
        let mut plain = allocate(size, compressed.len(), 22)?;
        match snap::raw::Decoder::new().decompress(compressed, &mut plain) {
            Ok(len) if len == plain.len() => Ok(plain),
            _ => Err(DecompressError::Corrupt),
        }
    }
}

/// A stored form that compresses another form with [Zstandard](https://facebook.github.io/zstd/).
///
/// The default choice: smaller than [`Gzip`], and faster to write and to read. The marker is followed by a Zstandard
/// frame without trailing bytes. See [the module](crate::stored#compression) for the properties of all compressing
/// forms.
///
/// [`Gzip`]: crate::stored::Gzip
///
/// ```
/// use redis_keys::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Article { title: String, text: String }
///
/// #[derive(RedisKey)]
/// #[redis_key(news:article:{id}:string, value = Zstd<Json<Article>>, ttl = 1h)]
/// struct CachedArticle { id: u64 }
///
/// let article = Article { title: "Compression".to_owned(), text: "less is more, ".repeat(2_000) };
/// let set = CachedArticle { id: 42 }.set(&article);
/// assert!(set.packed()?.len() < 300);
/// let get: Command<Option<Article>> = CachedArticle { id: 42 }.get();
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[cfg(feature = "zstd")]
#[cfg_attr(docsrs, doc(cfg(feature = "zstd")))]
#[derive(Debug)]
pub struct Zstd<F> {
    form: PhantomData<fn() -> F>,
}

#[cfg(feature = "zstd")]
impl<F: Stored> Stored for Zstd<F> {
    compressing!(Zstd, F);
}

#[cfg(feature = "zstd")]
impl<F> Compression for Zstd<F> {
    const MARKER: u8 = marker::ZSTD;

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        zstd::bulk::compress(plain, zstd::DEFAULT_COMPRESSION_LEVEL).ok()
    }

    fn decompress(compressed: &[u8]) -> Result<Vec<u8>, DecompressError> {
        let decoder = zstd::stream::read::Decoder::with_buffer(compressed);
        let mut decoder = decoder.map_err(|_| DecompressError::Corrupt)?.single_frame();
        // The frame claims how much of its output the decoder has to keep.
        let max_window = decoder.window_log_max(MAX_DECOMPRESSED_BYTES.ilog2());
        max_window.map_err(|_| DecompressError::Corrupt)?;
        let plain = read_to_end(&mut decoder, compressed.len())?;
        if decoder.get_ref().is_empty() { Ok(plain) } else { Err(DecompressError::Corrupt) }
    }
}

fn encode<C: Compression, F: Stored>(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
    let mut plain = LimitedBuffer::with_capacity(F::size_hint(value));
    let encoded = F::encode(value, &mut plain);
    if plain.is_exceeded || encoded == Err(StoredError::new(EXCEEDS_16MB)) {
        return Err(StoredError::new("exceeds 16MB before compression"));
    }
    encoded?;
    let plain = plain.bytes;
    let compressed = if plain.len() < MIN_COMPRESSED_BYTES { None } else { C::compress(&plain) };
    let (marker, bytes) = match &compressed {
        Some(compressed) if compressed.len() < plain.len() => (C::MARKER, compressed),
        _ => (marker::UNCOMPRESSED, &plain),
    };
    out.write_all(&[marker]).and_then(|()| out.write_all(bytes)).map_err(StoredError::from_io)
}

fn decode<C: Compression, F: Stored>(mut bytes: Vec<u8>) -> Result<F::Output, StoredError> {
    let why = match bytes.split_first() {
        Some((&marker::UNCOMPRESSED, _)) => {
            bytes.drain(..1);
            return F::decode(bytes);
        }
        Some((&marker, compressed)) if marker == C::MARKER => match C::decompress(compressed) {
            Ok(plain) => {
                let (compressed, size) = (bytes.len(), plain.len());
                drop(bytes);
                return memory::decompressed(compressed, size, || F::decode(plain));
            }
            Err(DecompressError::Corrupt) => "the compressed data is corrupt",
            Err(DecompressError::TooLarge) => "decompresses to more than 16MB",
        },
        Some((&marker::LZ4, _)) => "compressed as `Lz4`",
        Some((&marker::SNAPPY, _)) => "compressed as `Snappy`",
        Some((&marker::GZIP, _)) => "compressed as `Gzip`",
        Some((&marker::ZSTD, _)) => "compressed as `Zstd`",
        _ => "missing compression marker",
    };
    Err(StoredError::new(why))
}

/// Allocates for a size that the bytes claim, if they can decompress to that much.
#[cfg(any(feature = "lz4", feature = "snappy"))]
fn allocate(claimed: usize, compressed_len: usize, max_ratio: usize) -> Result<Vec<u8>, DecompressError> {
    if claimed > MAX_DECOMPRESSED_BYTES {
        return Err(DecompressError::TooLarge);
    }
    if claimed > compressed_len.saturating_mul(max_ratio) {
        return Err(DecompressError::Corrupt);
    }
    Ok(vec![0; claimed])
}

/// Reads a decoder to its end, allocating as the data comes and never for a claimed size.
#[cfg(any(feature = "gzip", feature = "zstd"))]
fn read_to_end(decoder: &mut impl io::Read, compressed_len: usize) -> Result<Vec<u8>, DecompressError> {
    // Values usually decompress to less than four times their size.
    let mut plain = vec![0; compressed_len.saturating_mul(4).clamp(1, MAX_DECOMPRESSED_BYTES)];
    let mut len = 0;
    loop {
        if len == plain.len() && len < MAX_DECOMPRESSED_BYTES {
            let additional = len.min(MAX_DECOMPRESSED_BYTES - len);
            plain.reserve_exact(additional);
            plain.resize(len + additional, 0);
        }
        let mut one_too_many = [0];
        let buffer = match plain.get_mut(len..) {
            Some(buffer) if !buffer.is_empty() => buffer,
            _ => &mut one_too_many,
        };
        match decoder.read(buffer) {
            Ok(0) => break,
            Ok(_) if len == MAX_DECOMPRESSED_BYTES => return Err(DecompressError::TooLarge),
            Ok(read) => len += read,
            Err(_) => return Err(DecompressError::Corrupt),
        }
    }
    plain.truncate(len);
    Ok(plain)
}

#[cfg(all(test, feature = "gzip", feature = "lz4"))]
mod tests {
    use std::io::{self, Read as _};

    use super::{DecompressError, MAX_DECOMPRESSED_BYTES, allocate, read_to_end};

    #[test]
    fn allocations_are_bounded_by_the_compressed_length() {
        assert_eq!(allocate(2_550, 10, 255), Ok(vec![0; 2_550]));
        assert_eq!(allocate(2_551, 10, 255), Err(DecompressError::Corrupt));
        assert_eq!(allocate(MAX_DECOMPRESSED_BYTES + 1, 1 << 17, 255), Err(DecompressError::TooLarge));
    }

    #[test]
    fn reading_allocates_as_data_comes_and_never_beyond_the_limit() {
        let sevens = |len: usize| io::repeat(7).take(len as u64);
        for (compressed, len) in [(0, 0), (0, 1), (10, 40), (10, 41), (999, 1_000_000), (usize::MAX, 5)] {
            let plain = read_to_end(&mut sevens(len), compressed).unwrap();
            assert_eq!((plain.len(), plain.iter().all(|byte| *byte == 7)), (len, true));
        }
        let largest = read_to_end(&mut sevens(MAX_DECOMPRESSED_BYTES), 999).unwrap();
        assert_eq!((largest.len(), largest.capacity()), (MAX_DECOMPRESSED_BYTES, MAX_DECOMPRESSED_BYTES));
        assert_eq!(read_to_end(&mut sevens(MAX_DECOMPRESSED_BYTES + 1), 999), Err(DecompressError::TooLarge));
        assert_eq!(read_to_end(&mut io::repeat(7), 999), Err(DecompressError::TooLarge));
    }
}
