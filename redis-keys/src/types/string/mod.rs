//! What can be done with keys of type `string`.

pub(crate) mod append;
pub(crate) mod counting;
pub(crate) mod many;
pub(crate) mod range;
pub(crate) mod read;
pub(crate) mod set;
#[cfg(all(test, feature = "aio"))]
mod tests;
pub(crate) mod update;

pub use set::{Set, SetNew};
pub use update::Update;

use std::{borrow::Borrow, ops::Range};

use crate::{
    Command, RedisKey,
    command::{count, on_key},
    stored::{Appendable, Float, Integer, Stored},
};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as StringKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as StringKey>::Value as Stored>::Input;

/// A key whose value is one text, number or object: `…:string`.
///
/// The methods have the names of the Redis commands. None of them talks to a server: they build a [`Command`], to be run by
/// [`query`](Command::query) or `query_async`. Each write that can create the key gives it its
/// expiry in the same atomic step.
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
    label = "no `string` key",
    note = "its template has to end with `:string`"
)]
pub trait StringKey: RedisKey {
    /// The stored form of the value.
    type Value: Stored;

    /// GET: the value, or `None` when there is no such key.
    ///
    /// With `renew = read` it is a GETEX that starts the expiry anew; with `renew = below(…)` it asks for the time left too,
    /// and when less than that is left, or the key has no expiry at all, it starts the declared one. A server that refuses
    /// that, such as a replica, takes nothing from the value: it is given all the same.
    fn get(&self) -> Command<Option<Output<Self>>> {
        read::get(self)
    }

    /// GETDEL: the value, which is removed. It is gone even where it does not decode.
    fn get_del(&self) -> Command<Option<Output<Self>>> {
        read::get_del(self)
    }

    /// GETEX: the value, and the declared expiry starts anew.
    fn get_ex(&self) -> Command<Option<Output<Self>>> {
        read::get_ex(self)
    }

    /// MGET: the values of many keys, in their order, 100 with one command.
    ///
    /// MGET gives nothing for a key that holds another Redis type, where GET fails; such a key is `None` here. With
    /// `renew = read` or `renew = below(…)` each key is read by itself, as [`get`](Self::get) does.
    ///
    /// On a cluster one MGET finds its keys wherever they are, and what several commands read is read one after the other. In a
    /// [`batch`](crate::batch()) they go at the same time: `batch(Name::get_many(names))`.
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
    fn get_many<I>(keys: I) -> Command<Vec<Option<Output<Self>>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Self>,
    {
        many::get_many(keys)
    }

    /// SET: writes the value, with the declared expiry.
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
    fn set(&self, value: &Input<Self>) -> Set<Self::Value> {
        set::set(self, value)
    }

    /// SET NX: writes the value if there is no such key yet. Tells whether it was written.
    fn set_nx(&self, value: &Input<Self>) -> SetNew<Self::Value> {
        set::set_nx(self, value)
    }

    /// SET XX: writes the value if there is such a key already. Tells whether it was written.
    fn set_xx(&self, value: &Input<Self>) -> Set<Self::Value, bool> {
        set::set_xx(self, value)
    }

    /// Writes a value that depends on the one that is there: the closure gets the old one, `None` where there is none, and gives
    /// the new one, which gets the declared expiry.
    ///
    /// It is GET and then, by a script, SET if the value is still the same; when somebody else was quicker, all of it once more,
    /// up to 32 times. So the closure may be called several times and should do nothing but compute.
    ///
    /// On a connection to a cluster that reads from replicas the GET may find an older value. Nothing wrong is written then: the
    /// script runs on the primary, and finds that the value is another one. But all the attempts may pass before the replica
    /// has it.
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
    fn update<F, N>(&self, change: F) -> Update<'_, Self, F>
    where
        F: FnMut(Option<Output<Self>>) -> N,
        N: Borrow<Input<Self>>,
    {
        update::update(self, change)
    }

    /// STRLEN: how many bytes the stored value has, 0 when there is none.
    fn strlen(&self) -> Command<u64> {
        Command::one(Self::SCHEMA, on_key(self, "STRLEN", 0, 0), count)
    }

    /// GETRANGE: the bytes of the value from a position up to another, at most 1 MB. Of what is not there nothing is given.
    ///
    /// They are bytes of text, too: a range can begin and end inside a character.
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
    fn getrange(&self, positions: Range<u32>) -> Command<Vec<u8>>
    where
        Self::Value: Appendable,
    {
        range::getrange(self, &positions)
    }

    /// APPEND: adds to the end of the value. Gives its new size in bytes.
    ///
    /// A key that it creates gets the declared expiry. It is refused, and nothing is changed, where the whole would have more
    /// than `max_bytes`.
    fn append(&self, end: &Input<Self>) -> Command<u64>
    where
        Self::Value: Appendable,
    {
        append::append(self, end)
    }

    /// Adds one. Gives the new number; a key that is not there counts from 0.
    ///
    /// A key that it creates gets the declared expiry; later calls move it only with `renew = write` or `renew = read`. A
    /// count that would leave the range of the value's type is refused, and nothing is changed. Redis counts with 64 bits and
    /// a sign, so that a `u64` can be counted up to `i64::MAX`, and no step is `i64::MIN`.
    fn incr(&self) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        counting::by_one(self, 1)
    }

    /// INCRBY: adds a number, as [`incr`](Self::incr) does.
    fn incr_by(&self, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        counting::up(self, number.into())
    }

    /// Takes one away, as [`incr`](Self::incr) adds one.
    fn decr(&self) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        counting::by_one(self, -1)
    }

    /// DECRBY: takes a number away, as [`incr`](Self::incr) adds one.
    fn decr_by(&self, number: <Self::Value as Integer>::Number) -> Command<Self::Value>
    where
        Self::Value: Integer,
    {
        counting::down(self, number.into())
    }

    /// INCRBYFLOAT: adds a number. Gives the new one; a key that is not there counts from 0.
    ///
    /// Redis keeps 17 digits behind the point, so that a count of `1e-20` is none. What would leave the range of the value's
    /// type is refused, and nothing is changed. The expiry is kept as [`incr`](Self::incr) keeps it.
    fn incr_by_float(&self, number: <Self::Value as Float>::Number) -> Command<Self::Value>
    where
        Self::Value: Float,
    {
        counting::by_float(self, number.into())
    }
}
