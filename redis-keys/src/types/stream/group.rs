//! Groups of consumers.

use std::{borrow::Borrow, fmt, ops::RangeBounds, time::Duration};

use redis::{Cmd, RedisWrite as _};

use super::{
    Consumer, Entry, EntryId, Pending, PendingSummary, Redelivered,
    name::{Member, check_consumer, check_group},
    pending,
    remove::push_ids,
    take,
};
use crate::{
    Command, StreamKey,
    command::blocking::Blocking,
    command::{
        Decode,
        builder::{expected, native_many, with, write},
        count, done, flag, push_key, script_on_key,
    },
    error::Cause,
    lua,
};

/// A group of consumers of a stream, which share its entries: [`StreamKey::group`].
///
/// Each entry is delivered to one of the consumers, and is pending for it until it is acknowledged. What a consumer leaves
/// behind when it ends, it reads again itself ([`read_pending`](Self::read_pending)), or others claim it
/// ([`claim`](Self::claim)). So each entry is delivered at least once, unless it is trimmed or deleted before.
///
/// A group lives in its key and goes with it. A key that goes away while nothing is added to it should declare
/// `renew = read`: the reads of a group then keep it. Reads and claims honour `renew`; acknowledging, and what only looks at
/// the group, move no expiry.
///
/// The name of a group is made as those of keys are, `billing` or `mail.sender`. A consumer is named by 1 to 128 visible ASCII
/// characters, as machines are; each process has its own name, and the same again after a restart.
///
/// ```no_run
/// use std::time::Duration;
/// use redis_keys::{prelude::*, redis, stream::{EntryId, GroupStart}};
///
/// #[derive(RedisHash)]
/// struct Paid { order: u64, cents: u64 }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d, keep_last = ~5000, renew = read)]
/// struct Payments { shop: u32 }
///
/// # fn send_bill(_: &Paid) -> Result<(), Box<dyn std::error::Error>> { Ok(()) }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let payments = Payments { shop: 1 };
/// let billing = payments.group("billing");
/// billing.create(GroupStart::Start).query(&mut con)?;
///
/// for entry in billing.read("worker-1", 50).query(&mut con)? {
///     match entry.value {
///         Ok(paid) => send_bill(&paid)?,
///         Err(error) => eprintln!("left out: {error}"),
///     }
///     billing.ack(entry.id).query(&mut con)?;
/// }
///
/// // What other workers have had for over a minute.
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
    pub(super) key: &'a K,
    pub(super) name: &'a str,
}

/// Where a group begins: [`Group::create`], [`Group::set_id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupStart {
    /// With the first entry that there is.
    Start,
    /// With what is added from now on.
    End,
    /// With what comes after this id.
    After(EntryId),
}

impl GroupStart {
    fn push(self, cmd: &mut Cmd) {
        match self {
            Self::Start => cmd.write_arg(b"0"),
            Self::End => cmd.write_arg(b"$"),
            Self::After(id) => id.push(cmd),
        }
    }
}

impl<'a, K: StreamKey> Group<'a, K> {
    pub(crate) fn new(key: &'a K, name: &'a str) -> Self {
        Self { key, name }
    }

    /// XGROUP CREATE with MKSTREAM: creates the group, and where there is no stream an empty one, with the declared expiry.
    /// Tells whether the group is new; one that is there already is left as it is.
    ///
    /// ```
    /// use redis_keys::{prelude::*, stream::GroupStart};
    ///
    /// #[derive(RedisHash)]
    /// struct Paid { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d)]
    /// struct Payments { shop: u32 }
    ///
    /// let new: Command<bool> = Payments { shop: 1 }.group("billing").create(GroupStart::Start);
    /// ```
    pub fn create(&self, from: GroupStart) -> Command<bool> {
        let push = |cmd: &mut Cmd| {
            check_group(self.name)?;
            cmd.write_arg(self.name.as_bytes());
            from.push(cmd);
            Ok(())
        };
        write(self.key, &lua::XGROUP, (2, self.name.len() + 44), push, flag)
    }

