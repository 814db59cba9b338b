//! The builder of `BITFIELD`, and the integers that it reads and writes.

use std::fmt;

use redis::{Cmd, RedisWrite as _, Value};

use super::check_size;
use crate::accessor::accessor;
use crate::command::arguments::MAX_ELEMENTS;
use crate::command::expiry::expiry_of;
use crate::command::rewrite::{read_by, write_native_by};
use crate::command::table::words;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, key_of, on_key, reply};
use crate::error::Cause;
use crate::redis_rs::Words;
use crate::run::{debug_key, runnable};
use crate::schema::{Expiry, Schema};
use crate::{BitmapKey, Command, Error};

/// The type of an integer in a bitmap: signed with 1 to 64 bits, or unsigned with 1 to 63 bits.
///
/// The width is a const parameter, so that an invalid one does not compile:
///
/// ```
/// use redis_keys::types::bitmap::BitInt;
///
/// const LEVEL: BitInt = BitInt::u::<5>();
/// assert_eq!(LEVEL.to_string(), "u5");
/// assert_eq!(LEVEL.bits(), 5);
/// assert_eq!(BitInt::i::<64>().to_string(), "i64");
/// ```
///
/// ```compile_fail
/// redis_keys::types::bitmap::BitInt::u::<64>(); // Redis has no unsigned integers of 64 bits
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitInt {
    signed: bool,
    bits: u8,
}

impl BitInt {
    /// An unsigned integer with 1 to 63 bits.
    pub const fn u<const BITS: u8>() -> Self {
        const { assert!(BITS >= 1 && BITS <= 63, "an unsigned integer has 1 to 63 bits") };
        Self { signed: false, bits: BITS }
    }

    /// A signed integer with 1 to 64 bits.
    pub const fn i<const BITS: u8>() -> Self {
        const { assert!(BITS >= 1 && BITS <= 64, "a signed integer has 1 to 64 bits") };
        Self { signed: true, bits: BITS }
    }

    /// Returns the number of bits.
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// Returns whether the type can represent a number.
    #[allow(clippy::arithmetic_side_effects, reason = "it has 1 to 64 bits")]
    fn contains(self, number: i64) -> bool {
        // All bits above the number's bits equal its sign.
        if self.signed { matches!(number >> (self.bits - 1), 0 | -1) } else { number >= 0 && number >> self.bits == 0 }
    }
}

/// Uses Redis's notation: `u5`.
impl fmt::Display for BitInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

/// The position of an integer in a bitmap. A plain `u32` counts bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOffset {
    /// The index of the integer's first bit.
    Bit(u32),
    /// The integer's index, if the bitmap is an array of integers of this type.
    Element(u32),
}

impl BitOffset {
    /// Returns the first and the last bit of an integer.
    #[allow(clippy::arithmetic_side_effects, reason = "2^32 integers of 64 bits have fewer than 2^64")]
    fn bits_of(self, int: BitInt) -> (u64, u64) {
        let bits = u64::from(int.bits);
        let first = match self {
            Self::Bit(bit) => bit.into(),
            Self::Element(index) => u64::from(index) * bits,
        };
        (first, first + bits - 1)
    }
}

impl From<u32> for BitOffset {
    fn from(bit: u32) -> Self {
        Self::Bit(bit)
    }
}

/// Uses Redis's notation: the number of a bit, or `#` and an index.
impl fmt::Display for BitOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bit(bit) => write!(f, "{bit}"),
            Self::Element(index) => write!(f, "#{index}"),
        }
    }
}

/// The result of an increment that leaves the type's range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BitOverflow {
    /// The number wraps around.
    #[default]
    Wrap,
    /// The number becomes the type's lowest or highest.
    Sat,
    /// The number does not change, and the result is `None`.
    Fail,
}

/// A builder of `BITFIELD`, which runs several reads and writes in one step: [`BitmapKey::bitfield`].
///
/// The result has a number for each operation, in order. Only an increment with [`BitOverflow::Fail`] can be `None`.
///
/// ```
/// use redis_keys::{types::bitmap::{BitInt, BitOffset, BitOverflow}, prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:levels:{user_id}:bitmap, ttl = 30d)]
/// struct Levels { user_id: u64 }
///
/// const LEVEL: BitInt = BitInt::u::<5>();
///
/// let levels = Levels { user_id: 42 };
/// let read = levels.bitfield().get(LEVEL, 0).get(LEVEL, BitOffset::Element(7));
/// assert_eq!(testing::text(read)?, ["BITFIELD_RO user:levels:42:bitmap GET u5 0 GET u5 #7"]);
///
/// let write = levels.bitfield().overflow(BitOverflow::Sat).incr(LEVEL, 0, 1).set(LEVEL, 5, 31);
/// let results: Command<Vec<Option<i64>>> = write.into();
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "a bitfield does nothing until `run` or `query` runs it"]
pub struct BitField {
    schema: &'static Schema,
    /// The expiry for writes. An error here does not affect reads.
    expiry: Result<Expiry, Error>,
    /// `BITFIELD_RO`, the key and the operations.
    cmd: Result<Cmd, Error>,
    len: usize,
    writes: bool,
    overflow: BitOverflow,
    /// The overflow of the last increment in the command.
    sent_overflow: BitOverflow,
}

