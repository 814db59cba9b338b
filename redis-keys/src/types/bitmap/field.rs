//! BITFIELD.

use std::fmt;

use redis::{Cmd, RedisWrite as _};

use super::{
    BitInt, BitOffset, check_bit, wide,
    wide::{RIGHT, numbers},
};
use crate::{
    BitmapKey, Command, Error,
    command::{
        key_of,
        old_builder::{MOST_AT_ONCE, read_by, write_native_by},
        on_key, runnable,
    },
    error::Cause,
    key::expiry::expiry_of,
    schema::{Expiry, Schema},
};

/// What becomes of a count that would leave its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BitOverflow {
    /// It goes on from the other end.
    #[default]
    Wrap,
    /// It stays at the end.
    Sat,
    /// It is not done, and its result is `None`.
    Fail,
}

/// Reads and writes of whole numbers in a bitmap, all in one step: what [`BitmapKey::bitfield`] begins.
///
/// It gives one result for each, in their order. Only a count with [`BitOverflow::Fail`] can be `None`.
///
/// ```
/// use redis_keys::{bitmap::{BitInt, BitOffset, BitOverflow}, prelude::*, testing};
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
/// let before: Command<Vec<Option<i64>>> = write.into();
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "a bitfield does nothing until `query` or `query_async` runs it"]
pub struct BitField {
    schema: &'static Schema,
    /// Of the writes: a read needs none.
    expiry: Result<Expiry, Error>,
    /// The name of the command that only reads, the key, and what is to be done.
    cmd: Result<Cmd, Error>,
    len: usize,
    writes: bool,
    overflow: BitOverflow,
    /// What the command says last about that.
    told: BitOverflow,
}

pub(crate) fn bitfield<K: BitmapKey>(key: &K) -> BitField {
    BitField {
        schema: K::SCHEMA,
        expiry: expiry_of(key),
        cmd: on_key(key, "BITFIELD_RO", 8, 48),
        len: 0,
        writes: false,
        overflow: BitOverflow::Wrap,
        told: BitOverflow::Wrap,
    }
}

impl BitField {
    /// GET: reads a number. Behind the end of the bitmap all bits are 0.
    pub fn get(mut self, int: BitInt, offset: impl Into<BitOffset>) -> Self {
        self.add("GET", int, offset.into(), None);
        self
    }

    /// SET: writes a number, which has to be one of its type. Its result is the number that was there.
    pub fn set(mut self, int: BitInt, offset: impl Into<BitOffset>, number: i64) -> Self {
        if int.holds(number) {
            self.write("SET", int, offset.into(), number);
        } else {
            self.refuse(Cause::BitValue(int.to_string().into()));
        }
        self
    }

    /// INCRBY: adds to a number. Its result is the new one.
    pub fn incr(mut self, int: BitInt, offset: impl Into<BitOffset>, number: i64) -> Self {
        if self.overflow != self.told {
            self.told = self.overflow;
            let word: &[u8] = match self.overflow {
                BitOverflow::Wrap => b"WRAP",
                BitOverflow::Sat => b"SAT",
                BitOverflow::Fail => b"FAIL",
            };
            if let Ok(cmd) = &mut self.cmd {
                cmd.write_arg(b"OVERFLOW");
                cmd.write_arg(word);
            }
        }
        self.write("INCRBY", int, offset.into(), number);
        self
    }

    /// OVERFLOW: what becomes of the counts after this that would leave their type. Unless told they wrap.
    pub fn overflow(self, overflow: BitOverflow) -> Self {
        Self { overflow, ..self }
    }

    fn write(&mut self, command: &str, int: BitInt, offset: BitOffset, number: i64) {
        let (_, last) = offset.bits_of(int);
        match check_bit(last, self.schema) {
            Ok(()) => self.add(command, int, offset, Some(number)),
            Err(cause) => self.refuse(cause),
        }
        self.writes = true;
    }

    fn add(&mut self, command: &str, int: BitInt, offset: BitOffset, number: Option<i64>) {
        if self.len == MOST_AT_ONCE {
            return self.refuse(Cause::TooMany { most: MOST_AT_ONCE as u64 });
        }
        self.len += 1;
        let wide = wide::is_wide(int.bits(), self.schema);
        if wide && command != "INCRBY" {
            self.add_halves(int, offset);
        }
        if !wide || number.is_some() {
            self.push(command, int, offset, number);
        }
        if wide && command == "INCRBY" {
            self.add_halves(int, offset);
        }
    }

    fn add_halves(&mut self, int: BitInt, offset: BitOffset) {
        let (first, last) = offset.bits_of(int);
        self.push("get", int.left_of(RIGHT), first, None);
        self.push("GET", RIGHT, last + 1 - u64::from(RIGHT.bits()), None);
    }

    fn push(&mut self, command: &str, int: BitInt, offset: impl fmt::Display, number: Option<i64>) {
        if let Ok(cmd) = &mut self.cmd {
            cmd.write_arg(command.as_bytes());
            cmd.write_arg_fmt(int);
            cmd.write_arg_fmt(offset);
            if let Some(number) = number {
                cmd.arg(number);
            }
        }
    }

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
            // This runs on replicas too, and makes no key.
            Ok(cmd) => read_by(field.schema, cmd, numbers),
            Err(error) => Self::refused(error),
        }
    }
}

/// Tells the key, and no number.
impl fmt::Debug for BitField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.cmd.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default());
        f.debug_struct("BitField").field("key", &key).finish_non_exhaustive()
    }
}
