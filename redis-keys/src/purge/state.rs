//! Removes a key step by step: a state machine without I/O.

use std::mem;

use redis::{Cmd, RedisWrite as _, Value};

use super::PurgeResult;
use crate::command::own_writes::forget_copies;
use crate::command::reply::{self, list, pairs};
use crate::command::table::size_of;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step};
use crate::error::Cause;
use crate::scan::state::Cursors;
use crate::schema::{Draw as _, Kind, Schema};
use crate::{Command, Error};

/// The number of elements that one step removes.
const STEP: usize = 100;

/// The reply to PTTL if there is no key.
const TTL_OF_NO_KEY: i64 = -2;

/// The reply to PTTL for a key without expiry.
const TTL_OF_NO_EXPIRY: i64 = -1;

/// The state of a running purge.
///
/// The size and the expiry come first. While more than [`STEP`] elements are left, each step removes that many; UNLINK
/// removes the rest. The fields of a hash cannot be removed by rank, so HSCAN lists some fields and HDEL removes them.
pub(super) struct PurgeState {
    schema: &'static Schema,
    key: Box<str>,
    next: Next,
    /// The number of remaining elements, out of the elements at the start.
    left: usize,
    cursors: Cursors,
    purged: PurgeResult,
}

/// The next command.
enum Next {
    /// The command for the size, and PTTL.
    Measure,
    /// PEXPIRE, for a key without the declared expiry.
    Expire,
    /// The command that removes some elements.
    Remove,
    /// HSCAN from a cursor.
    ListFields(u64),
    /// HDEL with the last of these fields, and the cursor of the next HSCAN.
    RemoveFields(Vec<Vec<u8>>, u64),
    Unlink,
    Nothing,
}

impl PurgeState {
    pub(super) fn new(schema: &'static Schema, key: Box<str>) -> Self {
        let next = if size_of(schema.kind).is_some() { Next::Measure } else { Next::Unlink };
        Self { schema, key, next, left: 0, cursors: Cursors::default(), purged: PurgeResult { steps: 0 } }
    }

    pub(super) fn purged(&self) -> PurgeResult {
        self.purged
    }

    /// Returns the next command; `None` at the end.
    pub(super) fn command(&self) -> Option<Command<Vec<Value>>> {
        let cmds = match &self.next {
            Next::Measure => vec![self.cmd(size_of(self.schema.kind)?), self.cmd("PTTL")],
            Next::Expire => {
                // Even if the declared expiry counts from the end of a calendar span: the key is about to be
                // deleted.
                let mut cmd = self.cmd("PEXPIRE");
                cmd.arg(self.schema.expiry.draw()?);
                vec![cmd]
            }
            Next::Remove => vec![self.removal()],
            Next::ListFields(cursor) => {
                let mut cmd = self.cmd("HSCAN");
                cmd.arg(*cursor).arg("COUNT").arg(STEP);
                vec![cmd]
            }
            Next::RemoveFields(names, _) => {
                let mut cmd = self.cmd("HDEL");
                names.iter().rev().take(STEP).for_each(|name| cmd.write_arg(name));
                vec![cmd]
            }
            Next::Unlink => vec![self.cmd("UNLINK")],
            Next::Nothing => return None,
        };
        Some(Command::many(self.schema, cmds, all))
    }

    fn cmd(&self, name: &str) -> Cmd {
        let mut cmd = Cmd::with_capacity(4, 128);
        cmd.write_arg(name.as_bytes());
        cmd.write_arg(self.key.as_bytes());
        cmd
    }

    /// The command that removes some elements.
    fn removal(&self) -> Cmd {
        match self.schema.kind {
            Kind::List => {
                let mut cmd = self.cmd("LTRIM");
                cmd.write_arg(b"0");
                cmd.write_arg_fmt(format_args!("-{}", STEP + 1));
                cmd
            }
            Kind::Set => {
                let mut cmd = self.cmd("SPOP");
                cmd.arg(STEP);
                cmd
            }
            Kind::Stream => {
                let mut cmd = self.cmd("XTRIM");
                cmd.arg("MAXLEN").arg(self.left.saturating_sub(STEP));
                cmd
            }
            _ => {
                let mut cmd = self.cmd("ZREMRANGEBYRANK");
                cmd.arg(0).arg(STEP - 1);
                cmd
            }
        }
    }