impl BitField {
    pub(super) fn new<K: BitmapKey>(key: &K) -> Self {
        Self {
            schema: K::SCHEMA,
            expiry: expiry_of(key),
            cmd: on_key(key, "BITFIELD_RO", 8, 48),
            len: 0,
            writes: false,
            overflow: BitOverflow::Wrap,
            sent_overflow: BitOverflow::Wrap,
        }
    }

    /// Reads a number (`GET`). All bits after the end of the bitmap are 0.
    pub fn get(mut self, int: BitInt, offset: impl Into<BitOffset>) -> Self {
        self.add("GET", int, offset.into(), None);
        self
    }

    /// Writes a number and returns the previous number (`SET`). The number must be in the type's range.
    pub fn set(mut self, int: BitInt, offset: impl Into<BitOffset>, number: i64) -> Self {
        if int.contains(number) {
            self.add_write("SET", int, offset.into(), number);
        } else {
            self.refuse(Cause::BitValue(int.to_string().into()));
        }
        self
    }

    /// Adds to a number and returns the new number (`INCRBY`).
    pub fn incr(mut self, int: BitInt, offset: impl Into<BitOffset>, number: i64) -> Self {
        if self.overflow != self.sent_overflow {
            self.sent_overflow = self.overflow;
            let name: &[u8] = match self.overflow {
                BitOverflow::Wrap => b"WRAP",
                BitOverflow::Sat => b"SAT",
                BitOverflow::Fail => b"FAIL",
            };
            if let Ok(cmd) = &mut self.cmd {
                cmd.write_arg(b"OVERFLOW");
                cmd.write_arg(name);
            }
        }
        self.add_write("INCRBY", int, offset.into(), number);
        self
    }

    /// Sets the result of the following increments if they leave the type's range (`OVERFLOW`).
    ///
    /// The default is [`BitOverflow::Wrap`].
    pub fn overflow(self, overflow: BitOverflow) -> Self {
        Self { overflow, ..self }
    }

    fn add_write(&mut self, operation: &str, int: BitInt, offset: BitOffset, number: i64) {
        let (_, last_bit) = offset.bits_of(int);
        match check_size(last_bit, self.schema) {
            Ok(()) => self.add(operation, int, offset, Some(number)),
            Err(cause) => self.refuse(cause),
        }
        self.writes = true;
    }

    fn add(&mut self, operation: &str, int: BitInt, offset: BitOffset, number: Option<i64>) {
        if self.len == MAX_ELEMENTS {
            return self.refuse(Cause::TooMany { most: MAX_ELEMENTS as u64 });
        }
        self.len = self.len.saturating_add(1);
        if !is_wide(int.bits, self.schema) {
            return self.push(operation, int, offset, number);
        }
        match operation {
            "GET" => self.push_halves(int, offset),
            "SET" => {
                self.push_halves(int, offset);
                self.push(operation, int, offset, number);
            }
            _ => {
                self.push(operation, int, offset, number);
                self.push_halves(int, offset);
            }
        }
    }

    /// Adds reads for both halves of a wide integer.
    fn push_halves(&mut self, int: BitInt, offset: BitOffset) {
        let (first_bit, last_bit) = offset.bits_of(int);
        let left = BitInt { bits: int.bits.saturating_sub(RIGHT_HALF.bits), ..int };
        self.push("get", left, first_bit, None);
        self.push("GET", RIGHT_HALF, last_bit.saturating_add(1).saturating_sub(RIGHT_HALF.bits.into()), None);
    }

    fn push(&mut self, operation: &str, int: BitInt, offset: impl fmt::Display, number: Option<i64>) {
        if let Ok(cmd) = &mut self.cmd {
            cmd.write_arg(operation.as_bytes());
            cmd.write_arg_fmt(int);
            cmd.write_arg_fmt(offset);
            if let Some(number) = number {
                cmd.arg(number);
            }
        }
    }

