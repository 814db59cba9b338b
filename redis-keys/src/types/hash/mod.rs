//! What can be done with keys of type `hash` whose fields are open.

pub(crate) mod counting;
pub(crate) mod expiry;
pub(crate) mod name;
pub(crate) mod read;
pub(crate) mod scan;
#[cfg(all(test, feature = "aio"))]
mod tests;
pub(crate) mod write;

use std::{borrow::Borrow, time::Duration};

use crate::{
    Command, RedisKey, Scan, TimeLeft,
    command::{count, flag, old_builder::read},
    lua,
    stored::{Float, Integer, Stored},
    types::hash::read as field,
};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as HashKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as HashKey>::Value as Stored>::Input;

/// What reads give as the name of a field.
pub(crate) type FieldOutput<K> = <<K as HashKey>::Field as Stored>::Output;

/// What a field is named by.
pub(crate) type FieldInput<K> = <<K as HashKey>::Field as Stored>::Input;

/// A key whose value is open fields: `…:hash`, with `field = …`.
///
/// Names and values of fields have at most `max_member_bytes` each. A write that would bring more fields than `max_len` is
/// refused and changes nothing; fields that are there already do not count. The key's expiry starts when the hash is created,
/// and anew as `renew` says; what only removes moves none.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d, max_len = 1000)]
/// struct Votes { user_id: u64 }
///
/// let votes = Votes { user_id: 42 };
/// let new: Command<bool> = votes.hset(&7, &-1);
/// let new: Command<u64> = votes.hset_many([(7, -1), (8, 1)]);
/// let sum: Command<i32> = votes.hincr(&7, 2);
/// assert_eq!(testing::text(votes.hget(&7))?, ["HGET user:votes:42:hash 7"]);
/// assert_eq!(testing::text(votes.hmget([7, 8]))?, ["HMGET user:votes:42:hash 7 8"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hash`",
    label = "no `hash` key",
    note = "its template has to end with `:hash`, and `field = …` has to say what its fields are called"
)]
pub trait HashKey: RedisKey {
    /// The stored form of the names of the fields.
    type Field: Stored;

    /// The stored form of the values.
    type Value: Stored;

    /// HGET: a field's value.
    fn hget(&self, field: &FieldInput<Self>) -> Command<Option<Output<Self>>> {
        field::one(self, field)
    }

    /// HMGET: the values of any number of fields, in their order, 100 with one command.
    ///
    /// Between one command and the next other clients may write.
    fn hmget<I>(&self, fields: I) -> Command<Vec<Option<Output<Self>>>>
    where
        I: IntoIterator,
        I::Item: Borrow<FieldInput<Self>>,
    {
        field::many(self, fields)
    }

    /// HSET: writes a field. Tells whether it is new.
    ///
    /// A field that was to expire by [`hexpire`](Self::hexpire) no longer does.
    fn hset(&self, field: &FieldInput<Self>, value: &Input<Self>) -> Command<bool> {
        write::one(self, &lua::HSET, field, value)
    }

    /// HSET: writes up to 500 fields, as [`hset`](Self::hset) does. Tells how many are new.
    fn hset_many<I, F, V>(&self, fields: I) -> Command<u64>
    where
        I: IntoIterator<Item = (F, V)>,
        F: Borrow<FieldInput<Self>>,
        V: Borrow<Input<Self>>,
    {
        write::many(self, fields)
    }

    /// HSETNX: writes a field if there is none of that name yet. Tells whether it was written.
    fn hset_nx(&self, field: &FieldInput<Self>, value: &Input<Self>) -> Command<bool> {
        write::one(self, &lua::HSETNX, field, value)
    }

    /// HDEL: removes a field. Tells whether it was there.
    fn hdel(&self, field: &FieldInput<Self>) -> Command<bool> {
        write::remove(self, field)
    }

