//! Entries out of replies.

use redis::Value;

use super::EntryId;
use crate::{
    Error, RedisHash,
    command::{
        Fault, Replies, Sent, Step,
        replies::{list, pairs},
    },
    error::Cause,
    types::record::RecordReader,
};

/// An entry of a stream.
///
/// Each has a result of its own, so that one that cannot be read holds up no other: its id is known all the same, to
/// acknowledge or to delete it by.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis, stream::EntryId};
///
/// #[derive(RedisHash)]
/// struct Paid { order: u64, cents: u64 }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d, keep_last = ~5000)]
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
/// // Where any error is to end it all:
/// let all: Result<Vec<Paid>, _> = payments.xread(EntryId::MIN, 100).query(&mut con)?.into_iter().map(|entry| entry.value).collect();
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// Its id.
    pub id: EntryId,
    /// The record that it is, or why it cannot be read.
    pub value: Result<T, Error>,
}

/// What an array of entries holds: those that are there, and the ids of those that have been deleted.
pub(super) struct Found<T> {
    pub(super) entries: Vec<Entry<T>>,
    pub(super) deleted: Vec<EntryId>,
}

/// The entries of an array.
pub(super) fn found<R: RedisHash>(reply: Value, sent: &Sent<'_>) -> Result<Found<R>, Fault> {
    let values = list(reply)?;
    let mut found = Found { entries: Vec::with_capacity(values.len()), deleted: Vec::new() };
    for value in values {
        // Redis 6.2 claims what has been deleted, too, and then does not even say which it was.
        if value == Value::Nil {
            continue;
        }
        let [id, fields] = list(value)?.try_into().map_err(|_| Fault::unexpected())?;
        let id = EntryId::read(&id)?;
        if fields == Value::Nil {
            found.deleted.push(id);
        } else {
            let value = record(fields).map_err(|fault| of_entry(fault, id).into_error(sent));
            found.entries.push(Entry { id, value });
        }
    }
    Ok(found)
}

fn record<R: RedisHash>(fields: Value) -> Result<R, Fault> {
    RecordReader::read_pairs(pairs(fields)?.into_iter())
}

#[cold]
fn of_entry(fault: Fault, id: EntryId) -> Fault {
    fault.map(|cause| Cause::Entry { id: id.to_string().into(), cause: Box::new(cause) })
}

/// Entries in an array: XRANGE.
pub(super) fn entries<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Entry<R>>>, Fault> {
    Ok(Step::Done(found(replies.one(), sent)?.entries))
}

/// Entries of the only stream that was asked: XREAD and XREADGROUP. Nothing where there is none.
pub(super) fn entries_of_stream<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Entry<R>>>, Fault> {
    Ok(Step::Done(found_of_stream(replies, sent)?.entries))
}

/// The same, when somebody waited for them: `None` where the wait has passed.
pub(super) fn awaited<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Option<Vec<Entry<R>>>>, Fault> {
    let entries = found_of_stream(replies, sent)?.entries;
    Ok(Step::Done(Some(entries).filter(|entries| !entries.is_empty())))
}

pub(super) fn found_of_stream<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Found<R>, Fault> {
    match pairs(replies.one())?.into_iter().next() {
        Some((_key, entries)) => found(entries, sent),
        None => Ok(Found { entries: Vec::new(), deleted: Vec::new() }),
    }
}
