//! `Cache`: reads cached keys, and loads what they do not hold.

use std::{borrow::Borrow, fmt, future::Future, panic, sync::Arc, time::Duration};

use super::{
    CachedKey, Input, LoadError, LoaderOutput, Output, Stats, Token,
    content::Content,
    flight::{Flights, Seen},
    key::{options, refresh_threshold, refresh_threshold_of_absence},
    report,
    stats::{Counters, Event},
    step::{self, Unusable},
};
use crate::{Error, SharedConnection, TimeLeft, run::breaker::Breaker, schema::entropy};

/// How long each step waits for the server.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// One hit in so many asks whether the value expires soon.
const REFRESH_EVERY: u64 = 8;

/// Reads cached keys, and loads what they do not hold: once for all who ask, in this process and in others.
///
/// It is cheap to clone, and its clones share what they know. A program needs one for each server, for all types of keys.
///
/// ```no_run
/// use redis_keys::{cache::Cache, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, null_ttl = 5m)]
/// struct Name { user_id: u64 }
///
/// # struct Database;
/// # impl Database { async fn name(&self, user_id: u64) -> Result<Option<String>, std::io::Error> { Ok(None) } }
/// # async fn example(client: redis::Client, db: Database) -> Result<(), Box<dyn std::error::Error>> {
/// let cache = Cache::new(client.get_connection_manager().await?);
///
/// let name: Option<String> = cache.get_or_load(&Name { user_id: 42 }, || db.name(42)).await?;
///
/// // After each change in the database:
/// cache.invalidate(&Name { user_id: 42 }).await?;
/// # Ok(()) }
/// ```
///
/// The connection is cloned for each call: a `ConnectionManager`, a `MultiplexedConnection` or a connection to a cluster. Prefer a
/// `ConnectionManager`, which reconnects automatically; a `MultiplexedConnection` does not.
///
/// It runs on tokio, whose timers must be enabled.
#[derive(Clone)]
pub struct Cache<C> {
    pub(super) con: C,
    pub(super) time_limit: Duration,
    pub(super) shared: Arc<Shared>,
}

/// What the clones of a cache share.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) flights: Flights,
    pub(super) breaker: Breaker,
    pub(super) counters: Counters,
}

/// What a read of a key leads to.
pub(super) enum Read<T> {
    /// The result: a value, or none.
    Done(Option<T>),
    /// The result, which expires soon.
    ExpiresSoon(Option<T>),
    /// There is none.
    Miss(Seen),
    /// The bytes do not decode.
    Undecodable,
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Creates a cache on a connection.
    pub fn new(con: C) -> Self {
        Self { con, time_limit: TIME_LIMIT, shared: Arc::default() }
    }

    /// Sets how long each step of a load waits for the server; 100 milliseconds if it is not set.
    ///
    /// After that time the value is loaded without the server.
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Returns the value of a key, or loads and stores it.
    ///
    /// The loader returns `Ok(None)` if there is no value, which is remembered for `null_ttl`. It may borrow. It runs in the
    /// caller's task: if that is cancelled, another caller loads.
    ///
    /// # Errors
    ///
    /// If the loader fails, for all calls that wait for it, or if the key is invalid. A server that is slow, full, read-only or
    /// unavailable is no error.
    pub async fn get_or_load<K, L, F, R, E>(&self, key: &K, load: L) -> Result<Option<Output<K>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnOnce() -> F,
        F: Future<Output = Result<R, E>>,
        R: LoaderOutput<Output<K>>,
        E: Send + Sync + 'static,
    {
        match self.read(key).await.map_err(LoadError::Refused)? {
            Read::Done(value) => Ok(value),
            Read::ExpiresSoon(value) => match self.claim_refresh(key).await {
                // The caller who refreshes has the new value. If that fails, the old one will do.
                Some(token) => Ok(Box::pin(self.refresh(key, &token, load)).await.unwrap_or(value)),
                None => Ok(value),
            },
            Read::Miss(seen) => Box::pin(report::miss(K::SCHEMA, self.load(key, Some(seen), load))).await,
            Read::Undecodable => Box::pin(report::miss(K::SCHEMA, self.load(key, None, load))).await,
        }
    }

