//! Whole numbers that are too wide for scripts.
//!
//! A script's numbers are exact up to 53 bits, and writes of keys that expire go by a script. So in such keys a wider number is
//! read in two halves by the same BITFIELD: the one on the left by `get`, whose small letters say so, and then the other by
//! `GET`. A SET comes behind the halves of what was there, and its own result does not count; after an INCRBY come the halves
//! of the new number.

use redis::{Cmd, Value};

use super::BitInt;
use crate::{
    command::{Fault, Replies, Sent, Step, replies, rewrite::words},
    schema::{Expiry, Schema},
};

/// The bits of the half on the right.
pub(super) const RIGHT: BitInt = BitInt::u::<32>();

/// Whether a number has to be read in halves.
pub(super) fn is_wide(bits: u8, schema: &Schema) -> bool {
    bits > 53 && schema.expiry != Expiry::NEVER
}

/// What a command asks for, one result each.
enum Part {
    /// A read of a number, or a write whose own result counts.
    Plain,
    /// The half on the left; the one on the right is next.
    Left,
    Set,
    Incr,
}

/// A number for each, and nothing for a count that was not done.
pub(super) fn numbers(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Option<i64>>>, Fault> {
    let values = replies::list(replies.one())?;
    let parts = sent.command(0).map(|cmd| parts(cmd, sent.schema)).unwrap_or_default();
    if parts.len() != values.len() {
        return Err(Fault::unexpected());
    }
    let mut found = Vec::with_capacity(values.len());
    let (mut left, mut failed) = (None, false);
    for (part, value) in parts.into_iter().zip(values) {
        let number = match value {
            Value::Int(number) => Some(number),
            Value::Nil => None,
            _ => return Err(Fault::unexpected()),
        };
        match (part, left.take()) {
            (Part::Plain, None) => found.push(number),
            (Part::Plain, Some(left)) => {
                let whole = number.map(|right| left << RIGHT.bits() | right);
                found.push(whole.filter(|_| !failed));
                failed = false;
            }
            (Part::Left, _) => left = number,
            (Part::Set, _) => {}
            (Part::Incr, _) => failed = number.is_none(),
        }
    }
    Ok(Step::Done(found))
}

/// What stands behind the name of the command, which can be the one that a script runs, and behind its key.
fn parts(cmd: &Cmd, schema: &Schema) -> Vec<Part> {
    let mut parts = Vec::new();
    let at = words(cmd).position(|word| matches!(word, b"BITFIELD" | b"BITFIELD_RO")).unwrap_or_default();
    let mut words = words(cmd).skip(at + if at == 0 { 2 } else { 1 });
    while let (Some(command), Some(int)) = (words.next(), words.next()) {
        let bits = int.get(1..).and_then(|bits| str::from_utf8(bits).ok()).and_then(|bits| bits.parse().ok());
        let wide = bits.is_some_and(|bits| is_wide(bits, schema));
        let (part, rest) = match command {
            b"OVERFLOW" => continue,
            b"get" => (Part::Left, 1),
            b"GET" => (Part::Plain, 1),
            b"SET" if wide => (Part::Set, 2),
            b"INCRBY" if wide => (Part::Incr, 2),
            _ => (Part::Plain, 2),
        };
        parts.push(part);
        words.by_ref().take(rest).for_each(drop);
    }
    parts
}
