//! Consumer groups.

use std::borrow::Borrow;
use std::ops::RangeBounds;
use std::time::Duration;

use redis::{Cmd, RedisWrite as _};

use super::entry::{awaited, claimed, entries_of_stream, redelivered};
use super::id::{IdRange, entry_ids};
use super::pending::{consumers, pending_entries, summary};
use super::read::{ConsumerName, GroupName, ReadStart, StreamRead};
use super::{Consumer, Entry, EntryId, Pending, PendingSummary, RedeliveredEntries};
use crate::accessor::accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, Count};
use crate::command::blocking::Blocking;
use crate::command::builder::{Build as _, BuiltCommand};
use crate::command::{count, done, flag, key_of, push_key};
use crate::error::Cause;
use crate::run::debug_key;
use crate::schema::Schema;
use crate::{Command, Error, StreamKey, lua};

/// A consumer group of a stream, whose consumers share its entries: [`StreamKey::group`].
///
/// Each entry is delivered to one consumer, and is pending for that consumer until it is acknowledged. After a restart,
/// a consumer reads its own pending entries again with [`read_pending`](Self::read_pending); other consumers take them
/// over with [`claim`](Self::claim). So each entry is delivered at least once, unless it is trimmed or deleted before.
///
/// A group is stored in its key and expires with it. If your key can expire while consumers are idle, declare
/// `renew = read`, so that the group's reads keep it. Reads and claims renew the expiry as declared; acknowledgements
/// and queries about the group do not.
///
/// The name of a group consists of lower-case words separated by dots, for example `billing` or `mail.sender`. The name
/// of a consumer has 1 to 128 visible ASCII characters, for example a machine's name. Give each process a different
/// name, which it keeps when it restarts.
///
/// ```no_run
/// use std::time::Duration;
/// use redis_keys::{prelude::*, redis, types::stream::EntryId};
///
/// #[derive(RedisHash)]
/// struct Payment { order: u64, cents: u64 }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d, keep_last = ~5000, renew = read)]
/// struct Payments { shop: u32 }
///
/// # fn send_bill(_: &Payment) -> Result<(), Box<dyn std::error::Error>> { Ok(()) }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let payments = Payments { shop: 1 };
/// let billing = payments.group("billing");
/// billing.create(GroupStart::Start).query(&mut con)?;
///
/// for entry in billing.read("worker-1", 50).query(&mut con)? {
///     match entry.value {
///         Ok(paid) => send_bill(&paid)?,
///         Err(error) => eprintln!("skipped: {error}"),
///     }
///     billing.ack(entry.id).query(&mut con)?;
/// }
///
/// // Entries that have been pending for other consumers for over a minute.
/// let mut from = Some(EntryId::MIN);
/// while let Some(start) = from {
///     let claimed = billing.claim("worker-1", Duration::from_secs(60), start, 50).query(&mut con)?;
///     for entry in claimed.entries {
///         send_bill(&entry.value?)?;
///         billing.ack(entry.id).query(&mut con)?;
///     }
///     from = claimed.next;
/// }
/// # Ok(()) }
/// ```
pub struct Group<'a, K> {
    key: &'a K,
    name: &'a str,
}

/// The entries that a group delivers first: [`Group::create`], [`Group::set_id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupStart {
    /// All entries of the stream.
    Start,
    /// The entries that are added from now on.
    End,
    /// The entries after this ID.
    After(EntryId),
}

impl<'a, K: StreamKey> Group<'a, K> {
    pub(super) fn new(key: &'a K, name: &'a str) -> Self {
        Self { key, name }
    }

    /// Creates the group with `XGROUP CREATE` and returns whether it is new. An existing group does not change.
    ///
    /// If the stream does not exist, it is created without entries and with the declared expiry (`MKSTREAM`).
    ///
    /// ```
    /// use redis_keys::prelude::*;
    ///
    /// #[derive(RedisHash)]
    /// struct Payment { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d)]
    /// struct Payments { shop: u32 }
    ///
    /// let created: Command<bool> = Payments { shop: 1 }.group("billing").create(GroupStart::Start);
    /// ```
    #[doc(alias("xgroup_create", "xgroup_create_mkstream"))]
    pub fn create(&self, start: GroupStart) -> Command<bool> {
        self.key.write(&lua::XGROUP, (self.name(), start)).reply(flag).named(accessor!("create"))
    }

    /// Sets the position from which the group continues (`XGROUP SETID`). Pending entries stay pending.
    #[doc(alias("xgroup_setid"))]
    pub fn set_id(&self, start: GroupStart) -> Command<()> {
        self.subcommand(["XGROUP", "SETID"], (self.name(), start)).reply(done).named(accessor!("set_id"))
    }

