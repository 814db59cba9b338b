//! Keys of type `bitmap`.

mod field;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use field::{BitField, BitInt, BitOffset, BitOverflow};
use redis::{Cmd, Value};
use redis_keys_core::limits::MAX_MAX_BYTES;

use crate::accessor::accessor;
use crate::command::arguments::{Amount, Arguments, Capacity};
use crate::command::builder::Build as _;
use crate::command::positions::Positions;
use crate::command::{DecodeResult, PositionRange, Replies, ReplyContext, ReplyError, Step, count, flag};
use crate::error::Cause;
use crate::schema::Schema;
use crate::{Command, RedisKey};

/// A key that holds numbered bits: `…:bitmap`.
///
/// A bitmap ends with the byte of the highest bit that was ever written; all later bits are 0. A write that would
/// exceed `max_bytes` (10KB by default, which is 81,920 bits) is rejected before anything is sent. The expiry starts
/// when the bitmap is created and restarts as `renew` says.
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
/// let previous: Command<bool> = days.setbit(17, true);
/// assert_eq!(testing::text(days.getbit(17))?, ["GETBIT user:sign.in:42:2025:bitmap 17"]);
/// assert_eq!(testing::text(days.bitcount())?, ["BITCOUNT user:sign.in:42:2025:bitmap"]);
/// assert_eq!(
///     testing::text(days.setbit(368, true)).unwrap_err().to_string(),
///     "bit 368 of `SignIns` (user:sign.in:42:2025:bitmap) exceeds `max_bytes`: 47 bytes, at most 46; declare `max_bytes = 47B` to allow it [value-size]",
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `bitmap`",
    label = "not a `bitmap` key",
    note = "the template of a `bitmap` key ends with `:bitmap`; the type arguments of a generic key must be parameter types"
)]
pub trait BitmapKey: RedisKey {
    /// Writes a bit with `SETBIT` and returns its previous value.
    ///
    /// Writing a 0 extends the bitmap too.
    fn setbit(&self, offset: u32, bit: bool) -> Command<bool> {
        self.write_native("SETBIT", (WrittenBit(offset), digit(bit))).reply(flag).named(accessor!("setbit"))
    }

    /// Returns a bit (`GETBIT`).
    fn getbit(&self, offset: u32) -> Command<bool> {
        self.read("GETBIT", offset).reply(flag).named(accessor!("getbit"))
    }

    /// Returns the number of bits that are 1 (`BITCOUNT`).
    fn bitcount(&self) -> Command<u64> {
        self.read("BITCOUNT", ()).reply(count).named(accessor!("bitcount"))
    }

    /// Returns the number of bits that are 1 in a range of bytes (`BITCOUNT`). Byte 0 contains the bits 0 to 7.
    fn bitcount_range(&self, bytes: impl PositionRange) -> Command<u64> {
        self.read("BITCOUNT", Positions::unlimited(bytes)).reply(count).named(accessor!("bitcount_range"))
    }

    /// Returns the position of the first bit that is 1, or that is 0 (`BITPOS`).
    ///
    /// If all bits are 1, the first 0 is the bit after the end. If the key does not exist, it is bit 0.
    fn bitpos(&self, bit: bool) -> Command<Option<u32>> {
        self.read("BITPOS", digit(bit)).reply(position).named_read(accessor!("bitpos"))
    }

    /// Returns the position of the first bit that is 1, or that is 0, in a range of bytes (`BITPOS`).
    ///
    /// The position is counted from the start of the bitmap. There are no zeros after the end.
    fn bitpos_range(&self, bit: bool, bytes: impl PositionRange) -> Command<Option<u32>> {
        self.read("BITPOS", (digit(bit), Positions::unlimited(bytes)))
            .reply(position)
            .named_read(accessor!("bitpos_range"))
    }

    /// Reads, writes and increments up to 500 integers of any width in one step (`BITFIELD`). See [`BitField`].
    ///
    /// It is sent as `BITFIELD_RO` if it only reads.
    #[doc(alias("bitfield_ro"))]
    fn bitfield(&self) -> BitField {
        BitField::new(self)
    }
}

/// The number of a bit, for a write.
struct WrittenBit(u32);

impl Arguments for WrittenBit {
    #[inline]
    fn capacity(&self, schema: &'static Schema) -> Capacity {
        self.0.capacity(schema)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        check_size(self.0.into(), schema)?;
        self.0.push(cmd, schema)
    }
}

/// Rejects a write to a bit beyond the bitmap's declared size.
fn check_size(bit: u64, schema: &'static Schema) -> Result<(), Cause> {
    let bytes = (bit / 8).saturating_add(1);
    if bytes > schema.max_bytes.unwrap_or(MAX_MAX_BYTES) { Err(Cause::BitmapSize { bit, bytes }) } else { Ok(()) }
}

/// Returns a bit in Redis's notation.
fn digit(bit: bool) -> &'static str {
    if bit { "1" } else { "0" }
}

/// Reads a position, or -1 for none.
fn position(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<u32>> {
    match replies.one() {
        Value::Int(-1) => Ok(Step::Done(None)),
        Value::Int(position) => match u32::try_from(position) {
            Ok(position) => Ok(Step::Done(Some(position))),
            Err(_) => Err(ReplyError::unexpected()),
        },
        _ => Err(ReplyError::unexpected()),
    }
}
