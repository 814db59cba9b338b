//! Reads of keys in several slots, which a node would reject.
//!
//! redis-rs splits them too, and then panics if one node replies with an error while others reply with values. A
//! synchronous connection panics in the caller, and an asynchronous connection in its task, after which it answers
//! nothing any more. Therefore redis-rs gets the parts one after the other; in batches on an asynchronous connection
//! several at the same time.

#[cfg(feature = "cluster")]
use std::borrow::Cow;
use std::collections::BTreeMap;

use redis::{Cmd, Value};
use redis_keys_core::slot::slot_of;

use crate::command::responses::Response;
#[cfg(feature = "cluster")]
use crate::command::responses::{NEVER_PROVEN, no_reply, wrong_number};
use crate::command::table::{keys_of, words};

/// The parts of a command.
pub(super) enum Parts {
    #[cfg(feature = "cluster")]
    Whole,
    /// The positions of the keys of each part.
    BySlot(Vec<Vec<usize>>),
}

/// Splits a command with keys in several slots into commands for one slot each. Only MGET is split: the other
/// commands of this crate have keys in one slot.
pub(super) fn split(cmd: &Cmd) -> Option<(Parts, Vec<Cmd>)> {
    if words(cmd).next() != Some(b"MGET") {
        return None;
    }
    let mut slots: BTreeMap<u16, (Vec<usize>, Cmd)> = BTreeMap::new();
    for (position, key) in keys_of(cmd).enumerate() {
        let (positions, part) = slots.entry(slot_of(key)).or_insert_with(|| (Vec::new(), redis::cmd("MGET")));
        positions.push(position);
        part.arg(key);
    }
    let (positions, cmds): (Vec<_>, _) = slots.into_values().unzip();
    (positions.len() > 1).then_some((Parts::BySlot(positions), cmds))
}

/// Splits commands that have keys in several slots. Returns how each command was split, and the commands to send.
#[cfg(feature = "cluster")]
pub(super) fn split_all<'c>(cmds: impl Iterator<Item = &'c Cmd>) -> (Vec<Parts>, Vec<Cow<'c, Cmd>>) {
    let (mut all_parts, mut sent) = (Vec::new(), Vec::new());
    for cmd in cmds {
        match split(cmd) {
            None => {
                all_parts.push(Parts::Whole);
                sent.push(Cow::Borrowed(cmd));
            }
            Some((parts, cmds)) => {
                all_parts.push(parts);
                sent.extend(cmds.into_iter().map(Cow::Owned));
            }
        }
    }
    (all_parts, sent)
}

/// Joins the responses to the commands that [`split_all`] returned.
#[cfg(feature = "cluster")]
pub(super) fn join_all_parts(parts: Vec<Parts>, mut responses: impl Iterator<Item = Response>) -> Vec<Response> {
    parts.into_iter().map(|parts| parts.join(&mut responses)).collect()
}

impl Parts {
    /// Takes one response for each part and joins them. The first response without values is the response to the whole
    /// command.
    pub(super) fn join(self, responses: &mut impl Iterator<Item = Response>) -> Response {
        let parts = match self {
            #[cfg(feature = "cluster")]
            Self::Whole => return responses.next().unwrap_or_else(|| no_reply(wrong_number(), NEVER_PROVEN)),
            Self::BySlot(parts) => parts,
        };
        let mut values = vec![Value::Nil; parts.iter().map(Vec::len).sum()];
        let mut failed = None;
        for (positions, response) in parts.into_iter().zip(responses) {
            match response {
                Ok(Value::Array(found)) if found.len() == positions.len() => {
                    for (position, value) in positions.into_iter().zip(found) {
                        if let Some(entry) = values.get_mut(position) {
                            *entry = value;
                        }
                    }
                }
                response => failed = failed.or(Some(response)),
            }
        }
        failed.unwrap_or(Ok(Value::Array(values)))
    }
}

#[cfg(test)]
mod tests {
    use redis::{Cmd, Value};

    use super::{Response, keys_of, split};

    #[test]
    fn keys_of_several_slots_are_read_by_slot_and_joined_in_their_order() {
        let mut mget = redis::cmd("MGET");
        mget.arg(&["{a}1", "b", "{a}2", "c"]);
        let (parts, cmds) = split(&mget).unwrap();
        let echo = |cmd: &Cmd| Value::Array(keys_of(cmd).map(|key| Value::BulkString(key.to_vec())).collect());
        let replies: Vec<Response> = cmds.iter().map(|cmd| Ok(echo(cmd))).collect();
        assert_eq!(replies.len(), 3);
        let Ok(Value::Array(values)) = parts.join(&mut replies.into_iter()) else { panic!("it is a list") };
        assert_eq!(values, ["{a}1", "b", "{a}2", "c"].map(|key| Value::BulkString(key.as_bytes().to_vec())));
    }

    #[test]
    fn other_commands_are_whole() {
        let mut mget = redis::cmd("MGET");
        mget.arg(&["{a}1", "{a}2"]);
        let mut other = redis::cmd("PFCOUNT");
        other.arg(&["a", "b"]);
        for cmd in [mget, other] {
            assert!(split(&cmd).is_none());
        }
    }
}
