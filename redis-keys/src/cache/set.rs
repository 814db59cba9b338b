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
#[must_use = "a SET does nothing until `query` or `query_async` runs it"]
pub struct Set<V> {
    set: string::Set<Marked<V>>,
}

impl<V: Stored> Set<V> {
    pub(super) fn new<K: RedisKey>(key: &K, value: &V::Input) -> Self {
        Self { set: string::Set::new(key, value, None, done) }
    }

    /// As [`string::Set::expire_in`].
    #[doc(alias("setex", "set_ex", "psetex", "pset_ex"))]
    pub fn expire_in(self, time: Duration) -> Self {
        Self { set: self.set.expire_in(time) }
    }

    /// As [`string::Set::expire_at`].
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
