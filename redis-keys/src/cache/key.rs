//! Cached keys, and the steps of loading their values.

use std::borrow::Borrow;
use std::fmt;
use std::time::{Duration, SystemTime};

use redis::{Cmd, Value};

use super::Token;
use super::near_value::NearValue;
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::expiry::{self, expiry_of};
use crate::command::own_writes::{done_of_write, flag_of_write};
use crate::command::value::Place;
use crate::command::{
    Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, TimeLeft, arguments, flag, on_key, value,
};
use crate::run::runnable;
use crate::schema::{CacheOptions, Draw as _, Role};
use crate::stored::Stored;
#[cfg(feature = "cache")]
use crate::stored::cached::write_stale_times;
use crate::stored::cached::{Content, MarkedValue, absent, stale_ms};
#[cfg(feature = "cache")]
use crate::stored::{Binding, StoredError};
use crate::types::string::{self, read};
use crate::{Command, Error, RedisKey, lua};

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as CachedKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as CachedKey>::Value as Stored>::Input;

/// A key that caches values loaded from elsewhere: `…:string` with `cache(null_ttl = …)`.
///
/// Besides a value, the key can hold a marker: that there is no value (for `null_ttl`), that a caller is loading it, or
/// that callers have given up loading it (both for `lease`). Markers read as `None`.
/// [The module](super#what-a-key-holds) lists their bytes.
///
/// In asynchronous code, use [`Cache::get_or_load`](crate::guide::caching), which does everything that caching needs.
/// The methods here are its steps, for synchronous code and for special cases: claim the load, load, and fill.
///
/// ```
/// # #[cfg(unix)] mod unix {
/// use redis_keys::{cache::{Claim, Token}, prelude::*, redis::Connection};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
/// struct Name { user_id: u64 }
///
/// /// The name of a user. `None` also means that another caller loads it: ask again, or load without storing.
/// fn name(con: &mut Connection, user_id: u64) -> Result<Option<String>, redis_keys::Error> {
///     let (key, token) = (Name { user_id }, Token::random());
///     match key.claim(&token).query(con)? {
///         Claim::Found(name) => Ok(Some(name)),
///         Claim::Mine => {
///             let name = load(user_id);
///             key.fill(&token, name.as_deref()).query(con)?;
///             Ok(name)
///         }
///         _ => Ok(None),
///     }
/// }
/// # fn load(user_id: u64) -> Option<String> { (user_id == 42).then(|| "Ada".to_owned()) }
/// # pub fn run() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = redis_keys::testing::Server::start()?;
/// # let mut con = redis_keys::redis::Client::open(server.url())?.get_connection()?;
///
/// assert_eq!(name(&mut con, 42)?.as_deref(), Some("Ada"));
/// assert_eq!(Name { user_id: 42 }.get().query(&mut con)?.as_deref(), Some("Ada"));
/// // There is no such user, and that is known now.
/// assert_eq!(name(&mut con, 43)?, None);
/// assert_eq!(Name { user_id: 43 }.claim(&Token::random()).query(&mut con)?, Claim::Absent);
/// # Ok(()) } }
/// # #[cfg(unix)]
/// # unix::run().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a cached key",
    label = "not a cached key",
    note = "a cached key is a `string` with the role `cache`, such as `cache(null_ttl = 5m)`",
    note = "`get_or_load_detached` takes it by value, without a `&`"
)]
pub trait CachedKey: RedisKey {
    /// The stored form of the value.
    type Value: Stored;

    /// The functions that keep copies of the value in the process; `None` without `near`.
    #[doc(hidden)]
    const NEAR: Option<NearValue<Output<Self>>> = None;

