//! Cached keys, and the steps of which loading their values consists.

use std::{borrow::Borrow, time::Duration};

use redis::Value;

use super::{
    Set, Token,
    content::{Content, Marked, absent},
};
use crate::{
    Command, Error, RedisKey,
    command::{Replies, ReplyError, Sent, Step, arguments, builder::Build as _, flag, value},
    key::expiry,
    lua,
    schema::{CacheOptions, Pattern, entropy},
    stored::Stored,
    types::string::read,
};

/// What reads of a key return: the [`Output`](Stored::Output) of its `value`.
pub type Output<K> = <<K as CachedKey>::Value as Stored>::Output;

/// What writes of a key borrow: the [`Input`](Stored::Input) of its `value`.
pub type Input<K> = <<K as CachedKey>::Value as Stored>::Input;

/// A key that caches what is loaded from elsewhere: `…:string` with `null_ttl`.
///
/// Besides a value it can hold one of two markers: that there is no value, for `null_ttl`, and that somebody loads it, for
/// `lease`. Both read as `None`.
///
/// In asynchronous code, [`Cache::get_or_load`](super::Cache::get_or_load) does all that caching needs. The methods here are its
/// steps, for synchronous code and for cases of your own.
///
/// ```no_run
/// use redis_keys::{cache::{Claim, Token}, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, null_ttl = 5m)]
/// struct Name { user_id: u64 }
///
/// # fn load(user_id: u64) -> Option<String> { None }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let key = Name { user_id: 42 };
/// let token = Token::random();
/// match key.claim(&token).query(&mut con)? {
///     Claim::Mine => {
///         let name = load(42);
///         key.fill(&token, name.as_deref()).query(&mut con)?;
///     }
///     Claim::Theirs(_) => println!("somebody loads it"),
///     Claim::Found(name) => println!("{name}"),
///     Claim::Absent => println!("there is no such user"),
///     _ => {}
/// }
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a cached key",
    label = "not a cached key",
    note = "a cached key is a `string` with `null_ttl`, such as `null_ttl = 5m`"
)]
pub trait CachedKey: RedisKey {
    /// The stored form of the value.
    type Value: Stored;

    /// Returns the value, or `None` if the key does not exist or holds a marker (`GET`).
    fn get(&self) -> Command<Option<Output<Self>>> {
        self.native("GET", ()).reply(read_value::<Self::Value>)
    }

    /// Returns the values of many keys, in their order (`MGET` of 100 keys each).
    ///
    /// A key that does not exist, holds a marker or has another Redis type is `None`. On a cluster, run it in a
    /// [`batch`](crate::batch()), as [`StringKey::get_many`](crate::StringKey::get_many).
    #[doc(alias("mget"))]
    fn get_many<I>(keys: I) -> Command<Vec<Option<Output<Self>>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Self>,
    {
        read::mget(keys.into_iter(), read_values::<Self::Value>)
    }

    /// Writes the value with the declared expiry (`SET`).
    ///
    /// A load that is under way does not overwrite it.
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex", "set_options"))]
    fn set(&self, value: &Input<Self>) -> Set<Self::Value> {
        Set::new(self, value)
    }

    /// Claims the loading of the value: if the key does not exist, it holds the token for the time of `lease`.
    ///
    /// With the token of a claim that was successful, the result is [`Claim::Mine`] again: a claim whose reply was lost can be
    /// repeated.
    fn claim(&self, token: &Token) -> Command<Claim<Output<Self>>> {
        let lease = options::<Self>().lease;
        self.script(&lua::CLAIM, (token.as_bytes(), ms(lease))).reply_one(read_claim::<Self::Value>)
    }

    /// Claims the refresh of the value if it expires soon, as `refresh` says, and returns whether that was successful.
    ///
    /// The value can still be read, and expires when it would have expired. Until `lease` is over, or [`fill`](Self::fill) has
    /// written a new value, nobody else can claim the refresh. It returns `false` for a key without `refresh`.
    fn claim_refresh(&self, token: &Token) -> Command<bool> {
        let options = options::<Self>();
        let of_value = refresh_threshold::<Self>();
        let of_absence = options.left_at_refresh(options.null_ttl);
        let arguments = (token.as_bytes(), ms(options.lease), ms(of_value), ms(of_absence));
        self.script(&lua::CLAIM_REFRESH, arguments).reply(flag)
    }

