//! What can be done with keys of type `bitmap`.

mod field;
mod int;
pub(crate) mod read;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod wide;
pub(crate) mod write;

use redis_keys_core::limits::MAX_MAX_BYTES;

use crate::{error::Cause, schema::Schema};

pub use field::{BitField, BitOverflow};
pub use int::{BitInt, BitOffset};

pub(crate) use field::bitfield;

/// Refuses a write of a bit that would make the bitmap larger than declared.
fn check_bit(bit: u64, schema: &Schema) -> Result<(), Cause> {
    let bytes = bit / 8 + 1;
    if bytes > schema.max_bytes.unwrap_or(MAX_MAX_BYTES) { Err(Cause::BitmapSize { bit, bytes }) } else { Ok(()) }
}

/// What a bit is in commands.
fn digit(bit: bool) -> &'static [u8] {
    if bit { b"1" } else { b"0" }
}

use std::ops::Range;

use crate::{Command, RedisKey};

/// A key whose value is bits by number: `…:bitmap`.
///
/// A bitmap is as long as its highest bit that was ever written, and behind its end all bits are 0. What would make it longer
/// than `max_bytes` (10KB, which are 81,920 bits, unless declared) is refused before anything is sent. Its expiry starts when
/// it is created, and anew as `renew` says.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// /// One bit for each day of the year.
/// #[derive(RedisKey)]
/// #[redis_key(user:sign.in:{user_id}:{year}:bitmap, ttl = 400d, max_bytes = 46B)]
/// struct SignIns { user_id: u64, year: u16 }
///
/// let days = SignIns { user_id: 42, year: 2025 };
/// let before: Command<bool> = days.setbit(17, true);
/// assert_eq!(testing::text(days.getbit(17))?, ["GETBIT user:sign.in:42:2025:bitmap 17"]);
/// assert_eq!(testing::text(days.bitcount())?, ["BITCOUNT user:sign.in:42:2025:bitmap"]);
/// assert_eq!(
///     testing::text(days.setbit(368, true)).unwrap_err().to_string(),
///     "bit 368 of `SignIns` (user:sign.in:42:2025:bitmap) exceeds `max_bytes`: 47 bytes, at most 46 [value-size]",
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `bitmap`",
    label = "no `bitmap` key",
    note = "its template has to end with `:bitmap`"
)]
pub trait BitmapKey: RedisKey {
    /// SETBIT: writes a bit. Gives the one that was there.
    ///
    /// To write a 0 makes the bitmap longer too.
    fn setbit(&self, offset: u32, bit: bool) -> Command<bool> {
        write::setbit(self, offset, bit)
    }

    /// GETBIT: a bit.
    fn getbit(&self, offset: u32) -> Command<bool> {
        read::getbit(self, offset)
    }

    /// BITCOUNT: how many bits are 1.
    fn bitcount(&self) -> Command<u64> {
        read::bitcount(self, None)
    }

    /// BITCOUNT: how many bits are 1 in these bytes, of which the first has the bits from 0 to 7.
    fn bitcount_range(&self, bytes: Range<u32>) -> Command<u64> {
        read::bitcount(self, Some(&bytes))
    }

    /// BITPOS: the first bit that is 1, or 0.
    ///
    /// The first 0 of a bitmap without any is the one behind its end; the first 0 of a key that is not there is bit 0.
    fn bitpos(&self, bit: bool) -> Command<Option<u32>> {
        read::bitpos(self, bit, None)
    }

    /// BITPOS: the first bit that is 1, or 0, in these bytes. It is counted from the bitmap's beginning.
    ///
    /// Where these bytes reach behind the bitmap's end, there are no zeros there.
    fn bitpos_range(&self, bit: bool, bytes: Range<u32>) -> Command<Option<u32>> {
        read::bitpos(self, bit, Some(&bytes))
    }

    /// BITFIELD: reads, writes and counts whole numbers of any width, up to 500 in one step; `BITFIELD_RO` where all of them are
    /// reads. See [`BitField`].
    fn bitfield(&self) -> BitField {
        bitfield(self)
    }
}
