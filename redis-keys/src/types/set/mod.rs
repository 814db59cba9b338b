//! What can be done with keys of type `set`.

pub(crate) mod add;
pub(crate) mod member;
pub(crate) mod random;
pub(crate) mod scan;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;

use crate::{
    Command, RedisKey, Scan,
    command::{builder::read, count},
    stored::Stored,
};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as SetKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as SetKey>::Value as Stored>::Input;

/// A key whose value is members, each once: `…:set`.
///
/// Two members are the same where their stored bytes are. An addition that would make the set larger than `max_len` is refused
/// and changes nothing; members that are there already do not count. The key's expiry starts when the set is created, and
/// anew as `renew` says; what only removes moves none.
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
    label = "no `set` key",
    note = "its template has to end with `:set`"
)]
pub trait SetKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// SADD: adds a member. Tells whether it is new.
    fn sadd(&self, member: &Input<Self>) -> Command<bool> {
        add::one(self, member)
    }

    /// SADD: adds up to 500 members. Tells how many are new.
    fn sadd_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        add::many(self, members)
    }

    /// SREM: removes a member. Tells whether it was there.
    fn srem(&self, member: &Input<Self>) -> Command<bool> {
        add::remove(self, member)
    }

    /// SREM: removes up to 500 members. Tells how many were there.
    fn srem_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        add::remove_many(self, members)
    }

    /// SISMEMBER: whether this is a member.
    fn sismember(&self, member: &Input<Self>) -> Command<bool> {
        member::one(self, member)
    }

    /// SMISMEMBER: for each of up to 500 whether it is a member.
    fn smismember<I>(&self, members: I) -> Command<Vec<bool>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        member::many(self, members)
    }

    /// SCARD: how many members there are.
    fn scard(&self) -> Command<u64> {
        read(self, "SCARD", (0, 0), |_| Ok(()), count)
    }

    /// SRANDMEMBER: any member.
    fn srandmember(&self) -> Command<Option<Output<Self>>> {
        random::one(self)
    }

    /// SRANDMEMBER: any members, each once, up to so many (500 at most).
    fn srandmember_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        random::many(self, count)
    }

    /// SPOP: takes any member away. It is gone even where it does not decode.
    fn spop(&self) -> Command<Option<Output<Self>>> {
        random::pop(self)
    }

    /// SPOP: takes any members away, up to so many (500 at most).
    fn spop_many(&self, count: u32) -> Command<Vec<Output<Self>>> {
        random::pop_many(self, count)
    }

    /// SSCAN: all members, about 100 at a time. One may be given twice.
    fn sscan(&self) -> Scan<Output<Self>> {
        scan::sscan(self)
    }
}