    /// Removes the group with all its pending entries, and returns whether it existed (`XGROUP DESTROY`).
    #[doc(alias("xgroup_destroy"))]
    pub fn destroy(&self) -> Command<bool> {
        self.key.script(&lua::XGROUP_DROP, ("DESTROY", self.name())).reply(flag).named(accessor!("destroy"))
    }

    /// Removes a consumer and returns how many entries were pending for it (`XGROUP DELCONSUMER`).
    ///
    /// The group never delivers these entries again. Let other consumers [`claim`](Self::claim) them first.
    #[doc(alias("xgroup_delconsumer"))]
    pub fn delete_consumer(&self, consumer: &str) -> Command<u64> {
        self.key
            .script(&lua::XGROUP_DROP, ("DELCONSUMER", self.name(), ConsumerName(consumer)))
            .reply(count)
            .named(accessor!("delete_consumer"))
    }

    /// Delivers up to `count` new entries, 500 at most (`XREADGROUP`). It does not wait.
    ///
    /// New entries are entries that were not delivered to any consumer yet. They are pending for this consumer until it
    /// acknowledges them, even if they do not decode.
    #[doc(alias("xreadgroup"))]
    pub fn read(&self, consumer: &str, count: u32) -> Command<Vec<Entry<K::Value>>> {
        self.stream_read(consumer, ReadStart::Undelivered, count)
            .command(self.key, entries_of_stream::<K::Value>)
            .named_read(accessor!("read"))
    }

    /// Delivers entries like [`read`](Self::read), waiting for an entry if there is none (`XREADGROUP BLOCK`).
    ///
    /// Returns `None` if the wait ends without an entry. See [`Blocking`] for the connection that this needs. No entry
    /// is lost: if a delivery did not arrive, for example because the future was dropped or the connection broke, the
    /// entry is pending for this consumer. Read it with [`read_pending`](Self::read_pending), unless another consumer
    /// [`claim`](Self::claim)s it.
    ///
    /// With `renew = read` or `renew = below(…)`, the expiry of the key restarts before and after the wait, but not
    /// during it. As the group expires with the key, keep the wait shorter than the expiry. If the group is removed
    /// during the wait, the result is an error, as for a missing group; if the whole key is removed, Redis 6.2 keeps
    /// waiting.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use redis_keys::{BlockingConnection, prelude::*, redis, types::stream::EntryId};
    ///
    /// #[derive(RedisHash)]
    /// struct Payment { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d, renew = read, keep_last = ~5000)]
    /// struct Payments { shop: u32 }
    ///
    /// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/")?);
    /// # let mut shared = redis_keys::connect("redis://127.0.0.1/")?;
    /// let payments = Payments { shop: 1 };
    /// let billing = payments.group("billing");
    /// // First, process what `read_pending` returns.
    /// loop {
    ///     let entries = billing.read_block("worker-1", 50, Duration::from_secs(30)).query_async(&mut con).await?;
    ///     for entry in entries.unwrap_or_default() {
    ///         println!("order {}", entry.value?.order);
    ///         billing.ack(entry.id).run(&shared).await?;
    ///     }
    /// }
    /// # }
    /// ```
    #[doc(alias("xreadgroup"))]
    pub fn read_block(&self, consumer: &str, count: u32, wait: Duration) -> Blocking<Vec<Entry<K::Value>>> {
        self.stream_read(consumer, ReadStart::Undelivered, count)
            .blocking(self.key, wait, awaited::<K::Value>)
            .named(accessor!("read_block"))
    }

    /// Returns up to `count` entries that are pending for this consumer, starting at an ID, 500 at most (`XREADGROUP`).
    ///
    /// A consumer that restarts processes these entries first.
    ///
    /// ```no_run
    /// # use redis_keys::{prelude::*, redis, types::stream::EntryId};
    /// # #[derive(RedisHash)]
    /// # struct Payment { order: u64 }
    /// # #[derive(RedisKey)]
    /// # #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = 7d)]
    /// # struct Payments { shop: u32 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// # let payments = Payments { shop: 1 };
    /// let billing = payments.group("billing");
    /// let mut from = Some(EntryId::MIN);
    /// while let Some(start) = from {
    ///     let pending = billing.read_pending("worker-1", start, 50).query(&mut con)?;
    ///     // Process `pending.entries` here.
    ///     billing.ack_many(pending.ids()).query(&mut con)?;
    ///     from = pending.next;
    /// }
    /// # Ok(()) }
    /// ```
    #[doc(alias("xreadgroup"))]
    pub fn read_pending(&self, consumer: &str, from: EntryId, count: u32) -> Command<RedeliveredEntries<K::Value>> {
        // XREADGROUP starts after the ID.
        let start = ReadStart::After(from.previous().unwrap_or(EntryId::MIN));
        self.stream_read(consumer, start, count)
            .command(self.key, redelivered::<K::Value>)
            .named(accessor!("read_pending"))
    }

