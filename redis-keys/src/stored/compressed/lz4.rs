//! LZ4.

use std::{io, marker::PhantomData};

use lz4_flex::block::{compress_prepend_size, decompress_into, uncompressed_size};

use super::{Codec, Fault, Stored, StoredError, decode, encode, mark, room};

/// A stored form that compresses another one with [LZ4](https://lz4.org): the fastest to read, and about as small as [`Snappy`].
///
/// What holds for all compressing forms stands [in the module](crate::stored#compression). Behind the mark are the
/// size of what is compressed, in four bytes of which the lowest stands first, and a block of LZ4.
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
#[cfg_attr(docsrs, doc(cfg(feature = "lz4")))]
#[derive(Debug)]
pub struct Lz4<F> {
    form: PhantomData<fn() -> F>,
}

impl<F: Stored> Stored for Lz4<F> {
    type Input = F::Input;
    type Output = F::Output;

    fn encode(value: &F::Input, out: &mut impl io::Write) -> Result<(), StoredError> {
        encode::<Block, F>(value, out)
    }

    fn decode(bytes: Vec<u8>) -> Result<F::Output, StoredError> {
        decode::<Block, F>(bytes)
    }

    fn size_hint(value: &F::Input) -> usize {
        F::size_hint(value).saturating_add(1)
    }
}

struct Block;

impl Codec for Block {
    const MARK: u8 = mark::LZ4;
    const WRONG: &'static str = "it has the mark of `Lz4` and cannot be decompressed as such";

    fn compress(plain: &[u8]) -> Option<Vec<u8>> {
        Some(compress_prepend_size(plain))
    }

    fn decompress(packed: &[u8]) -> Result<Vec<u8>, Fault> {
        let (size, block) = uncompressed_size(packed).map_err(|_| Fault::Wrong)?;
        // Each further byte of a length stands for 255.
        let mut plain = room(size, packed, 255)?;
        match decompress_into(block, &mut plain) {
            Ok(len) if len == plain.len() => Ok(plain),
            _ => Err(Fault::Wrong),
        }
    }
}