    /// Returns the value, or `None` if the key does not exist or holds a marker (`GET`).
    ///
    /// With `stale`, it also sends `PTTL`, and a value that has expired is `None`.
    fn get(&self) -> Command<Option<Output<Self>>> {
        if keeps_stale::<Self>() {
            let get = |replies: Replies, sent: &ReplyContext<'_>| {
                let read = read_each_timed(replies, sent, timed_value::<Self::Value>)?;
                Ok(Step::Done(read.into_iter().next().flatten()))
            };
            return timed_get(self, get).named_read(accessor!("get"));
        }
        self.native("GET", ()).reply(read_value::<Self::Value>).named_read(accessor!("get"))
    }

    /// Returns the values of many keys, in their order (`MGET` of 100 keys each).
    ///
    /// A key that does not exist, holds a marker or has another Redis type is `None`. On a cluster, run it in a
    /// [`batch`](crate::batch()), like [`StringKey::get_many`](crate::StringKey::get_many).
    #[doc(alias("mget"))]
    fn get_many<I>(keys: I) -> Command<Vec<Option<Output<Self>>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Self>,
    {
        let keys = keys.into_iter();
        if keeps_stale::<Self>() {
            let get = |replies: Replies, sent: &ReplyContext<'_>| {
                read_each_timed(replies, sent, timed_value::<Self::Value>).map(Step::Done)
            };
            return read::many::<Self, _>(timed_mgets(keys), get).named_read(accessor!("get_many"));
        }
        read::mget(keys, read_values::<Self::Value>).named_read(accessor!("get_many"))
    }

    /// Writes the value with the declared expiry (`SET`).
    ///
    /// It is not overwritten by a load or refresh that is under way. A value that begins with the byte `C1` is stored
    /// with two more bytes in front, which count towards `max_bytes`.
    ///
    /// ```
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
    /// struct Name { user_id: u64 }
    ///
    /// let _fixed = testing::fix_jitter(0.0);
    /// assert_eq!(testing::text(Name { user_id: 42 }.set("Ada"))?, ["SET user:name:42:string Ada PX 3600000"]);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex", "set_options"))]
    fn set(&self, value: &Input<Self>) -> Set<Self::Value> {
        Set::new(self, value)
    }

    /// Claims the load of the value, or returns the content of the key.
    ///
    /// If the key does not exist, it holds the token afterwards, for the time of `lease`. Repeating a successful claim
    /// with the same token returns [`Claim::Mine`] again and restarts the lease. If you lost the reply,
    /// [abandon](Self::abandon) the claim and use another token, because the lost command can still arrive.
    ///
    /// With `ttl_from_end_of`, the claim is rejected like any write once the `ttl` after the end of the bucket has passed.
    fn claim(&self, token: &Token) -> Command<Claim<Output<Self>>> {
        match lease(self) {
            Ok(lease) => self.script(&lua::CLAIM, (token.as_bytes(), lease)).reply_one(read_claim::<Self::Value>),
            Err(error) => Command::refused(error),
        }
        .named(accessor!("claim"))
    }

    /// Claims the refresh of a value that expires soon (see `refresh`), and returns whether the claim succeeded.
    ///
    /// The old value can still be read, and keeps its expiry. Until `lease` ends, or [`fill`](Self::fill) has written a
    /// new value, no other caller can claim the refresh. The same applies to the marker that there is no value.
    ///
    /// Do not repeat a claim whose reply was lost, because the second call returns `false`. For a key that does not
    /// exist or never expires, the result is `false` too; for a declaration without `refresh`, nothing is sent either.
    ///
    /// ```
    /// use redis_keys::{cache::Token, prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(
    ///     user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m,
    ///     cache(null_ttl = 5m, refresh = 80%),
    /// )]
    /// struct Name { user_id: u64 }
    ///
    /// // For a lease of 10 seconds, if less than 12 minutes are left of a value or one minute of its absence.
    /// assert_eq!(
    ///     testing::text(Name { user_id: 42 }.claim_refresh(&Token::from(*b"0123456789abcdef")))?,
    ///     ["EVALSHA claim_refresh.lua 1 user:name:42:string 0123456789abcdef 10000 720000 60000"],
    /// );
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn claim_refresh(&self, token: &Token) -> Command<bool> {
        let options = options::<Self>();
        if options.refresh_percent.is_none() {
            return Command::ready(false);
        }
        let of_value = refresh_threshold::<Self>();
        let of_absence = refresh_threshold_of_absence::<Self>();
        let arguments = (token.as_bytes(), ms(options.lease), ms(of_value), ms(of_absence));
        self.script(&lua::CLAIM_REFRESH, arguments).reply(flag).named(accessor!("claim_refresh"))
    }

    /// Stores the loaded value if the key still holds the token, and returns whether it did.
    ///
    /// The token disappears with [`set`](Self::set), [`unlink`](RedisKey::unlink), another program's `DEL` and the end
    /// of the lease. So a value that was loaded before any of these is never stored. `None` is stored as a marker, for
    /// `null_ttl`.
    ///
    /// If the value is rejected, for example because it exceeds `max_bytes`, the lease remains: [abandon](Self::abandon) it.
    fn fill(&self, token: &Token, value: Option<&Input<Self>>) -> Command<bool> {
        let fill = match value {
            Some(loaded) => draw_expiry(self).map(|ms| {
                let ms = with_stale::<Self>(ms);
                self.script(&lua::FILL, (token.as_bytes(), arguments::value::<MarkedValue<Self::Value>>(loaded), ms))
            }),
            None => draw_null_expiry(self).map(|ms| self.script(&lua::FILL, (token.as_bytes(), absent(), ms))),
        };
        fill.map_or_else(Command::refused, |fill| fill.reply(flag_of_write(Self::SCHEMA))).named(accessor!("fill"))
    }

    /// Returns the expired value of a key with `stale` after a failed load, or `None` if there is none.
    ///
    /// If the key still holds the token, other callers also get this value, as [`Claim::Stale`], until `lease` has
    /// passed and another caller tries again. If another caller has stored a value meanwhile, that value is returned.
    ///
    /// Without a value, the lease remains: [abandon](Self::abandon) it.
    fn fail(&self, token: &Token) -> Command<Option<Output<Self>>> {
        if !keeps_stale::<Self>() {
            return Command::ready(None);
        }
        let content = |replies: Replies, sent: &ReplyContext<'_>| {
            let content = content::<Self::Value>(replies.one(), Place::new(sent))?;
            Ok(Step::Done(content.and_then(Content::into_any_value)))
        };
        let arguments = (token.as_bytes(), ms(options::<Self>().lease));
        self.script(&lua::FAIL, arguments).reply(content).named(accessor!("fail"))
    }

    /// Gives up a claim, and returns whether the key still held the token.
    ///
    /// Other callers can then load the value immediately. This token cannot claim again: the key remembers it for the
    /// time of `lease`, because a claim whose reply was lost can still arrive. The key remembers up to 32 tokens,
    /// unless it holds a value or another caller's lease.
    ///
    /// The claim of a refresh stays until the value expires or `lease` ends, and the result is `false`. Until then the
    /// old value can be read, and a failed load is not repeated immediately.
    fn abandon(&self, token: &Token) -> Command<bool> {
        match lease(self) {
            Ok(lease) => self.script(&lua::ABANDON, (token.as_bytes(), lease)).reply(flag),
            Err(error) => Command::refused(error),
        }
        .named(accessor!("abandon"))
    }
}

