//! `SET` of a cached key.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use super::content::Marked;
use crate::{
    Command, RedisKey,
    command::{done, runnable},
    stored::Stored,
    types::string,
};

/// A `SET` of a cached key: what [`CachedKey::set`](super::CachedKey::set) returns.
///
/// Run it with [`query`](Self::query) or `query_async`, or convert it into a [`Command`]. The last call that changes the expiry
/// wins. With `refresh`, a value with less time than what `refresh` leaves of the `ttl` is due for a refresh at once.
///
/// ```
/// use std::time::Duration;
///
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, null_ttl = 5m)]
/// struct Name { user_id: u64 }
///
/// let set = Name { user_id: 42 }.set("Ada").expire_in(Duration::from_secs(60));
/// assert_eq!(testing::text(set)?, ["SET user:name:42:string Ada PX 60000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "a SET does nothing until `query` or `query_async` runs it"]
pub struct Set<V> {
    set: string::Set<Marked<V>>,
}

impl<V: Stored> Set<V> {
    pub(super) fn new<K: RedisKey>(key: &K, value: &V::Input) -> Self {
        Self { set: string::Set::new(key, value, None, done) }
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