    /// Takes the replies to the command.
    pub(super) fn resume(&mut self, replies: Vec<Value>) -> Result<(), Error> {
        // The only possible fault is an unreadable reply.
        self.read(replies).map_err(|_| {
            Error::new(self.schema, Some(self.key.clone()), crate::SendStatus::Yes, Cause::UnexpectedReply)
        })
    }

    fn read(&mut self, replies: Vec<Value>) -> Result<(), ReplyError> {
        let mut replies = replies.into_iter();
        let mut reply = || replies.next().unwrap_or_default();
        self.next = match mem::replace(&mut self.next, Next::Nothing) {
            Next::Measure => {
                self.left = number(&reply())?;
                self.cursors.set_size(u64::try_from(self.left).ok(), STEP as u64);
                match reply() {
                    Value::Int(TTL_OF_NO_KEY) => Next::Nothing,
                    Value::Int(TTL_OF_NO_EXPIRY) if self.left > STEP && self.schema.expiry.ttl().is_some() => {
                        Next::Expire
                    }
                    _ => self.next_step(0),
                }
            }
            Next::Expire => self.next_step(0),
            Next::Remove => {
                let removed = self.removed(&reply())?;
                self.count(removed);
                // If there was nothing to remove, another client has removed the elements.
                if removed == 0 { Next::Unlink } else { self.next_step(0) }
            }
            Next::ListFields(_) => {
                let [next, fields] = list(reply())?.try_into().map_err(|_| ReplyError::unexpected())?;
                let names = pairs(fields)?.into_iter().filter_map(|(name, _)| match name {
                    Value::BulkString(name) => Some(name),
                    _ => None,
                });
                let (names, next) = (names.collect(), reply::number(&next)?);
                if next != 0 && !self.cursors.advance(next) {
                    return Err(ReplyError::unexpected());
                }
                self.next_fields(names, next)
            }
            Next::RemoveFields(mut names, cursor) => {
                self.count(number(&reply())?);
                names.truncate(names.len().saturating_sub(STEP));
                self.next_fields(names, cursor)
            }
            Next::Unlink => {
                forget_copies(self.schema, &self.key);
                self.count(number(&reply())?);
                Next::Nothing
            }
            Next::Nothing => Next::Nothing,
        };
        Ok(())
    }

    /// Counts a step that removed this many elements, or the key.
    fn count(&mut self, removed: usize) {
        self.left = self.left.saturating_sub(removed);
        self.purged.steps = self.purged.steps.saturating_add((removed > 0).into());
    }

    /// Returns the number of elements that a step has removed.
    fn removed(&self, reply: &Value) -> Result<usize, ReplyError> {
        match (self.schema.kind, reply) {
            // LTRIM returns no number.
            (Kind::List, Value::Okay) => Ok(STEP),
            (Kind::Set, Value::Array(members) | Value::Set(members)) => Ok(members.len()),
            (_, reply) => number(reply),
        }
    }

    /// Returns the next step; for a hash, it continues at a cursor.
    fn next_step(&self, cursor: u64) -> Next {
        match self.schema.kind {
            _ if self.left <= STEP => Next::Unlink,
            Kind::Hash => Next::ListFields(cursor),
            _ => Next::Remove,
        }
    }

    /// Returns the step that removes these fields, or lists the fields from a cursor on.
    fn next_fields(&self, names: Vec<Vec<u8>>, cursor: u64) -> Next {
        match cursor {
            _ if self.left <= STEP => Next::Unlink,
            _ if !names.is_empty() => Next::RemoveFields(names, cursor),
            0 => Next::Unlink,
            cursor => Next::ListFields(cursor),
        }
    }
}

fn number(reply: &Value) -> Result<usize, ReplyError> {
    match reply {
        Value::Int(number) => usize::try_from(*number).map_err(|_| ReplyError::unexpected()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Returns the unchanged replies.
#[expect(clippy::unnecessary_wraps, reason = "decoders give results")]
fn all(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<Value>> {
    Ok(Step::Done(replies.all().collect()))
}