/// A `SET` of a cached key, as returned by [`CachedKey::set`](super::CachedKey::set).
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`]. If you set the expiry
/// several times, the last call wins. A value whose expiry is shorter than the time that `refresh` leaves at the end of
/// the `ttl` is due for a refresh immediately.
///
/// ```
/// use std::time::Duration;
///
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
/// struct Name { user_id: u64 }
///
/// let set = Name { user_id: 42 }.set("Ada").expire_in(Duration::from_secs(60));
/// assert_eq!(testing::text(set)?, ["SET user:name:42:string Ada PX 60000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "a SET does nothing until `run` or `query` runs it"]
pub struct Set<V> {
    set: string::Set<MarkedValue<V>>,
}

impl<V: Stored> Set<V> {
    pub(super) fn new<K: RedisKey>(key: &K, value: &V::Input) -> Self {
        Self { set: string::Set::new(key, value, None, done_of_write(K::SCHEMA)) }
    }

    /// Sets a shorter expiry than the declared one for this value, without jitter.
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex"))]
    pub fn expire_in(self, time: Duration) -> Self {
        Self { set: self.set.expire_in(time) }
    }

    /// Sets the time at which this value expires, at most the declared expiry from now.
    #[doc(alias("expireat", "pexpireat"))]
    pub fn expire_at(self, time: SystemTime) -> Self {
        Self { set: self.set.expire_at(time) }
    }
}

runnable!([V: Stored] Set<V> => ());

impl<V> From<Set<V>> for Command<()> {
    fn from(set: Set<V>) -> Self {
        set.set.into()
    }
}

impl<V> fmt::Debug for Set<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set.fmt(f)
    }
}

/// The result of [`CachedKey::claim`]: the lease, or the content of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim<T> {
    /// The caller has the lease, and must load the value.
    Mine,
    /// Another caller has the lease, or the claim with this token was [abandoned](CachedKey::abandon).
    Theirs(Token),
    /// The key holds this value.
    Found(T),
    /// The key holds this expired value, which is returned after a failed load: see [`CachedKey::fail`].
    Stale(T),
    /// The key holds the marker that there is no value.
    Absent,
}

