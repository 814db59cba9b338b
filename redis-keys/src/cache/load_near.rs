//! Reads keys with `near`: from the table, or over the tracked connection.

#![allow(clippy::option_option, reason = "a copy can say that there is no value")]

use std::borrow::Borrow;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cache::{Cache, Lookup, StepError, TimedContent, content_and_time_left};
use super::claim::bytes_and_time_left;
use super::flight::Miss;
use super::key::{options, refresh_threshold, refresh_threshold_of_absence};
use super::near::{Link, NearCopies, NearCopy, Waiter, let_others_run, nanos, now};
use super::near_value::{NearValue, SharedValue};
use super::{CachedKey, Input, LoadError, LoaderOutput, LoaderResult, Output};
use crate::command::TimeLeft;
use crate::key::KeyWriter;
use crate::observe::near::Counter;
use crate::run::time_limit::TimeLimit;
use crate::stored::Stored as _;
use crate::stored::cached::Content;
use crate::{Error, ErrorKind, SharedConnection, clock};

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Returns the value of a key without cloning it: all callers share the copy in memory.
    ///
    /// Otherwise it works like [`get_or_load`](Self::get_or_load).
    ///
    /// ```no_run
    /// # use std::sync::Arc;
    /// # use redis_keys::{cache::Cache, prelude::*};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10s))]
    /// # struct Name { user_id: u64 }
    /// # struct Database;
    /// # impl Database { async fn name(&self, user_id: u64) -> Result<Option<String>, std::io::Error> { Ok(None) } }
    /// # async fn example(cache: Cache<redis_keys::Connection>, db: Database) -> Result<(), Box<dyn std::error::Error>> {
    /// let name: Option<Arc<String>> = cache.get_or_load_shared(&Name { user_id: 42 }, || db.name(42)).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// For a key without `near`, the `Arc` is new.
    ///
    /// # Errors
    ///
    /// The same as [`get_or_load`](Self::get_or_load).
    pub async fn get_or_load_shared<K, L, F, R, E>(
        &self,
        key: &K,
        load: L,
    ) -> Result<Option<Arc<Output<K>>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnOnce() -> F,
        F: Future<Output: LoaderResult<Output = R, Error = E>>,
        R: LoaderOutput<Output<K>>,
        E: Send + Sync + 'static,
    {
        if K::NEAR.is_none() {
            return self.get_or_load(key, load).await.map(|value| value.map(Arc::new));
        }
        let_others_run().await;
        if let Some(copy) = self.shared_copy(key) {
            return Ok(copy);
        }
        let read = Box::pin(self.read_tracked(key)).await;
        match read.map_err(LoadError::Refused)? {
            Lookup::Done(value) => Ok(value),
            Lookup::ExpiresSoon(value) => match self.claim_refresh(key).await {
                Some(lease) => {
                    let refreshed = Box::pin(self.refresh(key, lease, load)).await;
                    Ok(refreshed.map_or(value, |value| value.map(Arc::new)))
                }
                None => Ok(value),
            },
            Lookup::Miss(seen) => {
                let load = Box::pin(self.load(key, seen, load));
                load.await.map(|value| value.map(Arc::new))
            }
        }
    }

    /// Clones a copy that may be served.
    #[inline]
    pub(super) fn copy<K: CachedKey>(&self, key: &K) -> Option<Option<Output<K>>> {
        let near = K::NEAR?;
        let clone = |value: &SharedValue| (near.borrow)(value).map(near.clone);
        if near.is_plain {
            return self.find_copy(key, |value| value.map_or(Some(None), |value| clone(value).map(Some)))?;
        }
        // Cloned after the table is unlocked.
        match self.find_copy(key, shared)? {
            Some(value) => clone(&value).map(Some),
            None => Some(None),
        }
    }

    #[inline]
    fn shared_copy<K: CachedKey>(&self, key: &K) -> Option<Option<Arc<Output<K>>>> {
        let near = K::NEAR?;
        match self.find_copy(key, shared)? {
            Some(value) => (near.restore)(value).map(Some),
            None => Some(None),
        }
    }

    #[inline]
    fn find_copy<K: CachedKey, T>(&self, key: &K, take: impl FnOnce(Option<&SharedValue>) -> T) -> Option<T> {
        let copies = self.shared.near.get()?;
        let mut writer = KeyWriter::new();
        writer.write(key);
        copies.table.read(writer.bytes().ok()?, now(), take)
    }

    /// The near copies, unless they are turned off. The derive cannot see through an alias of `Secret`, so such a
    /// decrypted value is excluded here: it must not stay in memory.
    fn near_copies<K: CachedKey>(&self) -> Option<&Arc<NearCopies>> {
        (self.near_bytes > 0 && !K::Value::IS_SECRET)
            .then(|| self.shared.near.get_or_init(|| NearCopies::new(&self.con, self.near_bytes, &self.shared.flights)))
    }

    /// Watches a key if there is a tracked connection to its server.
    pub(super) fn watch<K: CachedKey>(&self, key: &K) -> Option<Watch> {
        let copies = self.shared.near.get()?;
        let text = key.key().ok()?;
        let link = copies.links.link(text.as_bytes(), copies, K::SCHEMA)?;
        Some(Watch { link, waiter: copies.waiters.wait_for(text.as_bytes()), limit: self.time_limit.clone() })
    }

    /// Does the same as [`read_tracked`](Self::read_tracked), but returns an owned value.
    pub(super) async fn read_tracked_value<K: CachedKey>(&self, key: &K) -> Result<Lookup<Output<K>>, Error> {
        let Some(near) = K::NEAR else { return self.read(key, Self::checks_refresh::<K>()).await };
        self.read_tracked(key).await.map(|lookup| lookup.map(|value| unshare(&near, value)))
    }

    /// Reads a key without a copy, and keeps a copy.
    async fn read_tracked<K: CachedKey>(&self, key: &K) -> Result<Lookup<Arc<Output<K>>>, Error> {
        let text = key.key()?;
        let text = text.as_str().as_bytes();
        // While the server does not answer, one call per second tries it, over the ordinary connection.
        let copies = self.near_copies::<K>().filter(|_| !self.shared.breaker.is_open());
        let Some(copies) = copies else { return self.read_untracked(key).await };
        copies.counters.count(Counter::Read, 1, K::SCHEMA);
        let Some(link) = copies.links.link(text, copies, K::SCHEMA) else { return self.read_untracked(key).await };
        let Some(attempt) = self.shared.breaker.begin() else { return self.unread(StepError::Unanswered) };
        // The order matters: a copy that is requested before a flush must belong to the era that the flush ends.
        let ticket = copies.table.begin(text, K::SCHEMA);
        let era = link.eras.current();
        // If callers give up early, a lost connection is noticed only by the missing sign of life.
        era.note_use();
        let sent = now();
        let mut con = link.con.clone();
        let result = self.time_limit.run(pin!(content_and_time_left(key).query_async(&mut con))).await;
        match &result {
            None => link.eras.suspect(now()),
            Some(Err(error)) if error.kind() == ErrorKind::Connection => {
                link.eras.lose();
                return self.read_untracked(key).await;
            }
            // The key has moved, the server is loading its data, or the user may not read the key: read it as without
            // `near`.
            Some(Err(error)) if error.kind() != ErrorKind::Decode => {
                self.answered();
                return self.read_untracked(key).await;
            }
            Some(_) => era.answered(sent),
        }
        let (content, left, bytes) = match self.answer::<K, _>(attempt, result) {
            Ok(TimedContent { content: Some(content), left, bytes }) => (content.map(Arc::new), left, bytes),
            Ok(TimedContent { content: None, .. }) => return Ok(Lookup::Miss(Miss::Missing)),
            Err(unusable) => {
                // If the read was meant to renew a copy, the copy is still valid.
                let copy = self.shared_copy(key).filter(|_| matches!(unusable, StepError::Unanswered));
                return copy.map_or_else(|| self.unread(unusable), |copy| Ok(Lookup::Done(copy)));
            }
        };
        // An expired value gets no copy, because each call may be the one that tries to load again.
        let TimeLeft::Left(left) = left else { return Ok(self.hit::<K, _>(content)) };
        // The server counts whole milliseconds, rounded up.
        let left = left.saturating_sub(Duration::from_millis(1));
        let until_refresh = left.checked_sub(match (options::<K>().refresh_percent, &content) {
            (None, _) => Duration::ZERO,
            (_, Content::Absent) => refresh_threshold_of_absence::<K>(),
            _ => refresh_threshold::<K>(),
        });
        // During a refresh, other callers get the copy, until its lease ends: the caller that refreshes may have gone away.
        let time = until_refresh.unwrap_or(left.min(options::<K>().lease));
        let claims_refresh = until_refresh.is_none() && ticket.is_some();
        if let Some(ticket) = ticket
            && let Content::Value(_) | Content::Absent = &content
        {
            let value = shared_value::<K>(&content);
            let near = options::<K>().near.unwrap_or_default();
            let renew_at = if near < time { renewal(sent, near) } else { u64::MAX };
            let until = sent.saturating_add(nanos(near.min(time)));
            if !ticket.finish(NearCopy { value, era, until, renew_at, bytes }) {
                copies.counters.count(Counter::Overtaken, 1, K::SCHEMA);
            }
        }
        Ok(match self.hit::<K, _>(content) {
            Lookup::Done(value) if claims_refresh => Lookup::ExpiresSoon(value),
            lookup => lookup,
        })
    }

    async fn read_untracked<K: CachedKey>(&self, key: &K) -> Result<Lookup<Arc<Output<K>>>, Error> {
        self.read(key, Self::checks_refresh::<K>()).await.map(|lookup| lookup.map(Arc::new))
    }
}

