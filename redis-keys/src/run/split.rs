//! Reads of keys in several slots, which a node would reject.
//!
//! redis-rs splits them too, and then panics if one node replies with an error while others reply with values: a synchronous
//! connection in the caller, an asynchronous one in its task, after which it answers nothing any more.

use std::collections::BTreeMap;

use redis::{Cmd, Value};

#[cfg(feature = "cluster-async")]
use crate::command::{
    Submission,
    responses::{NEVER_PROVEN, no_reply, wrong_number},
};
use crate::command::{
    cmd::{keys_of, slot, words},
    responses::Response,
};

/// How a command was split.
pub(super) enum Parts {
    #[cfg(feature = "cluster-async")]
    Whole,
    /// The positions of the keys of each part.
    BySlot(Vec<Vec<usize>>),
}

/// Makes of a command with keys in several slots commands for one slot each. Only MGET is split: the other commands of this crate
/// have keys in one slot.
pub(super) fn split(cmd: &Cmd) -> Option<(Parts, Vec<Cmd>)> {
    if words(cmd).next() != Some(b"MGET") {
        return None;
    }
    let mut slots: BTreeMap<u16, (Vec<usize>, Cmd)> = BTreeMap::new();
    for (position, key) in keys_of(cmd).enumerate() {
        let (positions, part) = slots.entry(slot(key)).or_insert_with(|| (Vec::new(), redis::cmd("MGET")));
        positions.push(position);
        part.arg(key);
    }
    let (positions, cmds): (Vec<_>, _) = slots.into_values().unzip();
    (positions.len() > 1).then_some((Parts::BySlot(positions), cmds))
}

/// Splits the commands of a submission, if any of them has keys in several slots.
#[cfg(feature = "cluster-async")]
pub(super) fn split_all(submission: &Submission) -> Option<(Vec<Parts>, Submission)> {
    let splits: Vec<_> = submission.commands().map(split).collect();
    if splits.iter().all(Option::is_none) {
        return None;
    }
    let mut commands = submission.without_commands();
    let parts = splits.into_iter().zip(submission.commands()).map(|(split, cmd)| match split {
        None => {
            commands.extend([cmd.clone()]);
            Parts::Whole
        }
        Some((parts, cmds)) => {
            commands.extend(cmds);
            parts
        }
    });
    Some((parts.collect(), commands))
}

impl Parts {
    /// Joins the responses to the parts, which are the next ones. The first part without values determines that of the whole.
    pub(super) fn join(self, responses: &mut impl Iterator<Item = Response>) -> Response {
        let parts = match self {
            #[cfg(feature = "cluster-async")]
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