/// The options of a cached key.
pub(crate) fn options<K: RedisKey>() -> CacheOptions {
    let Some(Role::Cache(options)) = K::SCHEMA.role else {
        // Only the derive implements `CachedKey`, with these options.
        return CacheOptions::new(Duration::ZERO, Duration::ZERO, None);
    };
    options
}

/// The remaining TTL at which `refresh` begins; zero without `refresh`.
fn left_at_refresh(options: CacheOptions, ttl: Duration) -> Duration {
    let percent = options.refresh_percent.map_or(0, |percent| 100_u32.saturating_sub(percent.into()));
    ttl.saturating_mul(percent) / 100
}

/// The remaining TTL below which a value is refreshed.
pub(crate) fn refresh_threshold<K: RedisKey>() -> Duration {
    left_at_refresh(options::<K>(), K::SCHEMA.expiry.ttl().unwrap_or_default())
}

/// The same threshold for the marker that there is no value.
pub(crate) fn refresh_threshold_of_absence<K: RedisKey>() -> Duration {
    let options = options::<K>();
    left_at_refresh(options, options.null_ttl)
}

/// The time to store a value, in milliseconds.
pub(crate) fn draw_expiry<K: RedisKey>(key: &K) -> Result<u64, Error> {
    // A cached key always expires.
    expiry::draw(key).map(Option::unwrap_or_default)
}

/// The time to store a value with this expiry, in milliseconds, including the time of `stale`.
fn with_stale<K: RedisKey>(ms: u64) -> u64 {
    ms.saturating_add(stale_ms(K::SCHEMA))
}

/// The time to remember that there is no value, in milliseconds.
pub(crate) fn draw_null_expiry<K: RedisKey>(key: &K) -> Result<u64, Error> {
    let null_ttl = at_most_ttl(key, options::<K>().null_ttl)?;
    Ok(K::SCHEMA.expiry.in_proportion(null_ttl).draw().unwrap_or_default())
}

/// The duration of a claim, in milliseconds.
pub(crate) fn lease<K: RedisKey>(key: &K) -> Result<u64, Error> {
    at_most_ttl(key, options::<K>().lease).map(ms)
}

/// Shortens a time to the key's remaining lifetime, which `ttl_from_end_of` can make shorter than the declared `ttl`.
fn at_most_ttl<K: RedisKey>(key: &K, time: Duration) -> Result<Duration, Error> {
    let ttl = expiry_of(key)?.ttl();
    Ok(ttl.map_or(time, |ttl| ttl.min(time)))
}

pub(crate) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Whether the key keeps an expired value in case its loader fails.
pub(crate) fn keeps_stale<K: RedisKey>() -> bool {
    stale_ms(K::SCHEMA) > 0
}

/// The content of a key, or `None` if it does not exist.
#[inline]
pub(crate) fn content<V: Stored>(reply: Value, place: Place<'_>) -> Result<Option<Content<V::Output>>, ReplyError> {
    value::read_at::<MarkedValue<V>>(reply, place)
}

/// Sends `PTTL` and a read for each key. In this order, a write in between cannot make an old value look younger than
/// it is. A tracked connection notices the write: both commands are reads.
fn timed_reads<K: RedisKey, B: Borrow<K>>(
    keys: impl Iterator<Item = B>,
    read: &'static str,
) -> Result<Vec<Cmd>, Error> {
    let mut cmds = Vec::with_capacity(keys.size_hint().0.saturating_mul(2));
    for key in keys {
        cmds.extend([on_key(key.borrow(), "PTTL", 0, 0)?, on_key(key.borrow(), read, 0, 0)?]);
    }
    Ok(cmds)
}

/// Sends `PTTL` and `MGET` for many keys: `MGET` returns nil for a key of another type instead of failing.
pub(super) fn timed_mgets<K: RedisKey, B: Borrow<K>>(keys: impl Iterator<Item = B>) -> Result<Vec<Cmd>, Error> {
    timed_reads::<K, B>(keys, "MGET")
}

