//! Entries in replies.

use redis::Value;

use super::EntryId;
use crate::command::reply::{list, pairs};
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step};
use crate::error::Cause;
use crate::scan::Page;
use crate::types::record::RecordReader;
use crate::{Error, RedisHash};

/// An entry of a stream.
///
/// Each entry has a separate result, so an entry that does not decode does not affect the others. Its ID is always
/// known, so that you can acknowledge or delete the entry.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis, types::stream::EntryId};
///
/// #[derive(RedisHash)]
/// struct Payment { order: u64, cents: u64 }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d, keep_last = ~5000)]
/// struct Payments { shop: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let payments = Payments { shop: 1 };
/// for entry in payments.xrange(.., 100).query(&mut con)? {
///     match entry.value {
///         Ok(paid) => println!("{}: order {}", entry.id, paid.order),
///         Err(error) => eprintln!("{error}"), // it names the entry and the field
///     }
/// }
/// // To stop at the first error:
/// let all: Result<Vec<Payment>, _> = payments.xread(EntryId::MIN, 100).query(&mut con)?.into_iter().map(|entry| entry.value).collect();
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// The ID.
    pub id: EntryId,
    /// The record, or the reason why it does not decode.
    pub value: Result<T, Error>,
}

/// Entries that were delivered before.
///
/// [`Group::read_pending`](super::Group::read_pending) and [`Group::claim`](super::Group::claim) return them.
#[derive(Clone, Debug)]
pub struct RedeliveredEntries<T> {
    /// The entries that still exist.
    pub entries: Vec<Entry<T>>,
    /// The IDs of entries that have been deleted or trimmed.
    ///
    /// After `read_pending` they are still pending, and you must acknowledge them. `claim` removes them from the group;
    /// on Redis 6.2 it does not return them, but `read_pending` does.
    pub deleted: Vec<EntryId>,
    /// The start of the next call, `None` at the end.
    pub next: Option<EntryId>,
}

impl<T> RedeliveredEntries<T> {
    /// The IDs of all entries, including the deleted ones.
    pub fn ids(&self) -> impl Iterator<Item = EntryId> {
        self.entries.iter().map(|entry| entry.id).chain(self.deleted.iter().copied())
    }
}

impl<T> Default for RedeliveredEntries<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), deleted: Vec::new(), next: None }
    }
}

type Entries<R> = Vec<Entry<R>>;

/// Reads the entries of XRANGE.
pub(super) fn entries<R: RedisHash>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Entries<R>> {
    Ok(Step::Done(EntryList::read(replies.one(), sent)?.entries))
}

/// Reads the entries in a reply to XREAD or XREADGROUP.
pub(super) fn entries_of_stream<R: RedisHash>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Entries<R>> {
    Ok(Step::Done(EntryList::read_of_stream(replies, sent)?.entries))
}

/// Reads the entries of a blocking XREAD or XREADGROUP; `None` if the wait ended without an entry.
pub(super) fn awaited<R: RedisHash>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<Entries<R>>> {
    let entries = EntryList::read_of_stream(replies, sent)?.entries;
    Ok(Step::Done(Some(entries).filter(|entries| !entries.is_empty())))
}

/// Reads the pending entries of XREADGROUP.
pub(super) fn redelivered<R: RedisHash>(
    replies: Replies,
    sent: &ReplyContext<'_>,
) -> DecodeResult<RedeliveredEntries<R>> {
    let EntryList { entries, deleted } = EntryList::read_of_stream(replies, sent)?;
    let last = entries.last().map(|entry| entry.id).max(deleted.last().copied());
    Ok(Step::Done(RedeliveredEntries { entries, deleted, next: last.and_then(EntryId::next) }))
}

/// Reads the reply to XAUTOCLAIM: the start of the next call, the entries, and since Redis 7.0 the IDs of deleted entries.
pub(super) fn claimed<R: RedisHash>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<RedeliveredEntries<R>> {
    let mut reply = list(replies.one())?.into_iter();
    let (Some(next), Some(entries)) = (reply.next(), reply.next()) else {
        return Err(ReplyError::unexpected());
    };
    let next = Some(EntryId::read(&next)?).filter(|next| *next != EntryId::MIN);
    let EntryList { entries, mut deleted } = EntryList::read(entries, sent)?;
    for id in reply.next().map(list).transpose()?.unwrap_or_default() {
        deleted.push(EntryId::read(&id)?);
    }
    Ok(Step::Done(RedeliveredEntries { entries, deleted, next }))
}

/// Reads a page of a scan by XRANGE.
pub(super) fn page<R: RedisHash>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Page<Entry<R>>> {
    let entries = EntryList::read(replies.one(), sent)?.entries;
    let next = entries.last().and_then(|last| last.id.next());
    Ok(Step::Done(Page::of(entries, next.map_or(0, EntryId::to_bits))))
}

/// The entries in a reply, and the IDs of deleted entries.
struct EntryList<R> {
    entries: Entries<R>,
    deleted: Vec<EntryId>,
}

impl<R: RedisHash> EntryList<R> {
    /// Reads the entries of the only requested stream; none if the reply has no stream.
    fn read_of_stream(replies: Replies, sent: &ReplyContext<'_>) -> Result<Self, ReplyError> {
        match pairs(replies.one())?.into_iter().next() {
            Some((_key, entries)) => Self::read(entries, sent),
            None => Ok(Self { entries: Vec::new(), deleted: Vec::new() }),
        }
    }

    /// Reads a list of entries.
    fn read(reply: Value, sent: &ReplyContext<'_>) -> Result<Self, ReplyError> {
        let values = list(reply)?;
        let mut entry_list = Self { entries: Vec::with_capacity(values.len()), deleted: Vec::new() };
        for value in values {
            // Redis 6.2 also claims deleted entries, but does not return their IDs.
            if value == Value::Nil {
                continue;
            }
            let [id, fields] = list(value)?.try_into().map_err(|_| ReplyError::unexpected())?;
            let id = EntryId::read(&id)?;
            if fields == Value::Nil {
                entry_list.deleted.push(id);
            } else {
                let value = read_record(fields, sent).map_err(|fault| of_entry(fault, id).into_error(sent));
                entry_list.entries.push(Entry { id, value });
            }
        }
        Ok(entry_list)
    }
}

fn read_record<R: RedisHash>(fields: Value, sent: &ReplyContext<'_>) -> Result<R, ReplyError> {
    RecordReader::read_pairs(pairs(fields)?.into_iter(), sent)
}

#[cold]
fn of_entry(fault: ReplyError, id: EntryId) -> ReplyError {
    fault.map(|cause| Cause::Entry { id: id.to_string().into(), cause: Box::new(cause) })
}