    /// XGROUP SETID: lets the group go on from another place. What is pending stays so.
    pub fn set_id(&self, to: GroupStart) -> Command<()> {
        self.about(["XGROUP", "SETID"], |cmd| to.push(cmd), done)
    }

    /// XGROUP DESTROY: removes the group and all that is pending in it. Tells whether it was there.
    pub fn destroy(&self) -> Command<bool> {
        self.drop_part("DESTROY", None, flag)
    }

    /// XGROUP DELCONSUMER: removes a consumer. Gives the number of entries that were pending for it.
    ///
    /// Those are lost to the group. Let others [`claim`](Self::claim) them before.
    pub fn delete_consumer(&self, consumer: &str) -> Command<u64> {
        self.drop_part("DELCONSUMER", Some(consumer), count)
    }

    /// XREADGROUP: delivers up to so many entries (500 at most) that no consumer of the group has got yet. It does not wait
    /// for any.
    ///
    /// They are pending for this consumer until it acknowledges them, those that cannot be read too.
    pub fn read(&self, consumer: &str, count: u32) -> Command<Vec<Entry<K::Value>>> {
        take::read(*self, consumer, count)
    }

    /// XREADGROUP with BLOCK: as [`read`](Self::read), and waits for an entry where there is none. `None` when the wait is over.
    ///
    /// It needs a connection of its own: see [`Blocking`]. Nothing is lost to it. An entry whose delivery did not arrive,
    /// because the future was dropped or the connection broke, is pending for this consumer, which finds it by
    /// [`read_pending`](Self::read_pending), or for others to [`claim`](Self::claim).
    ///
    /// With `renew = read` or `renew = below(…)` the key's expiry starts anew before the wait and after it. During the wait
    /// it runs on, and with the key goes the group: the wait should be shorter than the expiry. A group that goes during the
    /// wait is an error, as one that is not there; Redis 6.2 waits on where the whole key has gone.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use redis_keys::{BlockingConnection, prelude::*, redis, stream::EntryId};
    ///
    /// #[derive(RedisHash)]
    /// struct Paid { order: u64 }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d, renew = read)]
    /// struct Payments { shop: u32 }
    ///
    /// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/")?);
    /// # let mut shared = redis::Client::open("redis://127.0.0.1/")?.get_multiplexed_async_connection().await?;
    /// let payments = Payments { shop: 1 };
    /// let billing = payments.group("billing");
    /// // … first what `read_pending` gives …
    /// loop {
    ///     let found = billing.read_block("worker-1", 50, Duration::from_secs(30)).query_async(&mut con).await?;
    ///     for entry in found.unwrap_or_default() {
    ///         println!("order {}", entry.value?.order);
    ///         billing.ack(entry.id).query_async(&mut shared).await?;
    ///     }
    /// }
    /// # }
    /// ```
    pub fn read_block(&self, consumer: &str, count: u32, wait: Duration) -> Blocking<Vec<Entry<K::Value>>> {
        take::read_block(*self, consumer, count, wait)
    }

    /// XREADGROUP with an id: gives again what is pending for this consumer, from an id on, up to so many entries (500 at
    /// most). That is what a consumer begins with when it starts again.
    ///
    /// ```no_run
    /// # use redis_keys::{prelude::*, redis, stream::EntryId};
    /// # #[derive(RedisHash)]
    /// # struct Paid { order: u64 }
    /// # #[derive(RedisKey)]
    /// # #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = 7d)]
    /// # struct Payments { shop: u32 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// # let payments = Payments { shop: 1 };
    /// let billing = payments.group("billing");
    /// let mut from = Some(EntryId::MIN);
    /// while let Some(start) = from {
    ///     let pending = billing.read_pending("worker-1", start, 50).query(&mut con)?;
    ///     // … do the entries' work …
    ///     billing.ack_many(pending.ids()).query(&mut con)?;
    ///     from = pending.next;
    /// }
    /// # Ok(()) }
    /// ```
    pub fn read_pending(&self, consumer: &str, from: EntryId, count: u32) -> Command<Redelivered<K::Value>> {
        take::read_pending(*self, consumer, from, count)
    }