    /// Keeps the first error.
    #[cold]
    fn refuse(&mut self, cause: Cause) {
        if let Ok(cmd) = &self.cmd {
            self.cmd = Err(Error::refused(self.schema, key_of(cmd, 0), cause));
        }
    }
}

runnable!([] BitField => Vec<Option<i64>>);

impl From<BitField> for Command<Vec<Option<i64>>> {
    fn from(field: BitField) -> Self {
        match field.cmd {
            Ok(_) if field.len == 0 => Self::ready(Vec::new()),
            Ok(cmd) if field.writes => match field.expiry {
                Ok(expiry) => write_native_by(field.schema, expiry, "BITFIELD", &cmd, numbers),
                Err(error) => Self::refused(error),
            },
            // BITFIELD_RO runs on replicas too and cannot create the key.
            Ok(cmd) => read_by(field.schema, cmd, numbers),
            Err(error) => Self::refused(error),
        }
        .named(accessor!("bitfield"))
    }
}

debug_key!([] BitField, "BitField", |field| field.cmd.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default()));

// Wide integers.
//
// Scripts compute exactly up to 53 bits, and keys with an expiry are written by a script. In such keys, wider integers
// are read in two halves by the same BITFIELD: first the left half, with `get` in lower case as a mark, then the right
// half with `GET`. The halves of the previous number come before a SET, whose result is then ignored. The halves of the
// new number come after an INCRBY, whose result then only says whether it failed.

const RIGHT_HALF: BitInt = BitInt::u::<32>();

/// Whether an integer is read in halves.
fn is_wide(bits: u8, schema: &'static Schema) -> bool {
    bits > 53 && schema.expiry != Expiry::NEVER
}

/// The meaning of an operation's result.
enum Meaning {
    /// A number, or the right half after a left half.
    Number,
    LeftHalf,
    /// Nothing: the preceding halves are the result.
    WideSet,
    /// Whether the increment failed: the following halves are the result.
    WideIncrement,
}

/// Reads a number for each operation of the builder, or nothing for a failed increment.
fn numbers(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<Option<i64>>> {
    let results = reply::list(replies.one())?;
    let meanings = sent.command(0).map(|cmd| meanings(cmd, sent.schema)).unwrap_or_default();
    if meanings.len() != results.len() {
        return Err(ReplyError::unexpected());
    }
    let mut numbers = Vec::with_capacity(results.len());
    let (mut left_half, mut failed) = (None, false);
    for (meaning, result) in meanings.into_iter().zip(results) {
        let number = match result {
            Value::Int(number) => Some(number),
            Value::Nil => None,
            _ => return Err(ReplyError::unexpected()),
        };
        match (meaning, left_half.take()) {
            (Meaning::Number, None) => numbers.push(number),
            (Meaning::Number, Some(left)) => {
                let whole = number.map(|right| left << RIGHT_HALF.bits | right);
                numbers.push(whole.filter(|_| !failed));
                failed = false;
            }
            (Meaning::LeftHalf, _) => left_half = number,
            (Meaning::WideSet, _) => {}
            (Meaning::WideIncrement, _) => failed = number.is_none(),
        }
    }
    Ok(Step::Done(numbers))
}

/// Returns the meanings of a command's results. The command is a BITFIELD or the call of a script that runs a BITFIELD.
fn meanings<'c>(cmd: impl Words<'c>, schema: &'static Schema) -> Vec<Meaning> {
    let mut meanings = Vec::new();
    let name_at = words(cmd).position(|word| matches!(word, b"BITFIELD" | b"BITFIELD_RO")).unwrap_or_default();
    // In a script call, the key comes before the name.
    let mut words = words(cmd).skip(if name_at == 0 { 2 } else { name_at.saturating_add(1) });
    while let (Some(operation), Some(int)) = (words.next(), words.next()) {
        let bits = int.get(1..).and_then(|bits| str::from_utf8(bits).ok()).and_then(|bits| bits.parse().ok());
        let wide = bits.is_some_and(|bits| is_wide(bits, schema));
        let (meaning, further_words) = match operation {
            b"OVERFLOW" => continue,
            b"get" => (Meaning::LeftHalf, 1),
            b"GET" => (Meaning::Number, 1),
            b"SET" if wide => (Meaning::WideSet, 2),
            b"INCRBY" if wide => (Meaning::WideIncrement, 2),
            _ => (Meaning::Number, 2),
        };
        meanings.push(meaning);
        words.by_ref().take(further_words).for_each(drop);
    }
    meanings
}