/// The longest time between two polls over a tracked connection, in case a push is lost.
const LONGEST_WAIT: Duration = Duration::from_millis(500);

/// A key that another program loads, watched over a tracked connection.
pub(super) struct Watch {
    link: Arc<Link>,
    waiter: Waiter,
    limit: TimeLimit,
}

impl Watch {
    /// Reads the bytes of the key, and watches it for the next change; `None` if the connection cannot be used.
    pub(super) async fn read<K: CachedKey>(&self, key: &K) -> Option<(Option<Vec<u8>>, TimeLeft)> {
        self.link.eras.current().note_use();
        let mut con = self.link.con.clone();
        let read = self.limit.run(pin!(bytes_and_time_left(key).query_async(&mut con))).await;
        if read.is_none() {
            self.link.eras.suspect(now());
        }
        read?.ok()
    }

    /// Waits until the key, with this remaining time, changes, or until a deadline.
    pub(super) async fn change(&self, left: TimeLeft, deadline: Instant) {
        // A server may notice late that a lease has ended, unless it is asked.
        let left = left.left().map_or(LONGEST_WAIT, |left| left + Duration::from_millis(1));
        let wait = left.min(LONGEST_WAIT).min(deadline.saturating_duration_since(Instant::now()));
        _ = tokio::time::timeout(wait, self.waiter.changed()).await;
    }
}

/// The time at which one call reads again: when 75 to 85 percent of `near` have passed. The share is random, so that
/// copies that were read together are not renewed together.
fn renewal(sent: u64, near: Duration) -> u64 {
    let percent = clock::up_to(10).saturating_add(75);
    sent.saturating_add((nanos(near) / 100).saturating_mul(percent))
}

fn shared_value<K: CachedKey>(content: &Content<Arc<Output<K>>>) -> Option<SharedValue> {
    let Content::Value(value) = content else { return None };
    K::NEAR.map(|near| (near.share)(Arc::clone(value)))
}

fn shared(value: Option<&SharedValue>) -> Option<SharedValue> {
    value.cloned()
}

/// Takes the value out of an `Arc`, or clones it if a copy remains in the table.
fn unshare<T>(near: &NearValue<T>, value: Arc<T>) -> T {
    Arc::try_unwrap(value).unwrap_or_else(|value| (near.clone)(&value))
}
