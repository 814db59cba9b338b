//! Keys of type `string`.

pub(crate) mod counting;
pub(crate) mod read;
pub(crate) mod set;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod update;

use std::borrow::Borrow;

use counting::{count_by, count_by_float};
use redis::Value;
use redis_keys_core::limits::MAX_MAX_BYTES;
pub use set::{Set, SetNew};
pub use update::Update;

use crate::accessor::accessor;
use crate::command::arguments::value;
use crate::command::builder::Build as _;
use crate::command::expiry::expiry_of;
use crate::command::positions::Positions;
use crate::command::{DecodeResult, PositionRange, Replies, ReplyContext, ReplyError, Step, count, done, reply};
use crate::error::Cause;
use crate::stored::{Appendable, Float, Integer, Stored};
use crate::{Command, RedisKey, lua};

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as StringKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as StringKey>::Value as Stored>::Input;

/// A key that holds a text, a number or an object: `…:string`.
///
/// The methods are named after their Redis commands, if there is one. They perform no I/O: they build a [`Command`],
/// which `run` or [`query`](Command::query) runs. Every write that can create the key sets its expiry in the same
/// atomic step.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1d, jitter = 10m)]
/// struct Views { page: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let views = Views { page: 7 };
/// assert_eq!(views.incr().query(&mut con)?, 1);
/// assert_eq!(views.incr_by(10).query(&mut con)?, 11);
/// assert_eq!(views.get().query(&mut con)?, Some(11));
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `string`",
    label = "not a `string` key",
    note = "the template of a `string` key ends with `:string`; the type arguments of a generic key must be parameter types",
    note = "with `cache(…)` it is a `CachedKey`, with `lock` a `LockKey` and with `limit(…)` a `LimitKey`, which have other accessors"
)]
pub trait StringKey: RedisKey {
    /// The stored form of the value.
    type Value: Stored;

    /// Returns the value, or `None` if the key does not exist (`GET`).
    ///
    /// With `renew = read` it is a `GETEX` that restarts the expiry. With `renew = below(…)` it also asks for the
    /// remaining time, and restarts the expiry if the remaining time is shorter or the key has no expiry. If the server
    /// refuses the restart, for example because it is a replica, you still get the value.
    fn get(&self) -> Command<Option<Output<Self>>> {
        read::get(self).named_read(accessor!("get"))
    }

    /// Removes the key and returns its value (`GETDEL`). The value is gone even if it does not decode.
    #[doc(alias("getdel"))]
    fn get_del(&self) -> Command<Option<Output<Self>>> {
        self.removing::<Self::Value, _>(|key| key.native("GETDEL", ()).reply(reply::element::<Self::Value>))
            .named_read(accessor!("get_del"))
    }

    /// Returns the value and restarts the declared expiry (`GETEX`).
    #[doc(alias("getex"))]
    fn get_ex(&self) -> Command<Option<Output<Self>>> {
        read::get_ex(self).named_read(accessor!("get_ex"))
    }

