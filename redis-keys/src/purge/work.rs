//! From step to step.

use std::mem;

use redis::{Cmd, RedisWrite as _, Value};

use super::{Purged, size_of};
use crate::{
    Command, Error, Kind,
    command::{
        Fault, Replies, Sent, Step,
        replies::{cursor, list, pairs},
    },
    error::Cause,
    schema::Schema,
};

/// How many elements go at a time.
const PIECE: usize = 100;

/// A purge under way.
pub(super) struct Work {
    schema: &'static Schema,
    key: Box<str>,
    next: Next,
    /// How many elements are left of those that were there in the beginning.
    left: usize,
    purged: Purged,
}

/// What is to be sent.
enum Next {
    /// The size and the expiry.
    Measure,
    /// The expiry that is missing.
    Expire,
    Remove,
    /// The names of the fields of a hash, from a cursor on.
    Fields(u64),
    /// Fields to be removed, and the cursor behind them.
    Delete(Vec<Vec<u8>>, u64),
    Last,
    Nothing,
}

impl Work {
    pub(super) fn new(schema: &'static Schema, key: Box<str>) -> Self {
        let next = if size_of(schema.kind).is_some() { Next::Measure } else { Next::Last };
        Self { schema, key, next, left: 0, purged: Purged { steps: 0 } }
    }

    pub(super) fn purged(&self) -> Purged {
        self.purged
    }

    /// The next thing to be sent.
    pub(super) fn next(&self) -> Option<Command<Vec<Value>>> {
        let cmds = match &self.next {
            Next::Measure => vec![self.cmd(size_of(self.schema.kind)?), self.cmd("PTTL")],
            Next::Expire => {
                // What counts from the end of a span of the calendar does not here: the key is on its way out.
                let mut cmd = self.cmd("PEXPIRE");
                cmd.arg(self.schema.expiry.draw()?);
                vec![cmd]
            }
            Next::Remove => vec![self.removal()],
            Next::Fields(cursor) => {
                let mut cmd = self.cmd("HSCAN");
                cmd.arg(*cursor).arg("COUNT").arg(PIECE);
                vec![cmd]
            }
            Next::Delete(names, _) => {
                let mut cmd = self.cmd("HDEL");
                names.iter().rev().take(PIECE).for_each(|name| cmd.write_arg(name));
                vec![cmd]
            }
            Next::Last => vec![self.cmd("UNLINK")],
            Next::Nothing => return None,
        };
        Some(Command::many(self.schema, cmds, all))
    }

    fn cmd(&self, name: &str) -> Cmd {
        let mut cmd = Cmd::with_capacity(4, name.len() + self.key.len() + 20);
        cmd.write_arg(name.as_bytes());
        cmd.write_arg(self.key.as_bytes());
        cmd
    }

    /// What takes one piece away.
    fn removal(&self) -> Cmd {
        match self.schema.kind {
            Kind::List => {
                let mut cmd = self.cmd("LTRIM");
                cmd.write_arg(b"0");
                cmd.write_arg_fmt(format_args!("-{}", PIECE + 1));
                cmd
            }
            Kind::Set => {
                let mut cmd = self.cmd("SPOP");
                cmd.arg(PIECE);
                cmd
            }
            Kind::Stream => {
                let mut cmd = self.cmd("XTRIM");
                cmd.arg("MAXLEN").arg(self.left.saturating_sub(PIECE));
                cmd
            }
            _ => {
                let mut cmd = self.cmd("ZREMRANGEBYRANK");
                cmd.arg(0).arg(PIECE - 1);
                cmd
            }
        }
    }

    /// Reads what was answered to that.
    pub(super) fn read(&mut self, replies: Vec<Value>) -> Result<(), Error> {
        let result = self.go_on(replies);
        // All that can be wrong is that it is no answer to what was asked.
        result.map_err(|_| Error::new(self.schema, Some(self.key.clone()), crate::Sent::Yes, Cause::UnexpectedReply))
    }

    fn go_on(&mut self, replies: Vec<Value>) -> Result<(), Fault> {
        let mut replies = replies.into_iter();
        let mut reply = || replies.next().unwrap_or_default();
        self.next = match mem::replace(&mut self.next, Next::Nothing) {
            Next::Measure => {
                self.left = number(&reply())?;
                match reply() {
                    // There is no such key.
                    Value::Int(-2) => Next::Nothing,
                    Value::Int(-1) if self.left > PIECE && self.schema.expiry.ttl().is_some() => Next::Expire,
                    _ => self.remove(0),
                }
            }
            Next::Expire => self.remove(0),
            Next::Remove => {
                let gone = self.gone(&reply())?;
                self.took(gone);
                // Where nothing is left others have removed it meanwhile.
                if gone == 0 { Next::Last } else { self.remove(0) }
            }
            Next::Fields(_) => {
                let [at, fields] = list(reply())?.try_into().map_err(|_| Fault::unexpected())?;
                let names = pairs(fields)?.into_iter().filter_map(|(name, _)| match name {
                    Value::BulkString(name) => Some(name),
                    _ => None,
                });
                self.delete(names.collect(), cursor(&at)?)
            }
            Next::Delete(mut names, cursor) => {
                self.took(number(&reply())?);
                names.truncate(names.len().saturating_sub(PIECE));
                self.delete(names, cursor)
            }
            Next::Last => {
                self.took(number(&reply())?);
                Next::Nothing
            }
            Next::Nothing => Next::Nothing,
        };
        Ok(())
    }

    /// Counts a step that removed so many elements, or the key.
    fn took(&mut self, gone: usize) {
        self.left = self.left.saturating_sub(gone);
        self.purged.steps += u64::from(gone > 0);
    }

    /// How many elements a removal took.
    fn gone(&self, reply: &Value) -> Result<usize, Fault> {
        match (self.schema.kind, reply) {
            // LTRIM does not tell.
            (Kind::List, Value::Okay) => Ok(PIECE),
            (Kind::Set, Value::Array(members) | Value::Set(members)) => Ok(members.len()),
            (_, reply) => number(reply),
        }
    }

    /// What removes more: of a hash what a scan finds from a cursor on.
    fn remove(&self, cursor: u64) -> Next {
        match self.schema.kind {
            _ if self.left <= PIECE => Next::Last,
            Kind::Hash => Next::Fields(cursor),
            _ => Next::Remove,
        }
    }

    /// What removes these fields, and then those from a cursor on.
    fn delete(&self, names: Vec<Vec<u8>>, cursor: u64) -> Next {
        match cursor {
            _ if self.left <= PIECE => Next::Last,
            _ if !names.is_empty() => Next::Delete(names, cursor),
            0 => Next::Last,
            cursor => Next::Fields(cursor),
        }
    }
}

fn number(reply: &Value) -> Result<usize, Fault> {
    match reply {
        Value::Int(number) => usize::try_from(*number).map_err(|_| Fault::unexpected()),
        _ => Err(Fault::unexpected()),
    }
}

/// The replies as they are.
#[expect(clippy::unnecessary_wraps, reason = "decoders give results")]
fn all(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<Value>>, Fault> {
    Ok(Step::Done(replies.all().collect()))
}
