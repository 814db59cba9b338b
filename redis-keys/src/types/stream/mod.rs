//! What can be done with keys of type `stream`.

pub(crate) mod add;
mod entry;
mod group;
mod id;
mod name;
mod pending;
pub(crate) mod range;
pub(crate) mod remove;
mod streams;
mod take;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use add::XAdd;
pub use entry::Entry;
pub use group::{Group, GroupStart};
pub use id::{EntryId, ParseEntryIdError};
pub use pending::{Consumer, Pending, PendingSummary};
pub use take::Redelivered;

use std::{borrow::Borrow, ops::RangeBounds, time::Duration};

use crate::{
    Command, Error, RedisHash, RedisKey, Scan,
    command::blocking::Blocking,
    command::{builder::read, count},
    error::Cause,
    types::stream::remove::Trim,
};

/// A command with an argument that is none.
#[cold]
fn refused<K: RedisKey, T>(key: &K, cause: Cause) -> Command<T> {
    Command::refused(refusal(key, cause))
}

#[cold]
fn refusal<K: RedisKey>(key: &K, cause: Cause) -> Error {
    match key.key() {
        Ok(key) => Error::refused(K::SCHEMA, Some(key.as_str().into()), cause),
        Err(error) => error,
    }
}

/// A key whose value is a log of entries: `…:stream`.
///
/// Each entry is a record and has an id, by which entries are ordered and found. A field that is an `Option` and `None` is
/// not in the entry.
///
/// With `max_len` an entry too many is refused and changes nothing. With `keep_last = 1000` the oldest entries go in the same
/// step, and with `keep_last = ~1000` so do those that the server can drop at little cost. The key's expiry starts when it is
/// created, and anew as `renew` says; what only removes moves none.
///
/// What reads gives each entry a result of its own: see [`Entry`]. Consumers share a stream as a [`group`](Self::group).
///
/// ```
/// use redis_keys::{prelude::*, stream::{Entry, EntryId}, testing};
///
/// #[derive(RedisHash)]
/// struct Paid { order: u64, cents: u64, coupon: Option<String> }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d, keep_last = ~5000)]
/// struct Payments { shop: u32 }
///
/// let payments = Payments { shop: 1 };
/// let id: Command<EntryId> = payments.xadd(&Paid { order: 42, cents: 1999, coupon: None }).into();
/// let first_ten: Command<Vec<Entry<Paid>>> = payments.xrange(.., 10);
/// assert_eq!(
///     testing::text(payments.xread(EntryId::new(1767225600000, 3), 100))?,
///     ["XREAD COUNT 100 STREAMS shop:paid:1:stream 1767225600000-3"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `stream`",
    label = "no `stream` key",
    note = "its template has to end with `:stream`"
)]
pub trait StreamKey: RedisKey {
    /// The record that each entry is.
    type Value: RedisHash;

    /// XADD: adds an entry. Gives its id, which the server chooses unless [`id`](XAdd::id) says it.
    fn xadd(&self, entry: &Self::Value) -> XAdd {
        add::xadd(self, entry)
    }

    /// XLEN: how many entries there are.
    fn xlen(&self) -> Command<u64> {
        read(self, "XLEN", (0, 0), |_| Ok(()), count)
    }

    /// XRANGE: the entries with such ids, the oldest first, up to so many (500 at most).
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use redis_keys::{prelude::*, stream::{Entry, EntryId}};
    ///
    /// #[derive(RedisHash)]
    /// struct Paid { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d)]
    /// struct Payments { shop: u32 }
    ///
    /// let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    /// let since: Command<Vec<Entry<Paid>>> = Payments { shop: 1 }.xrange(EntryId::at(an_hour_ago).., 100);
    /// ```
    fn xrange(&self, ids: impl RangeBounds<EntryId>, count: u32) -> Command<Vec<Entry<Self::Value>>> {
        range::xrange(self, &ids, count)
    }

    /// XREVRANGE: the entries with such ids, the newest first, up to so many (500 at most). The range is written as any other,
    /// its lower end first.
    fn xrevrange(&self, ids: impl RangeBounds<EntryId>, count: u32) -> Command<Vec<Entry<Self::Value>>> {
        range::xrevrange(self, &ids, count)
    }

    /// XREAD: the entries after an id, the oldest first, up to so many (500 at most). It does not wait for any.
    ///
    /// Whoever goes on after the last id that it got misses none, unless they are trimmed before.
    fn xread(&self, after: EntryId, count: u32) -> Command<Vec<Entry<Self::Value>>> {
        range::xread(self, after, count)
    }

    /// XREAD with BLOCK: as [`xread`](Self::xread), and waits for an entry where there is none. `None` when the wait is over.
    ///
    /// It needs a connection of its own: see [`Blocking`]. Nothing is lost to it: a read takes nothing, and the next one that
    /// begins after the same id finds the same entries.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use redis_keys::{prelude::*, redis, stream::EntryId};
    ///
    /// #[derive(RedisHash)]
    /// struct Paid { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d)]
    /// struct Payments { shop: u32 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let payments = Payments { shop: 1 };
    /// // From now on: behind the newest entry that there is.
    /// let newest = payments.xrevrange(.., 1).query(&mut con)?;
    /// let mut last = newest.first().map_or(EntryId::MIN, |entry| entry.id);
    /// loop {
    ///     let found = payments.xread_block(last, 100, Duration::from_secs(30)).query(&mut con)?;
    ///     for entry in found.unwrap_or_default() {
    ///         last = entry.id;
    ///         println!("order {}", entry.value?.order);
    ///     }
    /// }
    /// # }
    /// ```
    fn xread_block(&self, after: EntryId, count: u32, wait: Duration) -> Blocking<Vec<Entry<Self::Value>>> {
        range::xread_block(self, after, count, wait)
    }

    /// XRANGE, again and again: all entries, so many at a time (from 1 to 500), the oldest first. What is added meanwhile is
    /// given, too.
    fn xpages(&self, page_len: u32) -> Scan<Entry<Self::Value>> {
        range::pages(self, page_len)
    }

    /// XDEL: deletes an entry. Tells whether it was there.
    fn xdel(&self, id: EntryId) -> Command<bool> {
        remove::one(self, id)
    }

    /// XDEL: deletes up to 500 entries. Tells how many were there.
    fn xdel_many<I>(&self, ids: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<EntryId>,
    {
        remove::many(self, ids)
    }

    /// XTRIM MAXLEN: so many of the newest entries stay. Tells how many have gone.
    fn xtrim(&self, len: u32) -> Command<u64> {
        remove::xtrim(self, Trim::ToLen(len))
    }

    /// XTRIM MAXLEN ~: so many of the newest entries stay, and perhaps a few more, which costs the server less. Tells how many
    /// have gone.
    fn xtrim_about(&self, len: u32) -> Command<u64> {
        remove::xtrim(self, Trim::ToAboutLen(len))
    }

    /// XTRIM MINID: the entries below an id go. Tells how many these were.
    fn xtrim_before(&self, id: EntryId) -> Command<u64> {
        remove::xtrim(self, Trim::Before(id))
    }

    /// A group of consumers, which share the entries.
    fn group<'a>(&'a self, name: &'a str) -> Group<'a, Self> {
        Group::new(self, name)
    }
}
