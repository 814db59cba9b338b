//! Keys of type `stream`.

mod add;
mod entry;
mod group;
mod id;
mod pending;
mod read;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;
use std::ops::RangeBounds;
use std::time::Duration;

pub use add::XAdd;
pub use entry::{Entry, RedeliveredEntries};
use entry::{awaited, entries, entries_of_stream, page};
pub use group::{Group, GroupStart};
pub use id::{EntryId, ParseEntryIdError};
use id::{IdRange, entry_ids};
pub use pending::{Consumer, Pending, PendingSummary};
use read::{ReadStart, StreamRead};

use crate::accessor::accessor;
use crate::command::arguments::Count;
use crate::command::blocking::Blocking;
use crate::command::builder::Build as _;
use crate::command::{count, flag};
use crate::scan::{self, Scan};
use crate::{Command, RedisHash, RedisKey};

/// A key that holds a log of entries: `…:stream`.
///
/// Each entry is a record with an ID, and entries are ordered by their IDs. A field that is `None` is not stored.
///
/// With `max_len`, an addition that would exceed it is rejected and changes nothing. With `keep_last = 1000`, the
/// oldest entries are removed in the same step; with `keep_last = ~1000`, the server removes them when that is cheap.
/// The expiry starts when the stream is created and restarts as `renew` says; removals do not change it.
///
/// `keep_last` can be up to 1,000,000, because you append to a log and read it in parts. From 5001 on, the lint
/// `big_collection` asks for a reason.
///
/// Reads return a separate result for each entry: see [`Entry`]. If several consumers share a stream, use a
/// [`group`](Self::group).
///
/// ```
/// use redis_keys::{prelude::*, types::stream::{Entry, EntryId}, testing};
///
/// #[derive(RedisHash)]
/// struct Payment { order: u64, cents: u64, coupon: Option<String> }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d, keep_last = ~5000)]
/// struct Payments { shop: u32 }
///
/// let payments = Payments { shop: 1 };
/// let id: Command<EntryId> = payments.xadd(&Payment { order: 42, cents: 1999, coupon: None }).into();
/// let first_ten: Command<Vec<Entry<Payment>>> = payments.xrange(.., 10);
/// assert_eq!(
///     testing::text(payments.xread(EntryId::new(1767225600000, 3), 100))?,
///     ["XREAD COUNT 100 STREAMS shop:paid:1:stream 1767225600000-3"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `stream`",
    label = "not a `stream` key",
    note = "the template of a `stream` key ends with `:stream`; the type arguments of a generic key must be parameter types"
)]
pub trait StreamKey: RedisKey {
    /// The record type of the entries.
    type Value: RedisHash;

    /// Adds an entry with `XADD` and returns its ID. The server chooses the ID unless you set it with [`id`](XAdd::id).
    #[doc(alias("xadd_map", "xadd_maxlen"))]
    fn xadd(&self, entry: &Self::Value) -> XAdd {
        XAdd::new(self, entry)
    }

    /// Returns the number of entries (`XLEN`).
    fn xlen(&self) -> Command<u64> {
        self.read("XLEN", ()).reply(count).named(accessor!("xlen"))
    }

    /// Returns up to `count` entries in a range of IDs, oldest first, 500 at most (`XRANGE`).
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use redis_keys::{prelude::*, types::stream::{Entry, EntryId}};
    ///
    /// #[derive(RedisHash)]
    /// struct Payment { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d)]
    /// struct Payments { shop: u32 }
    ///
    /// let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    /// let since: Command<Vec<Entry<Payment>>> = Payments { shop: 1 }.xrange(EntryId::at(an_hour_ago).., 100);
    /// ```
    #[doc(alias("xrange_count"))]
    fn xrange(&self, ids: impl RangeBounds<EntryId>, count: u32) -> Command<Vec<Entry<Self::Value>>> {
        self.read("XRANGE", (IdRange::ascending(ids), "COUNT", Count(count)))
            .reply(entries::<Self::Value>)
            .named_read(accessor!("xrange"))
    }

    /// Returns up to `count` entries in a range of IDs, newest first, 500 at most (`XREVRANGE`).
    ///
    /// Write the lower end of the range first, unlike in the Redis command.
    #[doc(alias("xrevrange_count"))]
    fn xrevrange(&self, ids: impl RangeBounds<EntryId>, count: u32) -> Command<Vec<Entry<Self::Value>>> {
        self.read("XREVRANGE", (IdRange::descending(ids), "COUNT", Count(count)))
            .reply(entries::<Self::Value>)
            .named_read(accessor!("xrevrange"))
    }

