//! Snappy.

use std::{io, marker::PhantomData};

use snap::raw::{Decoder, Encoder, decompress_len};

use super::{Codec, Fault, Stored, StoredError, decode, encode, mark, room};

/// A stored form that compresses another one with [Snappy](https://google.github.io/snappy/): many times faster than [`Zstd`],
/// and not as small.
///
/// What holds for all compressing forms stands [in the module](crate::stored#compression). Behind the mark is
/// Snappy's raw format, which has no frames.
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
#[cfg_attr(docsrs, doc(cfg(feature = "snappy")))]
#[derive(Debug)]
pub struct Snappy<F> {
    form: PhantomData<fn() -> F>,
}

impl<F: Stored> Stored for Snappy<F> {
    type Input = F::Input;
    type Output = F::Output;

    fn encode(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
        encode::<Raw, F>(value, out)
    }

    fn decode(bytes: Vec<u8>) -> Result<F::Output, StoredError> {
        decode::<Raw, F>(bytes)
    }

    fn size_hint(value: &F::Input) -> usize {
        F::size_hint(value).saturating_add(1)
    }
}

struct Raw;

impl Codec for Raw {
    const MARK: u8 = mark::SNAPPY;
    const WRONG: &'static str = "it has the mark of `Snappy` and cannot be decompressed as such";

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        Encoder::new().compress_vec(plain).ok()
    }

    fn decompress(packed: &[u8]) -> Result<Vec<u8>, Fault> {
        // A copy of 64 bytes takes three.
        let mut plain = room(decompress_len(packed).map_err(|_| Fault::Wrong)?, packed, 22)?;
        match Decoder::new().decompress(packed, &mut plain) {
            Ok(len) if len == plain.len() => Ok(plain),
            _ => Err(Fault::Wrong),
        }
    }
}
