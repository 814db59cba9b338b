//! `SET` and its options.

use std::marker::PhantomData;
use std::time::{Duration, SystemTime};
use std::{fmt, iter};

use redis::{Cmd, RedisWrite as _, Value};

use crate::accessor::accessor;
use crate::command::expiry::{expiry_of, milliseconds};
use crate::command::table::words;
use crate::command::{
    Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, call, key_of, on_key, reply, value,
};
use crate::error::{Cause, ExpiryError};
use crate::run::{debug_key, runnable};
use crate::schema::{Draw as _, Expiry, Schema};
use crate::stored::Stored;
use crate::stored::cached::stale_ms;
use crate::{Command, Error, RedisKey, StringKey, clock, lua};

/// A `SET` with options, as returned by [`StringKey::set`].
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`]. If you set the expiry
/// several times, the last call wins.
#[must_use = "a SET does nothing until `run` or `query` runs it"]
pub struct Set<V, R = ()> {
    // The value's form rather than the key: the command does not borrow from the key.
    form: PhantomData<fn() -> V>,
    schema: &'static Schema,
    /// The declared expiry, for this key.
    expiry: Expiry,
    /// `SET`, the key and the value. The options are added at the end.
    cmd: Result<Cmd, Error>,
    condition: Option<&'static str>,
    lifetime: Result<Lifetime, ExpiryError>,
    returns_old: bool,
    decode: Decode<R>,
}

/// A `SET NX` with options, as returned by [`StringKey::set_nx`].
///
/// It cannot keep an expiry or return an old value, because the key does not exist yet.
#[must_use = "a SET does nothing until `run` or `query` runs it"]
pub struct SetNew<V> {
    set: Set<V, bool>,
}

#[derive(Clone, Copy)]
enum Lifetime {
    Declared,
    Milliseconds(u64),
    /// Milliseconds since 1970.
    Until(u64),
    Keep,
}

/// Reads `OK`, or nothing if the condition did not hold.
pub(super) fn was_written(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    match replies.one() {
        Value::Okay => Ok(Step::Done(true)),
        Value::Nil => Ok(Step::Done(false)),
        _ => Err(ReplyError::unexpected()),
    }
}

impl<V: Stored, R> Set<V, R> {
    #[inline]
    pub(crate) fn new<K>(key: &K, value: &V::Input, condition: Option<&'static str>, decode: Decode<R>) -> Self
    where
        K: RedisKey,
    {
        let (expiry, cmd) = match expiry_of(key) {
            Ok(expiry) => (expiry, set_cmd::<K, V>(key, value)),
            Err(error) => (K::SCHEMA.expiry, Err(error)),
        };
        Self {
            form: PhantomData,
            schema: K::SCHEMA,
            expiry,
            cmd,
            condition,
            lifetime: Ok(Lifetime::Declared),
            returns_old: false,
            decode,
        }
    }

    /// Sets a shorter expiry than the declared one for this value, without jitter.
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex"))]
    pub fn expire_in(self, time: Duration) -> Self {
        let lifetime = milliseconds(time, self.expiry).map(Lifetime::Milliseconds);
        Self { lifetime, ..self }
    }

    /// Sets the time at which this value expires, at most the declared expiry from now.
    #[doc(alias("expireat", "pexpireat"))]
    pub fn expire_at(self, time: SystemTime) -> Self {
        let lifetime = until(time, self.expiry).map(Lifetime::Until);
        Self { lifetime, ..self }
    }

    /// Keeps the key's current expiry (`KEEPTTL`). A missing key, or a key without an expiry, gets the declared expiry.
    #[doc(alias("keepttl"))]
    pub fn keep_ttl(self) -> Self {
        Self { lifetime: Ok(Lifetime::Keep), ..self }
    }

    /// Returns the previous value, if there was one (`GET`).
    ///
    /// If the previous value does not decode, the new value is still written.
    #[doc(alias("getset"))]
    pub fn returning_old(self) -> Set<V, Option<V::Output>> {
        let Self { form, schema, expiry, cmd, condition, lifetime, .. } = self;
        Set { form, schema, expiry, cmd, condition, lifetime, returns_old: true, decode: reply::element::<V> }
    }
}

runnable!([V: Stored, R] Set<V, R> => R);

impl<V: Stored> SetNew<V> {
    pub(super) fn new<K: StringKey<Value = V>>(key: &K, value: &V::Input) -> Self {
        Self { set: Set::new(key, value, Some("NX"), was_written) }
    }

    /// Does the same as [`Set::expire_in`].
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex"))]
    pub fn expire_in(self, time: Duration) -> Self {
        Self { set: self.set.expire_in(time) }
    }

    /// Does the same as [`Set::expire_at`].
    #[doc(alias("expireat", "pexpireat"))]
    pub fn expire_at(self, time: SystemTime) -> Self {
        Self { set: self.set.expire_at(time) }
    }
}

runnable!([V: Stored] SetNew<V> => bool);

impl<V, R> From<Set<V, R>> for Command<R> {
    #[inline]
    fn from(set: Set<V, R>) -> Self {
        let Set { schema, expiry, cmd, condition, lifetime, returns_old, decode, .. } = set;
        let accessor = match condition {
            None => accessor!("set"),
            Some("NX") => accessor!("set_nx"),
            Some(_) => accessor!("set_xx"),
        };
        let options = condition.into_iter().chain(returns_old.then_some("GET"));
        let (mut cmd, lifetime) = match (cmd, lifetime) {
            (Ok(cmd), Ok(lifetime)) => (cmd, lifetime),
            (Ok(cmd), Err(fault)) => {
                return Self::refused(Error::refused(schema, key_of(&cmd, 0), Cause::Expiry(fault))).named(accessor);
            }
            (Err(error), _) => return Self::refused(error).named(accessor),
        };
        // A key that never expires has no expiry to restore, so the native command is sufficient.
        if let (Lifetime::Keep, Some(ms)) = (lifetime, expiry.draw()) {
            return Self::script(schema, &lua::SET_KEEPING_TTL, Ok(keeping_ttl(&cmd, ms, options)), decode)
                .named(accessor);
        }
        push_options(&mut cmd, lifetime, options, expiry, stale_ms(schema));
        Self::one(schema, Ok(cmd), decode).named(accessor)
    }
}

impl<V> From<SetNew<V>> for Command<bool> {
    fn from(new: SetNew<V>) -> Self {
        new.set.into()
    }
}

debug_key!([V, R] Set<V, R>, "Set", |set| set.cmd.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default()));

impl<V> fmt::Debug for SetNew<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set.fmt(f)
    }
}

/// `SET`, the key and the value.
#[allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]
pub(crate) fn set_cmd<K: RedisKey, V: Stored>(key: &K, value: &V::Input) -> Result<Cmd, Error> {
    let mut cmd = on_key(key, "SET", 5, value::capacity::<V>(value, K::SCHEMA) + 32)?;
    match value::push::<V>(&mut cmd, value, K::SCHEMA) {
        Ok(()) => Ok(cmd),
        Err(cause) => Err(Error::refused(K::SCHEMA, key_of(&cmd, 0), cause)),
    }
}

/// Adds the declared expiry.
pub(crate) fn push_declared<K: RedisKey>(cmd: &mut Cmd, key: &K) -> Result<(), Error> {
    push_options(cmd, Lifetime::Declared, iter::empty(), expiry_of(key)?, stale_ms(K::SCHEMA));
    Ok(())
}

fn push_options(
    cmd: &mut Cmd,
    lifetime: Lifetime,
    options: impl Iterator<Item = &'static str>,
    declared: Expiry,
    stale_ms: u64,
) {
    let expiry = match lifetime {
        Lifetime::Declared => declared.draw().map(|ms| ("PX", ms)),
        Lifetime::Milliseconds(ms) => Some(("PX", ms)),
        Lifetime::Until(ms) => Some(("PXAT", ms)),
        Lifetime::Keep => {
            cmd.write_arg(b"KEEPTTL");
            None
        }
    };
    if let Some((word, ms)) = expiry {
        cmd.write_arg(word.as_bytes());
        cmd.arg(ms.saturating_add(stale_ms));
    }
    for option in options {
        cmd.write_arg(option.as_bytes());
    }
}

/// Returns the script call with the same effect that keeps an expiry.
fn keeping_ttl(cmd: &Cmd, ms: u64, options: impl Iterator<Item = &'static str>) -> Cmd {
    let mut args = words(cmd).skip(1);
    let (key, value) = (args.next().unwrap_or_default(), args.next().unwrap_or_default());
    let mut evalsha = call(&lua::SET_KEEPING_TTL, key, 4, value.len().saturating_add(32));
    evalsha.write_arg(value);
    evalsha.arg(ms);
    for option in options {
        evalsha.write_arg(option.as_bytes());
    }
    evalsha
}

fn until(time: SystemTime, expiry: Expiry) -> Result<u64, ExpiryError> {
    let left = time.duration_since(clock::now()).map_err(|_| ExpiryError::Past)?;
    milliseconds(left, expiry)?;
    let since_1970 = time.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| ExpiryError::Past)?;
    u64::try_from(since_1970.as_millis()).map_err(|_| ExpiryError::TooLong)
}
