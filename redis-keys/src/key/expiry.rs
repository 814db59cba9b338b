//! How long a key lives from now on.

#[cfg(test)]
mod tests;

use std::time::{Duration, SystemTime};

use crate::{
    Error, RedisKey,
    error::{Cause, ExpiryError},
    schema::{Expiry, entropy},
};

/// The declared expiry; where it counts from the end of a span of the calendar, with what is left until then.
#[inline]
pub(crate) fn expiry_of<K: RedisKey>(key: &K) -> Result<Expiry, Error> {
    match key.ends() {
        None => Ok(K::SCHEMA.expiry),
        Some(end) => counted_from(end, key),
    }
}

/// The milliseconds for one write: what [`expiry_of`] says, and a random share of the jitter.
#[inline]
pub(crate) fn draw<K: RedisKey>(key: &K) -> Result<Option<u64>, Error> {
    expiry_of(key).map(Expiry::draw)
}

/// Few keys have it, and the others' writes are smaller without it.
#[inline(never)]
fn counted_from<K: RedisKey>(end: i64, key: &K) -> Result<Expiry, Error> {
    let until = end.saturating_mul(1_000).saturating_sub(now());
    // A share of the jitter must not decide whether there is anything left.
    K::SCHEMA.expiry.moved(until).ok_or_else(|| over(key))
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let whole = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    match entropy::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => whole(since),
        Err(until) => -whole(until.duration()),
    }
}

/// A key that can't be built says so first.
#[cold]
fn over<K: RedisKey>(key: &K) -> Error {
    match key.key() {
        Ok(key) => Error::refused(K::SCHEMA, Some(key.as_str().into()), Cause::Expiry(ExpiryError::Elapsed)),
        Err(error) => error,
    }
}
