//! Zstandard.

use std::{io, marker::PhantomData};

use ::zstd::{DEFAULT_COMPRESSION_LEVEL, bulk, stream::read::Decoder};

use super::{Codec, Fault, MAX_DECOMPRESSED_BYTES, Stored, StoredError, decode, encode, mark, stream};

/// A stored form that compresses another one with [Zstandard](https://facebook.github.io/zstd/): smaller than [`Gzip`], and
/// faster both ways. The first choice where nothing speaks for another.
///
/// What holds for all compressing forms stands [in the module](crate::stored#compression). Behind the mark is a
/// frame of Zstandard, and nothing behind it.
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
#[cfg_attr(docsrs, doc(cfg(feature = "zstd")))]
#[derive(Debug)]
pub struct Zstd<F> {
    form: PhantomData<fn() -> F>,
}

impl<F: Stored> Stored for Zstd<F> {
    type Input = F::Input;
    type Output = F::Output;

    fn encode(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
        encode::<Zstandard, F>(value, out)
    }

    fn decode(bytes: Vec<u8>) -> Result<F::Output, StoredError> {
        decode::<Zstandard, F>(bytes)
    }

    fn size_hint(value: &F::Input) -> usize {
        F::size_hint(value).saturating_add(1)
    }
}

struct Zstandard;

impl Codec for Zstandard {
    const MARK: u8 = mark::ZSTD;
    const WRONG: &'static str = "it has the mark of `Zstd` and cannot be decompressed as such";

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        bulk::compress(plain, DEFAULT_COMPRESSION_LEVEL).ok()
    }

    fn decompress(packed: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut reader = Decoder::with_buffer(packed).map_err(|_| Fault::Wrong)?.single_frame();
        // How much of what came before the reader has to keep stands in the frame.
        reader.window_log_max(MAX_DECOMPRESSED_BYTES.ilog2()).map_err(|_| Fault::Wrong)?;
        let plain = stream::read(&mut reader, packed.len())?;
        if reader.get_ref().is_empty() { Ok(plain) } else { Err(Fault::Wrong) }
    }
}