    /// Takes over up to `count` pending entries, starting at an ID, 500 at most (`XAUTOCLAIM`).
    ///
    /// It takes entries that have been pending for at least `idle`. They are pending for this consumer from then on,
    /// whichever consumer had them before.
    #[doc(alias("xclaim", "xautoclaim"))]
    pub fn claim(
        &self,
        consumer: &str,
        idle: Duration,
        from: EntryId,
        count: u32,
    ) -> Command<RedeliveredEntries<K::Value>> {
        let idle_ms = i64::try_from(idle.as_millis()).unwrap_or(i64::MAX);
        self.key
            .read("XAUTOCLAIM", (self.name(), ConsumerName(consumer), idle_ms, from, "COUNT", Count(count)))
            .reply(claimed::<K::Value>)
            .named(accessor!("claim"))
    }

    /// Acknowledges an entry with `XACK` and returns whether it was pending.
    #[doc(alias("xack"))]
    pub fn ack(&self, id: EntryId) -> Command<bool> {
        self.key.native("XACK", (self.name(), id)).reply(flag).named(accessor!("ack"))
    }

    /// Acknowledges up to 500 entries with `XACK` and returns how many were pending.
    pub fn ack_many<I>(&self, ids: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<EntryId>,
    {
        self.key.native("XACK", (self.name(), entry_ids(ids))).reply(count).named(accessor!("ack_many"))
    }

    /// Returns up to `count` pending entries in a range of IDs, 500 at most (`XPENDING`).
    ///
    /// Each entry comes with its consumer and its number of deliveries. Use it to find entries that make your consumers
    /// fail, because such entries are delivered again and again.
    #[doc(alias("xpending"))]
    pub fn pending(&self, ids: impl RangeBounds<EntryId>, count: u32) -> Command<Vec<Pending>> {
        self.key
            .native("XPENDING", (self.name(), IdRange::ascending(ids), Count(count)))
            .reply(pending_entries)
            .named_read(accessor!("pending"))
    }

    /// Returns the number of pending entries, in total and for each consumer (`XPENDING`).
    #[doc(alias("xpending"))]
    pub fn pending_summary(&self) -> Command<PendingSummary> {
        self.key.native("XPENDING", self.name()).reply(summary).named(accessor!("pending_summary"))
    }

    /// Returns the consumers of the group (`XINFO CONSUMERS`).
    #[doc(alias("xinfo_consumers"))]
    pub fn consumers(&self) -> Command<Vec<Consumer>> {
        self.subcommand(["XINFO", "CONSUMERS"], self.name()).reply(consumers).named_read(accessor!("consumers"))
    }

    fn name(&self) -> GroupName<'a> {
        GroupName(self.name)
    }

    fn stream_read<'c>(&self, consumer: &'c str, start: ReadStart, count: u32) -> StreamRead<'c>
    where
        'a: 'c,
    {
        StreamRead { consumer: Some((self.name(), ConsumerName(consumer))), start, count }
    }

    /// Builds a command of two words, which precede the key.
    fn subcommand<A: Arguments>(&self, words: [&str; 2], arguments: A) -> BuiltCommand<'a, K> {
        let cmd = || {
            let mut cmd = Cmd::with_capacity(5, self.name.len().saturating_add(200));
            for word in words {
                cmd.write_arg(word.as_bytes());
            }
            push_key(&mut cmd, self.key)?;
            match arguments.push(&mut cmd, K::SCHEMA) {
                Ok(_) => Ok(Some(cmd)),
                Err(cause) => Err(Error::refused(K::SCHEMA, key_of(&cmd, 0), cause)),
            }
        };
        BuiltCommand { key: self.key, script: None, asks_time_left: false, cmd: cmd() }
    }
}

// Implemented by hand: a derive would require that the key is `Clone`.
impl<K> Clone for Group<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Group<'_, K> {}

// The name is not checked yet, and could be a secret by mistake.
debug_key!([K: StreamKey] Group<'_, K>, "Group", |group| group.key.key());

impl Arguments for GroupStart {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 24)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        match self {
            Self::Start => cmd.write_arg(b"0"),
            Self::End => cmd.write_arg(b"$"),
            Self::After(id) => cmd.write_arg_fmt(id),
        }
        Ok(Amount::Some)
    }
}