    /// As [`get_or_load`](Self::get_or_load), but the loader runs in a task of its own: it goes on if the caller is cancelled, and
    /// no caller waits for a refresh.
    ///
    /// # Errors
    ///
    /// As [`get_or_load`](Self::get_or_load).
    pub async fn get_or_load_detached<K, L, F, R, E>(&self, key: K, load: L) -> Result<Option<Output<K>>, LoadError<E>>
    where
        K: CachedKey + Send + Sync + 'static,
        Output<K>: Borrow<Input<K>> + Send,
        L: FnOnce() -> F + Send + 'static,
        F: Future<Output = Result<R, E>> + Send,
        R: LoaderOutput<Output<K>> + Send,
        E: Send + Sync + 'static,
    {
        let seen = match self.read(&key).await.map_err(LoadError::Refused)? {
            Read::Done(value) => return Ok(value),
            Read::ExpiresSoon(value) => {
                let cache = self.clone();
                tokio::spawn(report::in_current_span(async move {
                    if let Some(token) = cache.claim_refresh(&key).await {
                        _ = cache.refresh(&key, &token, load).await;
                    }
                }));
                return Ok(value);
            }
            Read::Miss(seen) => Some(seen),
            Read::Undecodable => None,
        };
        let cache = self.clone();
        let load = async move { report::miss(K::SCHEMA, cache.load(&key, seen, load)).await };
        match tokio::spawn(report::in_current_span(load)).await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => panic::resume_unwind(panic),
                // The runtime shuts down, and this task with it.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Removes the value of a key, and returns whether the key existed (`UNLINK`): call it after each change of what is cached.
    ///
    /// Once it has returned, no call on a primary gets what was loaded before. It is always sent, even while the server does not
    /// answer; it waits as long as the connection does.
    ///
    /// # Errors
    ///
    /// If the key could not be removed: others may see the old value until it expires.
    pub async fn invalidate<K: CachedKey>(&self, key: &K) -> Result<bool, Error> {
        let text = key.key()?;
        let result = key.unlink().query_async(&mut self.con.clone()).await;
        self.shared.flights.close(&text);
        result
    }

    /// Returns what the cache has done so far.
    pub fn stats(&self) -> Stats {
        self.shared.counters.stats(self.shared.breaker.is_open())
    }

    /// Reads a key. Without an answer there is no value. The error is that of an invalid key.
    #[inline]
    pub(super) async fn read<K: CachedKey>(&self, key: &K) -> Result<Read<Output<K>>, Error> {
        let refreshes = options::<K>().refresh_percent.is_some() && entropy::up_to(REFRESH_EVERY - 1) == 0;
        if refreshes {
            return Box::pin(self.read_with_time_left(key)).await;
        }
        Ok(match self.step::<K, _>(step::content(key)).await {
            Ok(Some(content)) => self.hit::<K>(content),
            Ok(None) => Read::Miss(Seen::Missing),
            Err(unusable) => self.unread(unusable)?,
        })
    }

    async fn read_with_time_left<K: CachedKey>(&self, key: &K) -> Result<Read<Output<K>>, Error> {
        let (content, left) = match self.step::<K, _>(step::content_and_time_left(key)).await {
            Ok((Some(content), left)) => (content, left),
            Ok((None, _)) => return Ok(Read::Miss(Seen::Missing)),
            Err(unusable) => return self.unread(unusable),
        };
        let threshold = match content {
            Content::Absent => refresh_threshold_of_absence::<K>(),
            Content::Value(_) | Content::Loading(_) => refresh_threshold::<K>(),
        };
        Ok(match (self.hit::<K>(content), left) {
            (Read::Done(value), TimeLeft::Left(left)) if left < threshold => Read::ExpiresSoon(value),
            (read, _) => read,
        })
    }

    #[inline]
    fn hit<K: CachedKey>(&self, content: Content<Output<K>>) -> Read<Output<K>> {
        match content {
            Content::Value(value) => {
                self.count::<K>(Event::Hit);
                Read::Done(Some(value))
            }
            Content::Absent => {
                self.count::<K>(Event::AbsentHit);
                Read::Done(None)
            }
            Content::Loading(token) => Read::Miss(Seen::Leased(token)),
        }
    }

    /// What a read without a content leads to.
    #[cold]
    fn unread<T>(&self, unusable: Unusable) -> Result<Read<T>, Error> {
        match unusable {
            Unusable::Refused(error) => Err(error),
            Unusable::Undecodable => Ok(Read::Undecodable),
            // Others can still invalidate it, so the load of another call will not do.
            Unusable::Moving => Ok(Read::Miss(Seen::Missing)),
            Unusable::Unanswered if !self.shared.breaker.is_open() => Ok(Read::Miss(Seen::Unanswered)),
            Unusable::Unanswered | Unusable::Failed => Ok(Read::Miss(Seen::Nothing)),
        }
    }

    /// Claims the refresh of a key, if it is still due.
    async fn claim_refresh<K: CachedKey>(&self, key: &K) -> Option<Token> {
        let token = Token::random();
        let is_mine = self.step::<K, _>(key.claim_refresh(&token)).await;
        is_mine.is_ok_and(|is_mine| is_mine).then_some(token)
    }

    #[inline]
    pub(super) fn count<K: CachedKey>(&self, event: Event) {
        self.shared.counters.count(event, 1, K::SCHEMA);
    }

    pub(super) fn count_many<K: CachedKey>(&self, event: Event, number: usize) {
        self.shared.counters.count(event, number as u64, K::SCHEMA);
    }
}

impl<C> fmt::Debug for Cache<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.shared.counters.stats(self.shared.breaker.is_open());
        f.debug_struct("Cache").field("time_limit", &self.time_limit).field("stats", &stats).finish_non_exhaustive()
    }
}
