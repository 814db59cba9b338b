//! Integers and `bool` as parameters, and shards of integers: `{id}` and `{id % 1000}`.

use std::num::NonZero;

use super::{KeySegment, Newtype, ParseSegment, SegmentWriter, ValueSet};
use crate::key::KeyWriter;

const NEGATIVE: &str = "is negative: keys have no sign, so use an unsigned type such as `u64`";

/// A type that can be sharded: `{id % 1000}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sharded",
    label = "not an integer",
    note = "a shard is an integer modulo the number of shards: use an integer, a `Uuid` with the feature `uuid`, or a newtype of one with `#[derive(KeySegment)]`"
)]
pub trait Shardable {
    /// Returns the remainder, or `None` if the value is negative.
    fn remainder(&self, shards: u32) -> Option<u32>;

    /// Writes the literal text before the parameter, and the shard.
    #[doc(hidden)]
    #[inline]
    fn segment(&self, key: &mut KeyWriter, before: &'static str, shards: u32) {
        key.literal(before);
        let mut out = key.segment();
        match self.remainder(shards) {
            Some(shard) => out.number(shard.into()),
            None => out.reject(NEGATIVE),
        }
    }

    /// Does the same as [`segment`](Self::segment): a number has no `.`.
    #[doc(hidden)]
    #[inline]
    fn word(&self, key: &mut KeyWriter, before: &'static str, shards: u32) {
        self.segment(key, before, shards);
    }
}

/// Implements `KeySegment`, `ParseSegment` and `Shardable` for an integer type and its `NonZero`.
macro_rules! integer {
    ($number:ident, $value:ident, $out:ident => $write:expr, $shards:ident => $remainder:expr) => {
        #[diagnostic::do_not_recommend]
        impl KeySegment for $number {
            const LONGEST: Option<usize> = Some($number::MAX.ilog10() as usize + 1);
            const VALUES: ValueSet = ValueSet::up_to($number::MAX as u128);

            #[inline]
            fn write(&self, $out: &mut SegmentWriter<'_>) {
                let $value = *self;
                $write;
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $number {
            fn parse(text: &str) -> Result<Self, &'static str> {
                if text.len() > 1 && text.starts_with('0') {
                    return Err("has a leading zero");
                }
                text.parse().map_err(|_| concat!("is not a valid `", stringify!($number), "`"))
            }
        }

        #[diagnostic::do_not_recommend]
        impl Shardable for $number {
            #[inline]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_lossless,
                reason = "a remainder is below the number of shards"
            )]
            fn remainder(&self, $shards: u32) -> Option<u32> {
                let $value = *self;
                $remainder
            }
        }

        #[diagnostic::do_not_recommend]
        impl KeySegment for NonZero<$number> {
            const LONGEST: Option<usize> = $number::LONGEST;
            const VALUES: ValueSet = ValueSet::Number { from: 1, to: $number::MAX as u128 };

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                self.get().write(out);
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for NonZero<$number> {
            fn parse(text: &str) -> Result<Self, &'static str> {
                Self::new($number::parse(text)?).ok_or("is zero")
            }
        }

        #[diagnostic::do_not_recommend]
        impl Shardable for NonZero<$number> {
            #[inline]
            fn remainder(&self, shards: u32) -> Option<u32> {
                self.get().remainder(shards)
            }
        }
    };
}

macro_rules! integers {
    ($($unsigned:ident $signed:ident $wide:ident;)*) => {$(
        integer!(
            $unsigned, value,
            out => out.digits(itoa::Buffer::new().format(value)),
            shards => (value as $wide).checked_rem(shards as $wide).map(|shard| shard as u32)
        );
        integer!(
            $signed, value,
            out => if value < 0 { out.reject(NEGATIVE) } else { out.digits(itoa::Buffer::new().format(value)) },
            shards => $unsigned::try_from(value).ok()?.remainder(shards)
        );
    )*};
}

integers! {
    u8 i8 u32;
    u16 i16 u32;
    u32 i32 u32;
    u64 i64 u64;
    u128 i128 u128;
    usize isize u64;
}

#[diagnostic::do_not_recommend]
impl KeySegment for bool {
    const LONGEST: Option<usize> = Some("false".len());
    const VALUES: ValueSet = ValueSet::BOOL;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.digits(if *self { "true" } else { "false" });
    }
}

#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for bool {
    fn parse(text: &str) -> Result<Self, &'static str> {
        text.parse().map_err(|_| "is neither `true` nor `false`")
    }
}

#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<T: Newtype<Inner: Shardable> + ?Sized> Shardable for T {
    #[inline]
    fn remainder(&self, shards: u32) -> Option<u32> {
        self.inner().remainder(shards)
    }
}
