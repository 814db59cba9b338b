//! The expiry of a write.

#[cfg(test)]
mod tests;

use std::time::{Duration, SystemTime};

use redis_keys_core::limits::LONGEST_TTL;

use super::request::text_of;
use crate::error::{Cause, ExpiryError};
use crate::key::KeyText;
use crate::schema::{Draw as _, Expiry};
use crate::{Error, clock};

/// Returns the declared expiry, counted from now. With `ttl_from_end_of`, it includes the time until that end.
#[inline]
pub(crate) fn expiry_of<K: KeyText>(key: &K) -> Result<Expiry, Error> {
    match key.bucket_end() {
        None => Ok(K::SCHEMA.expiry),
        Some(end) => counted_from(end, key),
    }
}

/// Returns the milliseconds for a write: [`expiry_of`] plus a random part of the jitter.
#[inline]
pub(crate) fn draw<K: KeyText>(key: &K) -> Result<Option<u64>, Error> {
    expiry_of(key).map(Expiry::draw)
}

/// Returns the milliseconds of an expiry that is shorter than the declared expiry.
pub(crate) fn shorter<K: KeyText>(key: &K, time: Duration) -> Result<u64, Error> {
    milliseconds(time, expiry_of(key)?).map_err(|error| refused(key, error))
}

/// The longest expiry if the declaration sets no limit. Redis adds the current time to it, in 63 bits.
const LONGEST: Duration = Duration::from_millis(i64::MAX as u64 / 2);

/// Returns whole milliseconds, rounded up, of an expiry that must not exceed the declared expiry.
pub(crate) fn milliseconds(time: Duration, expiry: Expiry) -> Result<u64, ExpiryError> {
    if time.is_zero() {
        return Err(ExpiryError::Past);
    }
    if time > expiry.ttl().unwrap_or(LONGEST) {
        return Err(ExpiryError::TooLong);
    }
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).map_err(|_| ExpiryError::TooLong)
}

// Not inlined: few keys need it.
#[inline(never)]
fn counted_from<K: KeyText>(end: i64, key: &K) -> Result<Expiry, Error> {
    let until_end = end.saturating_mul(1_000).saturating_sub(unix_ms());
    // Whether the key can be written must not depend on the random jitter.
    let Some(expiry) = K::SCHEMA.expiry.extended_by(until_end) else {
        return Err(refused(key, ExpiryError::Elapsed));
    };
    if expiry.ttl().is_some_and(|ttl| ttl > LONGEST_TTL) {
        return Err(refused(key, ExpiryError::OverLimit));
    }
    Ok(expiry)
}

/// Returns the current time in milliseconds since 1970.
fn unix_ms() -> i64 {
    let whole = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    match clock::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => whole(since),
        Err(until) => whole(until.duration()).saturating_neg(),
    }
}

/// Returns the error of a write with an impossible expiry, or the key's error if the key is invalid.
#[cold]
fn refused<K: KeyText>(key: &K, error: ExpiryError) -> Error {
    match text_of(key) {
        Ok(key) => Error::refused(K::SCHEMA, Some(key.as_str().into()), Cause::Expiry(error)),
        Err(error) => error,
    }
}