    /// Returns the values of many keys, in their order (`MGET` of 100 keys each).
    ///
    /// For a key with another Redis type, `MGET` returns nothing, whereas `GET` fails; such a key is `None` here. With
    /// `renew = read` or `renew = below(…)`, each key is read separately, like [`get`](Self::get).
    ///
    /// On a cluster, one `MGET` is sent for each slot. On connections of redis-rs they run one after the other. To run
    /// them concurrently on an asynchronous connection, use a [`batch`](crate::batch()):
    /// `batch(Name::get_many(names))`.
    ///
    /// ```
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// let names: Command<Vec<Option<String>>> = Name::get_many([4, 2].map(|user_id| Name { user_id }));
    /// assert_eq!(
    ///     names.packed()?,
    ///     redis::cmd("MGET").arg("user:name:4:string").arg("user:name:2:string").get_packed_command(),
    /// );
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("mget"))]
    fn get_many<I>(keys: I) -> Command<Vec<Option<Output<Self>>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Self>,
    {
        read::get_many(keys).named_read(accessor!("get_many"))
    }

    /// Writes the value with the declared expiry (`SET`).
    ///
    /// ```
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// assert_eq!(
    ///     Name { user_id: 42 }.set("Ada").packed()?,
    ///     redis::cmd("SET").arg("user:name:42:string").arg("Ada").arg("PX").arg(3_600_000).get_packed_command(),
    /// );
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex", "set_options"))]
    fn set(&self, value: &Input<Self>) -> Set<Self::Value> {
        Set::new(self, value, None, done)
    }

    /// Writes the value if the key does not exist, and returns whether it did (`SET NX`).
    #[doc(alias("setnx"))]
    fn set_nx(&self, value: &Input<Self>) -> SetNew<Self::Value> {
        SetNew::new(self, value)
    }

    /// Writes the value if the key exists, and returns whether it did (`SET XX`).
    fn set_xx(&self, value: &Input<Self>) -> Set<Self::Value, bool> {
        Set::new(self, value, Some("XX"), set::was_written)
    }

    /// Replaces the value with a value computed from it.
    ///
    /// Your closure gets the old value, or `None`, and returns the new value. The update is a `GET` and a script that
    /// writes only if the value is still the same. If another client was faster, both are repeated, up to 32 times; so
    /// the closure may be called several times, and should only compute. The new value gets the declared expiry.
    ///
    /// Between two attempts it waits for a random time: at most twice as long as the last attempt took, then four
    /// times, and so on up to 1,024 times, and never longer than a second. So many clients can update a key at the same
    /// time. However, if they always do, a command that computes on the server is faster, for example
    /// [`incr_by`](StringKey::incr_by).
    ///
    /// On a cluster connection that reads from replicas, the `GET` may return an older value. The script never writes a
    /// wrong value then, because it runs on the primary and finds another value, but all attempts may be used up before
    /// the replica has caught up.
    ///
    /// ```no_run
    /// use redis_keys::{prelude::*, redis};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:tags:{user_id}:string, value = Json<Vec<String>>, ttl = 1h)]
    /// struct Tags { user_id: u64 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let tags: Vec<String> = Tags { user_id: 42 }.update(|old| {
    ///     let mut tags = old.unwrap_or_default();
    ///     tags.push("new".to_owned());
    ///     tags
    /// }).query(&mut con)?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("watch"))]
    fn update<F, N>(&self, change: F) -> Update<'_, Self, F>
    where
        F: FnMut(Option<Output<Self>>) -> N,
        N: Borrow<Input<Self>>,
    {
        Update::new(self, change)
    }

    /// Returns the size of the stored value in bytes, 0 if the key does not exist (`STRLEN`).
    fn strlen(&self) -> Command<u64> {
        self.native("STRLEN", ()).reply(count).named(accessor!("strlen"))
    }

    /// Returns a range of the value's bytes, at most 1 MB (`GETRANGE`). Positions beyond the end are ignored.
    ///
    /// A range of a text can begin and end inside a character.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(mail:body:{id}:string, value = String, ttl = 1d)]
    /// struct Body { id: u64 }
    ///
    /// let beginning: Command<Vec<u8>> = Body { id: 7 }.getrange(0..80);
    /// assert_eq!(testing::text(beginning)?, ["GETRANGE mail:body:7:string 0 79"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("substr"))]
    fn getrange(&self, positions: impl PositionRange) -> Command<Vec<u8>>
    where
        Self::Value: Appendable,
    {
        let positions = Positions::unlimited(positions);
        if positions.len() > MAX_MAX_BYTES {
            return self.refused(Cause::Argument("at most 1 MB is read at once")).named(accessor!("getrange"));
        }
        self.read("GETRANGE", positions).reply(range_bytes).named(accessor!("getrange"))
    }

    /// Appends to the value and returns its new size in bytes (`APPEND`).
    ///
    /// A key that it creates gets the declared expiry. An append that would exceed `max_bytes` is rejected and changes
    /// nothing.
    fn append(&self, end: &Input<Self>) -> Command<u64>
    where
        Self::Value: Appendable,
    {
        match expiry_of(self) {
            Ok(expiry) => {
                let max_bytes = Self::SCHEMA.max_bytes.unwrap_or(u64::MAX);
                self.script(&lua::APPEND, (value::<Self::Value>(end), max_bytes, expiry)).reply(size_after_append)
            }
            Err(error) => Command::refused(error),
        }
        .named(accessor!("append"))
    }

    /// Adds one and returns the new number. A missing key counts from 0.
    ///
    /// A key that it creates gets the declared expiry; later calls restart the expiry only with `renew = write` or
    /// `renew = read`. A count that would leave the range of the value's type is rejected and changes nothing. Redis
    /// counts with 64-bit signed integers, so a `u64` can be counted up to `i64::MAX`, and a step cannot be `i64::MIN`.
    fn incr(&self) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        count_by(self, Some(1)).named(accessor!("incr"))
    }

    /// Adds a number and returns the new number (`INCRBY`). See [`incr`](Self::incr).
    #[doc(alias("incrby"))]
    fn incr_by(&self, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        count_by(self, number.into().to_i64()).named(accessor!("incr_by"))
    }

    /// Subtracts one and returns the new number. See [`incr`](Self::incr).
    fn decr(&self) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        count_by(self, Some(-1)).named(accessor!("decr"))
    }

    /// Subtracts a number and returns the new number (`DECRBY`). See [`incr`](Self::incr).
    #[doc(alias("decrby"))]
    fn decr_by(&self, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        count_by(self, number.into().to_i64().and_then(i64::checked_neg)).named(accessor!("decr_by"))
    }

    /// Adds a float and returns the new number (`INCRBYFLOAT`). A missing key counts from 0.
    ///
    /// Redis keeps 17 digits after the decimal point, so a step of `1e-20` has no effect. A count that would leave the
    /// range of the value's type is rejected and changes nothing. The expiry is handled as in [`incr`](Self::incr).
    #[doc(alias("incrbyfloat"))]
    fn incr_by_float(&self, number: <Self::Value as Float>::Number) -> Command<Self::Value>
    where
        Self::Value: Float,
    {
        count_by_float(self, &number.into()).named(accessor!("incr_by_float"))
    }
}

fn range_bytes(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<u8>> {
    crate::command::value::read_one::<Vec<u8>>(replies.one()).map(Step::Done)
}

/// Reads the new size; a negative number is the size that would have been too large.
fn size_after_append(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<u64> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(ReplyError::new(Cause::ValueSize { bytes: size.unsigned_abs() })),
        Value::Int(size) => Ok(Step::Done(size.unsigned_abs())),
        _ => Err(ReplyError::unexpected()),
    }
}