/// `PTTL` and `GET` of one key.
pub(super) fn timed_get<K: RedisKey, T>(key: &K, decode: Decode<T>) -> Command<T> {
    timed_reads::<K, _>([key].into_iter(), "GET")
        .map_or_else(Command::refused, |cmds| Command::many(K::SCHEMA, cmds, decode))
}

/// Reads each value in the replies to `PTTL` and `GET`.
pub(super) fn read_each_timed<'s, T>(
    replies: Replies,
    sent: &'s ReplyContext<'s>,
    read: impl Fn(Value, TimeLeft, Place<'s>) -> Result<T, ReplyError>,
) -> Result<Vec<T>, ReplyError> {
    let mut replies = replies.all().enumerate();
    let mut values = Vec::new();
    while let (Some((first, left)), Some((command, value))) = (replies.next(), replies.next()) {
        let Value::Int(left) = left else { return Err(ReplyError::unexpected().of(first, 0)) };
        let place = Place::of_key(sent, command, 0);
        let value = match value {
            Value::Array(list) => list.into_iter().next().ok_or_else(|| ReplyError::unexpected().of(command, 0))?,
            value => value,
        };
        values.push(read(value, TimeLeft::from_pttl(left), place).map_err(|fault| fault.of(command, 0))?);
    }
    Ok(values)
}

/// The content of a key, and its remaining time.
type TimedContent<T> = (Option<Content<T>>, TimeLeft);

/// Reads the content of a key that has this remaining time.
#[inline]
pub(super) fn timed_content<V: Stored>(
    reply: Value,
    left: TimeLeft,
    place: Place<'_>,
) -> Result<TimedContent<V::Output>, ReplyError> {
    Ok(match content::<V>(reply, place)?.map(|content| content.after(left)) {
        Some((content, left)) => (Some(content), left),
        None => (None, left),
    })
}

fn timed_value<V: Stored>(reply: Value, left: TimeLeft, place: Place<'_>) -> Result<Option<V::Output>, ReplyError> {
    timed_content::<V>(reply, left, place).map(|(content, _)| content.and_then(Content::into_value))
}

#[inline]
fn read_value<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V::Output>> {
    Ok(Step::Done(content::<V>(replies.one(), Place::new(sent))?.and_then(Content::into_value)))
}

fn read_values<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<Option<V::Output>>> {
    let value = |reply, place| content::<V>(reply, place).map(|content| content.and_then(Content::into_value));
    read::read_each(replies, sent, value).map(Step::Done)
}

pub(crate) fn read_claim<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Claim<V::Output>> {
    let reply = replies.one();
    if reply == Value::Okay {
        return Ok(Step::Done(Claim::Mine));
    }
    let claim = match content::<V>(reply, Place::new(sent))?.ok_or_else(ReplyError::unexpected)? {
        Content::Value(found) => Claim::Found(found),
        Content::Stale(stale) => Claim::Stale(stale.value),
        Content::Absent => Claim::Absent,
        Content::Loading(token) => Claim::Theirs(token),
        Content::Abandoned => return Err(ReplyError::unexpected()),
    };
    Ok(Step::Done(claim))
}

/// The stored bytes of a value, without a size limit.
#[cfg(feature = "cache")]
pub(super) fn encode_content<K: CachedKey>(key: &K, value: &Input<K>) -> Result<Vec<u8>, StoredError> {
    let mut bytes = Vec::with_capacity(K::Value::size_hint(value));
    write_stale_times(K::SCHEMA, &mut bytes).map_err(StoredError::from_io)?;
    if K::Value::IS_SECRET {
        MarkedValue::<K::Value>::encode_bound(value, &content_binding(key)?, &mut bytes)?;
    } else {
        MarkedValue::<K::Value>::encode(value, &mut bytes)?;
    }
    Ok(bytes)
}

/// Decodes the stored bytes of a key.
#[cfg(feature = "cache")]
pub(super) fn decode_content<K: CachedKey>(key: &K, bytes: Vec<u8>) -> Result<Content<Output<K>>, StoredError> {
    if K::Value::IS_SECRET {
        return MarkedValue::<K::Value>::decode_bound(bytes, &content_binding(key)?);
    }
    MarkedValue::<K::Value>::decode(bytes)
}

#[cfg(feature = "cache")]
fn content_binding<K: CachedKey>(key: &K) -> Result<Binding, StoredError> {
    let text = key.key().map_err(|_| StoredError::new("the key is invalid"))?;
    Binding::new(K::SCHEMA, text.as_bytes(), b"")
}
