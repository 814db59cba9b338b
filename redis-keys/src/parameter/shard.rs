//! Numbers modulo the number of shards: `{id % 1000}`.

use std::num::NonZero;

use super::Newtype;
use crate::key::KeyWriter;

/// What a shard can be made of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be cut into shards",
    label = "not a number",
    note = "a shard is a number modulo the number of shards: use a whole number, a `Uuid`, or a newtype of one with `#[derive(KeySegment)]`"
)]
pub trait Sharded {
    /// Its remainder, or `None` of what is negative.
    fn remainder(&self, shards: u32) -> Option<u32>;

    /// Writes the text before it, and its shard.
    #[inline]
    fn segment(&self, key: &mut KeyWriter, before: &'static str, shards: u32) {
        key.literal(before);
        let mut out = key.segment();
        match self.remainder(shards) {
            Some(shard) => out.number(shard.into()),
            None => out.refuse(super::integer::NEGATIVE),
        }
    }

    /// The same: a number has one word.
    #[inline]
    fn word(&self, key: &mut KeyWriter, before: &'static str, shards: u32) {
        self.segment(key, before, shards);
    }
}

macro_rules! unsigned {
    ($($number:ident as $wide:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Sharded for $number {
            #[inline]
            #[allow(clippy::cast_possible_truncation, clippy::cast_lossless, reason = "a remainder is below the number of shards")]
            fn remainder(&self, shards: u32) -> Option<u32> {
                (*self as $wide).checked_rem(shards as $wide).map(|shard| shard as u32)
            }
        }
    )*};
}

macro_rules! signed {
    ($($number:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Sharded for $number {
            #[inline]
            fn remainder(&self, shards: u32) -> Option<u32> {
                if *self < 0 { None } else { self.unsigned_abs().remainder(shards) }
            }
        }
    )*};
}

macro_rules! non_zero {
    ($($number:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Sharded for NonZero<$number> {
            #[inline]
            fn remainder(&self, shards: u32) -> Option<u32> {
                self.get().remainder(shards)
            }
        }
    )*};
}

unsigned!(u8 as u32 u16 as u32 u32 as u32 u64 as u64 u128 as u128 usize as u64);
signed!(i8 i16 i32 i64 i128 isize);
non_zero!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

#[cfg(feature = "uuid")]
#[diagnostic::do_not_recommend]
impl Sharded for uuid::Uuid {
    fn remainder(&self, shards: u32) -> Option<u32> {
        self.as_u128().remainder(shards)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Newtype<Inner: Sharded> + ?Sized> Sharded for T {
    #[inline]
    fn remainder(&self, shards: u32) -> Option<u32> {
        self.inner().remainder(shards)
    }
}