    /// XAUTOCLAIM: takes over what has been pending for other consumers, or for this one, for so long, from an id on, up to so
    /// many entries (500 at most). They are pending for this consumer then.
    pub fn claim(&self, consumer: &str, idle: Duration, from: EntryId, count: u32) -> Command<Redelivered<K::Value>> {
        take::claim(*self, consumer, idle, from, count)
    }

    /// XACK: an entry is done with. Tells whether it was pending.
    pub fn ack(&self, id: EntryId) -> Command<bool> {
        self.ack_all([id], flag)
    }

    /// XACK: up to 500 entries are done with. Tells how many were pending.
    pub fn ack_many<I>(&self, ids: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<EntryId>,
    {
        self.ack_all(ids, count)
    }

    /// XPENDING with a range: which entries are pending, for whom, for how long, and how often they have been delivered. Up to
    /// 500 of them.
    ///
    /// What has been delivered again and again makes its consumers fail; it has to be put aside by somebody.
    pub fn pending(&self, ids: impl RangeBounds<EntryId>, count: u32) -> Command<Vec<Pending>> {
        pending::pending(*self, &ids, count)
    }

    /// XPENDING: how many entries are pending, for which consumers.
    pub fn pending_summary(&self) -> Command<PendingSummary> {
        pending::summary(*self)
    }

    /// XINFO CONSUMERS: the consumers that the group has had.
    pub fn consumers(&self) -> Command<Vec<Consumer>> {
        self.about(["XINFO", "CONSUMERS"], |_| {}, pending::consumers)
    }

    fn ack_all<T, I>(&self, ids: I, decode: Decode<T>) -> Command<T>
    where
        T: Default,
        I: IntoIterator,
        I::Item: Borrow<EntryId>,
    {
        let ids = ids.into_iter();
        let room = expected(&ids);
        let push = |cmd: &mut Cmd| {
            check_group(self.name)?;
            cmd.write_arg(self.name.as_bytes());
            push_ids(cmd, ids)
        };
        native_many(self.key, "XACK", (1 + room, self.name.len() + 24 * room), push, decode)
    }

    /// A command of two words on the group, behind which the key stands.
    fn about<T>(&self, words: [&str; 2], push: impl FnOnce(&mut Cmd), decode: Decode<T>) -> Command<T> {
        let mut cmd = Cmd::with_capacity(5, 200 + self.name.len());
        for word in words {
            cmd.write_arg(word.as_bytes());
        }
        let named = |cmd: &mut Cmd| {
            check_group(self.name)?;
            cmd.write_arg(self.name.as_bytes());
            push(cmd);
            Ok(())
        };
        let cmd = push_key(&mut cmd, self.key).map(|()| cmd);
        Command::one(K::SCHEMA, with(cmd, K::SCHEMA, named), decode)
    }

    /// Removes the group or a part of it.
    fn drop_part<T>(&self, what: &str, consumer: Option<&str>, decode: Decode<T>) -> Command<T> {
        let push = |cmd: &mut Cmd| {
            check_group(self.name)?;
            consumer.map_or(Ok(()), check_consumer)?;
            let words = [Some(what), Some(self.name), consumer];
            words.into_iter().flatten().for_each(|word| cmd.write_arg(word.as_bytes()));
            Ok(())
        };
        let cmd = script_on_key(self.key, &lua::XGROUP_DROP, 3, 200);
        Command::script(K::SCHEMA, &lua::XGROUP_DROP, with(cmd, K::SCHEMA, push), decode)
    }

    /// The names, once they are checked.
    pub(super) fn member<'n>(&self, consumer: &'n str) -> Result<Member<'n>, Cause>
    where
        'a: 'n,
    {
        check_group(self.name)?;
        check_consumer(consumer)?;
        Ok(Member { group: self.name, consumer })
    }
}

// It holds references, whatever the key is.
impl<K> Clone for Group<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Group<'_, K> {}

/// Tells the key. A name could be one that is refused.
impl<K: StreamKey> fmt::Debug for Group<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").field("key", &self.key.key()).finish_non_exhaustive()
    }
}
