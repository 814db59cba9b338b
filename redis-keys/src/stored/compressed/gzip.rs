//! Gzip.

use std::{
    io::{self, Write as _},
    marker::PhantomData,
};

use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};

use super::{Codec, Fault, Stored, StoredError, decode, encode, mark, stream};

/// A stored form that compresses another one with gzip, which every language can read. [`Zstd`] is smaller and faster.
///
/// What holds for all compressing forms stands [in the module](crate::stored#compression). Behind the mark is
/// what a gzip file holds, and nothing behind it.
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
#[cfg_attr(docsrs, doc(cfg(feature = "gzip")))]
#[derive(Debug)]
pub struct Gzip<F> {
    form: PhantomData<fn() -> F>,
}

impl<F: Stored> Stored for Gzip<F> {
    type Input = F::Input;
    type Output = F::Output;

    fn encode(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
        encode::<GzipFile, F>(value, out)
    }

    fn decode(bytes: Vec<u8>) -> Result<F::Output, StoredError> {
        decode::<GzipFile, F>(bytes)
    }

    fn size_hint(value: &F::Input) -> usize {
        F::size_hint(value).saturating_add(1)
    }
}

struct GzipFile;

impl Codec for GzipFile {
    const MARK: u8 = mark::GZIP;
    const WRONG: &'static str = "it has the mark of `Gzip` and cannot be decompressed as such";

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        let mut writer = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
        writer.write_all(plain).ok()?;
        writer.finish().ok()
    }

    fn decompress(packed: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut reader = GzDecoder::new(packed);
        let plain = stream::read(&mut reader, packed.len())?;
        if reader.get_ref().is_empty() { Ok(plain) } else { Err(Fault::Wrong) }
    }
}
