//! Reads a whole collection into a `Vec`: a state machine without I/O.

#[cfg(all(test, feature = "aio"))]
mod tests;

use std::collections::HashSet;

use redis::Value;
use redis_keys_core::Kind;
use redis_keys_core::limits::MAX_MAX_LEN;

use super::state::number_of;
use super::{Page, Paging, Scan, ScanState};
use crate::command::context::Commands;
use crate::command::reply::{list, pairs};
use crate::command::request::Reading;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step};
use crate::error::Cause;
use crate::schema::{Keep, Schema};
use crate::stored::memory;
use crate::{Command, Error};

/// A scan whose elements are collected.
///
/// A scan by cursor can return members and fields repeatedly, so those of earlier pages are removed from a reply before
/// it is decoded. The pages of a stream never repeat an entry, and the items of a list cannot be distinguished. If more
/// elements arrive than the declaration allows, the server is asked for the length, because the pages can contain more
/// elements than the collection ever has while other clients replace elements.
pub(super) struct CollectState<T> {
    scan: ScanState<T>,
    elements: Vec<T>,
    seen: HashSet<Vec<u8>>,
    length_is_checked: bool,
    /// The memory that the elements take, in bytes.
    bytes: usize,
}

impl<T> CollectState<T> {
    pub(super) fn new(scan: Scan<T>) -> Self {
        let scan = ScanState::new(scan);
        Self { scan, elements: Vec::new(), seen: HashSet::new(), length_is_checked: false, bytes: 0 }
    }

    /// Returns the next command; `None` at the end.
    pub(super) fn command(&mut self) -> Option<Command<Value>> {
        if self.asks_length() { Some(self.scan.scan.size(raw)) } else { self.scan.command(raw) }
    }

    /// Takes the reply.
    pub(super) fn resume(&mut self, reply: Result<Value, Error>) -> Result<(), Error> {
        if self.asks_length() {
            self.length_is_checked = true;
            return self.check_length(&reply?);
        }
        if self.scan.needs_size() {
            self.scan.set_size(reply.ok().as_ref().and_then(number_of));
            return Ok(());
        }
        let page = reply.and_then(|reply| {
            self.take_memory(bytes_of(&reply))?;
            let (page, memory) = memory::measure(|| self.page(reply));
            self.take_memory(memory)?;
            page
        });
        self.scan.resume(page);
        while let Some(element) = self.scan.element() {
            self.elements.push(element?);
        }
        // If elements arrive as fast as they are read, the scan never ends.
        let most = most_elements(self.scan.scan.schema);
        let len = self.elements.len() as u64;
        if self.length_is_checked && len > most.saturating_add(MAX_MAX_LEN) {
            return Err(self.scan.scan.error(Cause::LargeCollection { len: Some(len), most }));
        }
        Ok(())
    }

    /// Reads a page, without the elements that earlier pages have returned.
    fn page(&mut self, reply: Value) -> Result<Page<T>, Error> {
        let scan = &self.scan.scan;
        let base = scan.base.as_ref().map_err(Clone::clone)?;
        let sent = ReplyContext { schema: scan.schema, script: None, commands: Commands::One(base) };
        let reading = Reading::new(scan.decode);
        let page =
            if scan.paging == Paging::Cursor { distinct(reply, scan.schema.kind, &mut self.seen) } else { Ok(reply) };
        match page.and_then(|page| reading.read(Replies::One(page), &sent)) {
            Ok(Step::Done(page)) => Ok(page),
            Ok(Step::Then(_)) => Err(ReplyError::unexpected().into_error(&sent)),
            Err(fault) => Err(fault.into_error(&sent)),
        }
    }

    fn take_memory(&mut self, bytes: usize) -> Result<(), Error> {
        let most = self.scan.scan.max_bytes;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > most { Err(self.scan.scan.error(Cause::CollectedBytes { most })) } else { Ok(()) }
    }

    fn check_length(&self, reply: &Value) -> Result<(), Error> {
        let most = most_elements(self.scan.scan.schema);
        let cause = match number_of(reply) {
            Some(len) if len <= most => return Ok(()),
            Some(len) => Cause::LargeCollection { len: Some(len), most },
            None => Cause::UnexpectedReply,
        };
        Err(self.scan.scan.error(cause))
    }

    pub(super) fn into_elements(self) -> Vec<T> {
        self.elements
    }

    fn asks_length(&self) -> bool {
        !self.length_is_checked && self.elements.len() as u64 > most_elements(self.scan.scan.schema)
    }
}

/// The maximum number of elements, if all clients respect the declaration.
pub(crate) fn most_elements(schema: &Schema) -> u64 {
    match (schema.max_len, schema.keep) {
        (Some(max_len), _) => max_len,
        // The server removes whole blocks of entries, whose length is a setting.
        (None, Some(Keep::AboutLast(count))) => count.saturating_add(MAX_MAX_LEN),
        (None, keep) => keep.map_or(MAX_MAX_LEN, Keep::count),
    }
}

/// Returns the size of a reply's data, in bytes.
fn bytes_of(reply: &Value) -> usize {
    let sum = |values: &mut dyn Iterator<Item = &Value>| values.map(bytes_of).fold(0, usize::saturating_add);
    match reply {
        Value::BulkString(bytes) => bytes.len(),
        Value::Array(values) | Value::Set(values) => sum(&mut values.iter()),
        Value::Map(pairs) => sum(&mut pairs.iter().flat_map(|(name, value)| [name, value])),
        _ => 0,
    }
}

#[allow(clippy::unnecessary_wraps, reason = "it is a decoder")]
fn raw(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Value> {
    Ok(Step::Done(replies.one()))
}

/// Removes the elements in `seen` from the reply to a scan by cursor, and adds the rest to `seen`.
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
