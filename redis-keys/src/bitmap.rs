//! How the commands of `bitmap` keys are built and their replies read.

mod field;
mod int;
pub(crate) mod read;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod wide;
pub(crate) mod write;

use redis_keys_core::limits::MAX_MAX_BYTES;

use crate::{Schema, error::Cause};

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
