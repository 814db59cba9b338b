//! Keys of type `set`.

#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;

use crate::accessor::accessor;
use crate::command::arguments::{Count, MaxLen, value, values};
use crate::command::builder::Build as _;
use crate::command::{DecodeResult, Replies, ReplyContext, count, flag, reply, value};
use crate::scan::{self, Page, Scan};
use crate::stored::Stored;
use crate::types::whole;
use crate::{Command, RedisKey, lua};

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as SetKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as SetKey>::Value as Stored>::Input;

/// A key that holds a set of distinct members: `…:set`.
///
/// Members are equal if their stored bytes are equal. An addition that would exceed `max_len` is rejected and changes
/// nothing; members that are already in the set do not count. The expiry starts when the set is created and restarts as
/// `renew` says; removals do not change it.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d, max_len = 1000)]
/// struct Followers { user_id: u64 }
///
/// let followers = Followers { user_id: 42 };
/// let added: Command<bool> = followers.sadd(&7);
/// let added: Command<u64> = followers.sadd_many([7, 8, 9]);
/// assert_eq!(testing::text(followers.sismember(&7))?, ["SISMEMBER user:followers:42:set 7"]);
/// assert_eq!(testing::text(followers.srem_many([7, 8]))?, ["SREM user:followers:42:set 7 8"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `set`",
    label = "not a `set` key",
    note = "the template of a `set` key ends with `:set`; the type arguments of a generic key must be parameter types"
)]
pub trait SetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// Adds a member with `SADD` and returns whether it is new.
    fn sadd(&self, member: &Input<Self>) -> Command<bool> {
        self.write(&lua::SADD, (MaxLen, value::<Self::Value>(member))).reply(reply::added).named(accessor!("sadd"))
    }

    /// Adds up to 500 members with `SADD` and returns how many are new.
    fn sadd_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.write(&lua::SADD, (MaxLen, values::<Self::Value, _>(members)))
            .reply(reply::size)
            .named(accessor!("sadd_many"))
    }

    /// Removes a member with `SREM` and returns whether it was in the set.
    fn srem(&self, member: &Input<Self>) -> Command<bool> {
        self.native("SREM", value::<Self::Value>(member)).reply(flag).named(accessor!("srem"))
    }

    /// Removes up to 500 members with `SREM` and returns how many were in the set.
    fn srem_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.native("SREM", values::<Self::Value, _>(members)).reply(count).named(accessor!("srem_many"))
    }

    /// Returns whether `member` is in the set (`SISMEMBER`).
    fn sismember(&self, member: &Input<Self>) -> Command<bool> {
        self.read("SISMEMBER", value::<Self::Value>(member)).reply(flag).named(accessor!("sismember"))
    }

    /// Returns for each of up to 500 members whether it is in the set (`SMISMEMBER`).
    fn smismember<I>(&self, members: I) -> Command<Vec<bool>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.read("SMISMEMBER", values::<Self::Value, _>(members)).reply(reply::flags).named(accessor!("smismember"))
    }

    /// Returns the number of members (`SCARD`).
    fn scard(&self) -> Command<u64> {
        self.read("SCARD", ()).reply(count).named(accessor!("scard"))
    }

    /// Returns all members, in no order.
    ///
    /// The command is `SRANDMEMBER`, with a count of one more than `max_len`. It can be part of a batch: for example,
    /// you can read the tags of 50 users in a single round trip. The build fails if the declaration has no `max_len`.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:tags:{user_id}:set, value = String, ttl = 30d, max_len = 100)]
    /// struct Tags { user_id: u64 }
    ///
    /// assert_eq!(testing::text(Tags { user_id: 42 }.members())?, ["SRANDMEMBER user:tags:42:set 101"]);
    /// let of_all = batch_iter((1..51).map(|user_id| Tags { user_id }.members()));
    /// # let _ = of_all;
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// With [`ErrorKind::CollectionSize`](crate::ErrorKind::CollectionSize) if the set has more members than `max_len`,
    /// for example because another program has written them.
    #[doc(alias("smembers"))]
    fn members(&self) -> Command<Vec<Output<Self>>> {
        const { whole::assert_bounded(Self::SCHEMA) };
        self.read("SRANDMEMBER", whole::OneMore).reply(members::<Self::Value>).named_read(accessor!("members"))
    }

    /// Returns a random member (`SRANDMEMBER`).
    fn srandmember(&self) -> Command<Option<Output<Self>>> {
        self.read("SRANDMEMBER", ()).reply(reply::element::<Self::Value>).named_read(accessor!("srandmember"))
    }

    /// Returns up to `count` distinct random members (`SRANDMEMBER`), 500 at most.
    #[doc(alias("srandmember_multiple"))]
    fn srandmember_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        self.read("SRANDMEMBER", Count(count))
            .reply(reply::elements::<Self::Value>)
            .named_read(accessor!("srandmember_many"))
    }

    /// Removes and returns a random member (`SPOP`). It is gone even if it does not decode.
    fn spop(&self) -> Command<Option<Output<Self>>> {
        self.native("SPOP", ()).reply(reply::element::<Self::Value>).named_read(accessor!("spop"))
    }

    /// Removes and returns up to `count` random members (`SPOP`), 500 at most.
    fn spop_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        self.native("SPOP", Count(count)).reply(reply::elements::<Self::Value>).named_read(accessor!("spop_many"))
    }

    /// Iterates over all members with `SSCAN`, about 100 at a time. A member may be returned twice.
    ///
    /// `collect` and [`query`](Scan::query) return all members in a `Vec`, each once, like SMEMBERS.
    ///
    /// If the set has a `max_len`, [`members`](Self::members) reads it by a single command, which can be part of a batch.
    #[doc(alias("smembers"))]
    fn sscan(&self) -> Scan<Output<Self>> {
        scan::by_cursor(self, "SSCAN", page::<Self::Value>).named(accessor!("sscan"))
    }
}

/// Reads all members.
fn members<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<V::Output>> {
    let members = whole::check_len(reply::list(replies.one())?, sent)?;
    reply::decoded::<V>(members, sent)
}

fn page<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Page<V::Output>> {
    scan::page(replies, sent, reply::list, value::read_one::<V>)
}
