//! What can be done with keys of type `hash` that hold a record.

use crate::{
    Command, RedisHash, RedisKey, TimeLeft,
    stored::Stored,
    types::record::{Counted, Expires, Field, MayBeMissing, expiry, fields, load, store},
};

/// A key whose value is a record: `…:hash`, without `field = …`.
///
/// Fields are named by the constants that `#[derive(RedisHash)]` adds to the record. What writes one field leaves alone a
/// record that is not there: a hash with one field would be half of one. Fields of others in the same hash are left alone.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisHash)]
/// struct Profile {
///     name: String,
///     email: Option<String>,
///     visits: u32,
///     #[redis_hash(ttl = 10m)]
///     code: Option<u32>,
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:profile:{user_id}:hash, value = Profile, ttl = 30d)]
/// struct UserProfile { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let key = UserProfile { user_id: 42 };
/// key.store(&Profile { name: "Ada".to_owned(), email: None, visits: 0, code: Some(1234) }).query(&mut con)?;
/// assert_eq!(key.hincr(Profile::VISITS, 1).query(&mut con)?, Some(1));
/// assert!(key.hset(Profile::EMAIL, "ada@example.org").query(&mut con)?);
/// let found: Option<Profile> = key.load().query(&mut con)?;
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hash`",
    label = "no `hash` key",
    note = "its template has to end with `:hash`, without `field = …`"
)]
pub trait RecordKey: RedisKey {
    /// The record.
    type Value: RedisHash;

    /// HMGET of all fields: the record, or `None` where there is none.
    ///
    /// A mandatory field that is missing, and one that does not decode, is an error that names it.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisHash)]
    /// struct Profile { name: String, email: Option<String> }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:profile:{user_id}:hash, value = Profile, ttl = 30d)]
    /// struct UserProfile { user_id: u64 }
    ///
    /// let load = UserProfile { user_id: 42 }.load();
    /// assert_eq!(testing::text(load)?, ["HMGET user:profile:42:hash name email"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn load(&self) -> Command<Option<Self::Value>> {
        load::load(self)
    }

    /// Writes the record: HSET of the fields that are there, HDEL of those that are `None`, in one step.
    ///
    /// A key that is new, or has no expiry, gets the declared one; with `renew = write` or `renew = read` it starts anew. So
    /// does that of each field with a `ttl`, since a field that is written loses what it had. A field of more than
    /// `max_member_bytes` is refused before anything is sent.
    fn store(&self, record: &Self::Value) -> Command<()> {
        store::store(self, record)
    }

    /// HGET: a field's value, or `None` where there is no record or the record lacks the field.
    fn hget<V: Stored, P>(&self, field: Field<Self::Value, V, P>) -> Command<Option<V::Output>> {
        fields::hget(self, field)
    }

    /// HSET: writes a field of a record that is there. Tells whether one is; where none is, nothing is written.
    ///
    /// A field with a `ttl` expires after that time, counted from now.
    fn hset<V: Stored, P>(&self, field: Field<Self::Value, V, P>, value: &V::Input) -> Command<bool> {
        fields::hset(self, field, value)
    }

    /// HINCRBY: adds to a number of a record that is there. Gives the new one, or `None` where there is no record.
    ///
    /// A field that is missing counts from 0, and starts to expire if it has a `ttl`; one that is there keeps the expiry that
    /// it has. A count that would leave the range of the field's type is refused, and nothing is changed.
    fn hincr<V: Counted, P>(
        &self,
        field: Field<Self::Value, V, P>,
        number: <V as Counted>::Step,
    ) -> Command<Option<V>> {
        fields::hincr(self, field, number.into())
    }

    /// HDEL: removes a field that may be missing. Tells whether it was there.
    fn hdel<V, P: MayBeMissing>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        fields::hdel(self, field)
    }

    /// HEXISTS: whether a field that may be missing is there.
    fn hexists<V, P: MayBeMissing>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        fields::hexists(self, field)
    }

    /// HPEXPIRE: starts the declared expiry of a field anew. Tells whether the field is there.
    ///
    /// The expiry of fields needs Redis 7.4 or Valkey 9; other servers answer with an error that says so, to each write of
    /// such a field too.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisHash)]
    /// struct Login {
    ///     name: String,
    ///     #[redis_hash(ttl = 10m)]
    ///     code: Option<u32>,
    /// }
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:login:{user_id}:hash, value = Login, ttl = 1d)]
    /// struct UserLogin { user_id: u64 }
    ///
    /// let expire = UserLogin { user_id: 42 }.hexpire(Login::CODE);
    /// assert_eq!(testing::text(expire)?, ["HPEXPIRE user:login:42:hash 600000 FIELDS 1 code"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn hexpire<V, P: Expires>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        expiry::hexpire(self, field)
    }

    /// HPTTL: how long a field will be there. A field that is missing is [`TimeLeft::Missing`].
    fn httl<V, P: Expires>(&self, field: Field<Self::Value, V, P>) -> Command<TimeLeft> {
        expiry::httl(self, field)
    }

    /// HPERSIST: lets a field stay as long as its record, until it is written again. Tells whether that has changed anything.
    fn hpersist<V, P: Expires>(&self, field: Field<Self::Value, V, P>) -> Command<bool> {
        expiry::hpersist(self, field)
    }
}