    /// Returns up to `count` entries after an ID, oldest first, 500 at most (`XREAD`). It does not wait.
    ///
    /// If you continue after the last ID that you received, you miss no entry, unless entries are trimmed before you
    /// read them.
    #[doc(alias("xread_options"))]
    fn xread(&self, after: EntryId, count: u32) -> Command<Vec<Entry<Self::Value>>> {
        let read = StreamRead { consumer: None, start: ReadStart::After(after), count };
        read.command(self, entries_of_stream::<Self::Value>).named_read(accessor!("xread"))
    }

    /// Returns entries like [`xread`](Self::xread), waiting for an entry if there is none (`XREAD BLOCK`).
    ///
    /// Returns `None` if the wait ends without an entry. See [`Blocking`] for the connection that this needs. No entry
    /// is lost, because a read removes nothing, and the next read after the same ID returns the same entries.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use redis_keys::{prelude::*, redis, types::stream::EntryId};
    ///
    /// #[derive(RedisHash)]
    /// struct Payment { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d)]
    /// struct Payments { shop: u32 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let payments = Payments { shop: 1 };
    /// // Start after the newest entry.
    /// let newest = payments.xrevrange(.., 1).query(&mut con)?;
    /// let mut last = newest.first().map_or(EntryId::MIN, |entry| entry.id);
    /// loop {
    ///     let entries = payments.xread_block(last, 100, Duration::from_secs(30)).query(&mut con)?;
    ///     for entry in entries.unwrap_or_default() {
    ///         last = entry.id;
    ///         println!("order {}", entry.value?.order);
    ///     }
    /// }
    /// # }
    /// ```
    fn xread_block(&self, after: EntryId, count: u32, wait: Duration) -> Blocking<Vec<Entry<Self::Value>>> {
        let read = StreamRead { consumer: None, start: ReadStart::After(after), count };
        read.blocking(self, wait, awaited::<Self::Value>).named(accessor!("xread_block"))
    }

    /// Iterates over all entries with `XRANGE`, oldest first, `page_len` at a time (1 to 500; 0 counts as 1).
    ///
    /// Entries that are added before the last page is read are returned too.
    #[doc(alias("xrange_all"))]
    fn xpages(&self, page_len: u32) -> Scan<Entry<Self::Value>> {
        scan::by_ids(self, page_len, page::<Self::Value>).named(accessor!("xpages"))
    }

    /// Deletes an entry with `XDEL` and returns whether it was in the stream.
    fn xdel(&self, id: EntryId) -> Command<bool> {
        self.native("XDEL", id).reply(flag).named(accessor!("xdel"))
    }

    /// Deletes up to 500 entries with `XDEL` and returns how many were in the stream.
    fn xdel_many<I>(&self, ids: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<EntryId>,
    {
        self.native("XDEL", entry_ids(ids)).reply(count).named(accessor!("xdel_many"))
    }

    /// Removes all but the newest `len` entries and returns how many were removed (`XTRIM MAXLEN`).
    fn xtrim(&self, len: u32) -> Command<u64> {
        self.native("XTRIM", ("MAXLEN", "=", len)).reply(count).named(accessor!("xtrim"))
    }

    /// Removes old entries like [`xtrim`](Self::xtrim), but may leave a few more at a lower cost (`XTRIM MAXLEN ~`).
    fn xtrim_about(&self, len: u32) -> Command<u64> {
        self.native("XTRIM", ("MAXLEN", "~", len)).reply(count).named(accessor!("xtrim_about"))
    }

    /// Removes the entries with lower IDs than `id` and returns how many were removed (`XTRIM MINID`).
    fn xtrim_before(&self, id: EntryId) -> Command<u64> {
        self.native("XTRIM", ("MINID", "=", id)).reply(count).named(accessor!("xtrim_before"))
    }

    /// Returns a consumer group, whose consumers share the stream's entries.
    #[doc(alias("xgroup"))]
    fn group<'a>(&'a self, name: &'a str) -> Group<'a, Self> {
        Group::new(self, name)
    }
}
