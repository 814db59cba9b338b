//! Reading a whole collection at once: a state machine without I/O.

#[cfg(all(test, feature = "aio"))]
mod tests;

use std::collections::HashSet;

use redis::Value;
use redis_keys_core::{Kind, limits::MAX_MAX_LEN};

use super::{Paging, Scan, ScanState};
use crate::{
    Command, Error,
    command::{
        Replies, ReplyError, Sent, Step, begin, key_of,
        replies::{list, pairs},
        request::Reading,
        sent::Commands,
    },
    error::Cause,
    schema::{Keep, Schema},
};

/// A scan whose elements are collected.
///
/// A reply to a scan by cursor is decoded once the members and fields that earlier pages have returned are removed from it. The
/// pages of a stream have no entry twice, and the items of a list cannot be told apart. If more elements arrive than the
/// declaration allows, the server is asked for the length: while other clients replace elements, the pages can contain more of
/// them than the collection ever has.
pub(super) struct CollectState<T> {
    scan: ScanState<T>,
    elements: Vec<T>,
    seen: HashSet<Vec<u8>>,
    length_is_checked: bool,
}

impl<T> CollectState<T> {
    pub(super) fn new(scan: Scan<T>) -> Self {
        let scan = ScanState::new(scan);
        Self { scan, elements: Vec::new(), seen: HashSet::new(), length_is_checked: false }
    }

    /// The next command. `None` at the end.
    pub(super) fn command(&mut self) -> Option<Command<Value>> {
        if self.asks_length() { Some(length(&self.scan.scan)) } else { self.scan.command(raw) }
    }

    /// Takes the reply.
    pub(super) fn resume(&mut self, reply: Result<Value, Error>) -> Result<(), Error> {
        if self.asks_length() {
            self.length_is_checked = true;
            return check_length(&self.scan.scan, &reply?);
        }
        let page = reply.and_then(|reply| {
            let scan = &self.scan.scan;
            let base = scan.base.as_ref().map_err(Clone::clone)?;
            let sent = Sent { schema: scan.schema, script: None, commands: Commands::One(base) };
            let reading = Reading { decode: scan.decode, renews: false };
            let page = if scan.paging == Paging::Cursor {
                distinct(reply, scan.schema.kind, &mut self.seen)
            } else {
                Ok(reply)
            };
            match page.and_then(|page| reading.read(Replies::One(page), &sent)) {
                Ok(Step::Done(page)) => Ok(page),
                Ok(Step::Then(_)) => Err(ReplyError::unexpected().into_error(&sent)),
                Err(fault) => Err(fault.into_error(&sent)),
            }
        });
        self.scan.resume(page);
        while let Some(element) = self.scan.element() {
            self.elements.push(element?);
        }
        // Elements that arrive as fast as they are read have no end.
        let most = most_elements(self.scan.scan.schema);
        let len = self.elements.len() as u64;
        if self.length_is_checked && len > most.saturating_add(MAX_MAX_LEN) {
            return Err(self.scan.scan.error(Cause::LargeCollection { len, most }));
        }
        Ok(())
    }

    pub(super) fn into_elements(self) -> Vec<T> {
        self.elements
    }

    fn asks_length(&self) -> bool {
        !self.length_is_checked && self.elements.len() as u64 > most_elements(self.scan.scan.schema)
    }
}

/// The most elements that the collection can have if all clients respect its declaration.
fn most_elements(schema: &Schema) -> u64 {
    match (schema.max_len, schema.keep) {
        (Some(max_len), _) => max_len,
        // The server removes whole blocks of entries, whose length is a setting.
        (None, Some(Keep::AboutLast(count))) => count.saturating_add(MAX_MAX_LEN),
        (None, keep) => keep.map_or(MAX_MAX_LEN, Keep::count),
    }
}

/// The command that returns the number of elements.
fn length<T>(scan: &Scan<T>) -> Command<Value> {
    let name = match scan.schema.kind {
        Kind::Hash => "HLEN",
        Kind::List => "LLEN",
        Kind::Set => "SCARD",
        Kind::Stream => "XLEN",
        _ => "ZCARD",
    };
    let cmd = scan.base.as_ref().map_err(Clone::clone);
    let cmd = cmd.map(|base| begin(name, key_of(base, 0).unwrap_or_default().as_bytes(), 0, 0));
    Command::one(scan.schema, cmd, raw)
}

fn check_length<T>(scan: &Scan<T>, reply: &Value) -> Result<(), Error> {
    let most = most_elements(scan.schema);
    let cause = match reply {
        Value::Int(len) => match u64::try_from(*len) {
            Ok(len) if len <= most => return Ok(()),
            Ok(len) => Cause::LargeCollection { len, most },
            Err(_) => Cause::UnexpectedReply,
        },
        _ => Cause::UnexpectedReply,
    };
    Err(scan.error(cause))
}

#[allow(clippy::unnecessary_wraps, reason = "it is a decoder")]
fn raw(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Value>, ReplyError> {
    Ok(Step::Done(replies.one()))
}

/// Removes from the reply to a scan by cursor what is in `seen`, and adds the rest to it.
fn distinct(reply: Value, kind: Kind, seen: &mut HashSet<Vec<u8>>) -> Result<Value, ReplyError> {
    let [cursor, page] = list(reply)?.try_into().map_err(|_| ReplyError::unexpected())?;
    let mut is_new = |name: &Value| match name {
        Value::BulkString(bytes) => seen.insert(bytes.clone()),
        _ => true,
    };
    let page = if kind == Kind::Set {
        Value::Array(list(page)?.into_iter().filter(|member| is_new(member)).collect())
    } else {
        Value::Map(pairs(page)?.into_iter().filter(|(name, _)| is_new(name)).collect())
    };
    Ok(Value::Array(vec![cursor, page]))
}