    /// HDEL: removes up to 500 fields. Tells how many were there.
    fn hdel_many<I>(&self, fields: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<FieldInput<Self>>,
    {
        write::remove_many(self, fields)
    }

    /// HEXISTS: whether there is a field of that name.
    fn hexists(&self, field: &FieldInput<Self>) -> Command<bool> {
        field::of_field(self, "HEXISTS", field, flag)
    }

    /// HLEN: how many fields there are.
    fn hlen(&self) -> Command<u64> {
        read(self, "HLEN", (0, 0), |_| Ok(()), count)
    }

    /// HSTRLEN: how many bytes a field's stored value has, 0 when there is none.
    fn hstrlen(&self, field: &FieldInput<Self>) -> Command<u64> {
        field::of_field(self, "HSTRLEN", field, count)
    }

    /// HINCRBY: adds to a field's number. Gives the new one; a field that is not there counts from 0.
    ///
    /// A count that would leave the range of the values' type is refused, and nothing is changed; so is one of a new field
    /// where there are `max_len` already. Redis counts with 64 bits and a sign, so that a `u64` can be counted up to
    /// `i64::MAX`, and no step is `i64::MIN`. A field keeps the expiry that it has.
    fn hincr(&self, field: &FieldInput<Self>, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        counting::up(self, field, number.into())
    }

    /// HINCRBY: takes from a field's number, as [`hincr`](Self::hincr) adds to it.
    fn hdecr(&self, field: &FieldInput<Self>, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        counting::down(self, field, number.into())
    }

    /// HINCRBYFLOAT: adds to a field's number, as [`hincr`](Self::hincr) does with whole ones.
    ///
    /// Redis keeps 17 digits behind the point, so that a count of `1e-20` is none.
    fn hincr_by_float(&self, field: &FieldInput<Self>, number: <Self::Value as Float>::Number) -> Command<Self::Value>
    where
        Self::Value: Float,
    {
        counting::by_float(self, field, number.into())
    }

    /// HRANDFIELD: the name of any field.
    fn hrandfield(&self) -> Command<Option<FieldOutput<Self>>> {
        field::random(self)
    }

    /// HRANDFIELD: the names of any fields, each once, up to so many (500 at most).
    fn hrandfield_many(&self, count: u32) -> Command<Vec<FieldOutput<Self>>> {
        field::random_many(self, count)
    }

    /// HSCAN: all fields and their values, about 100 at a time. One may be given twice.
    ///
    /// ```no_run
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d)]
    /// struct Votes { user_id: u64 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// for vote in (Votes { user_id: 42 }).hscan().iter(&mut con) {
    ///     let (item, vote): (u64, i32) = vote?;
    ///     println!("{item}: {vote}");
    /// }
    /// # Ok(()) }
    /// ```
    fn hscan(&self) -> Scan<(FieldOutput<Self>, Output<Self>)> {
        scan::hscan(self)
    }

    /// HPEXPIRE: lets a field expire before the others, after a time of at most the declared expiry. Tells whether there is
    /// such a field.
    ///
    /// The expiry of the key goes on as it is. A later [`hset`](Self::hset) of the field takes the field's own expiry away, as
    /// Redis does; [`hincr`](Self::hincr) leaves it.
    ///
    /// The expiry of fields needs Redis 7.4 or Valkey 9; other servers answer with an error that says so.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:votes:{user_id}:hash, field = u64, value = i32, ttl = 1d)]
    /// struct Votes { user_id: u64 }
    ///
    /// let expire = Votes { user_id: 42 }.hexpire(&7, Duration::from_secs(60));
    /// assert_eq!(testing::text(expire)?, ["HPEXPIRE user:votes:42:hash 60000 FIELDS 1 7"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn hexpire(&self, field: &FieldInput<Self>, time: Duration) -> Command<bool> {
        expiry::hexpire(self, field, time)
    }

    /// HPTTL: how long a field will be there. Without an expiry of its own that is [`TimeLeft::Never`]: it goes with the key.
    ///
    /// It needs Redis 7.4 or Valkey 9, as [`hexpire`](Self::hexpire) does.
    fn httl(&self, field: &FieldInput<Self>) -> Command<TimeLeft> {
        expiry::httl(self, field)
    }

    /// HPERSIST: lets a field stay as long as its key. Tells whether that has changed anything.
    ///
    /// It needs Redis 7.4 or Valkey 9, as [`hexpire`](Self::hexpire) does.
    fn hpersist(&self, field: &FieldInput<Self>) -> Command<bool> {
        expiry::hpersist(self, field)
    }
}