    /// Stores what was loaded, and returns whether it did: only if the key still holds the token.
    ///
    /// So whatever removes or replaces the token ([`set`](Self::set), [`unlink`](RedisKey::unlink), another program's `DEL`, the
    /// end of the lease) makes sure that nothing is stored that was loaded before. `None` is stored as a marker, for `null_ttl`.
    fn fill(&self, token: &Token, value: Option<&Input<Self>>) -> Command<bool> {
        let fill = match value {
            Some(loaded) => draw_expiry(self).map(|ms| {
                self.script(&lua::FILL, (token.as_bytes(), arguments::value::<Marked<Self::Value>>(loaded), ms))
            }),
            None => draw_null_expiry(self).map(|ms| self.script(&lua::FILL, (token.as_bytes(), absent(), ms))),
        };
        fill.map_or_else(Command::refused, |fill| fill.reply(flag))
    }

    /// Gives up a claim, and returns whether the key still held the token: others can load the value at once.
    ///
    /// The claim of a refresh stays until `lease` is over.
    fn abandon(&self, token: &Token) -> Command<bool> {
        self.script(&lua::ABANDON, token.as_bytes()).reply(flag)
    }
}

/// What [`CachedKey::claim`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim<T> {
    /// The caller has the lease, and loads the value.
    Mine,
    /// Somebody else has the lease.
    Theirs(Token),
    /// There is a value.
    Found(T),
    /// It is known that there is no value.
    Absent,
}

/// The options of a cached key.
pub(crate) fn options<K: RedisKey>() -> CacheOptions {
    let Some(Pattern::Cache(options)) = K::SCHEMA.pattern else {
        // Only the derive implements `CachedKey`, with these options.
        return CacheOptions { null_ttl: Duration::ZERO, lease: Duration::ZERO, refresh_percent: None };
    };
    options
}

impl CacheOptions {
    /// How much of an expiry is left when `refresh` begins, nothing without `refresh`.
    pub(crate) fn left_at_refresh(self, ttl: Duration) -> Duration {
        let percent = self.refresh_percent.map_or(0, |percent| 100_u32.saturating_sub(percent.into()));
        ttl.saturating_mul(percent) / 100
    }
}

/// A value with less time left than this is refreshed.
pub(crate) fn refresh_threshold<K: RedisKey>() -> Duration {
    options::<K>().left_at_refresh(K::SCHEMA.expiry.ttl().unwrap_or_default())
}

/// The milliseconds for which a value is stored.
pub(crate) fn draw_expiry<K: RedisKey>(key: &K) -> Result<u64, Error> {
    // A cached key always expires.
    expiry::draw(key).map(Option::unwrap_or_default)
}

/// The milliseconds for which it is remembered that there is no value, with the declared jitter in proportion.
pub(crate) fn draw_null_expiry<K: RedisKey>(key: &K) -> Result<u64, Error> {
    let declared = K::SCHEMA.expiry;
    let null_ttl = options::<K>().null_ttl;
    let ttl = declared.ttl().unwrap_or(null_ttl);
    let jitter = ms(declared.jitter()).saturating_mul(ms(null_ttl)).checked_div(ms(ttl)).unwrap_or_default();
    let drawn = ms(null_ttl).saturating_add(entropy::up_to(jitter));
    Ok(drawn.min(draw_expiry(key)?))
}

pub(crate) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The content of a key, or `None` if it does not exist.
#[inline]
pub(crate) fn content<V: Stored>(reply: Value) -> Result<Option<Content<V::Output>>, ReplyError> {
    value::read::<Marked<V>>(reply)
}

#[inline]
fn read_value<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, ReplyError> {
    Ok(Step::Done(content::<V>(replies.one())?.and_then(Content::into_value)))
}

fn read_values<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Option<V::Output>>>, ReplyError> {
    let value = |reply| content::<V>(reply).map(|content| content.and_then(Content::into_value));
    read::read_each(replies, sent, value).map(Step::Done)
}

pub(crate) fn read_claim<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Claim<V::Output>>, ReplyError> {
    let reply = replies.one();
    if reply == Value::Okay {
        return Ok(Step::Done(Claim::Mine));
    }
    let claim = match content::<V>(reply)?.ok_or_else(ReplyError::unexpected)? {
        Content::Value(found) => Claim::Found(found),
        Content::Absent => Claim::Absent,
        Content::Loading(token) => Claim::Theirs(token),
    };
    Ok(Step::Done(claim))
}
