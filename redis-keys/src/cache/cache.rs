//! `Cache`: reads cached keys, and loads the values they lack.

use std::borrow::Borrow;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{fmt, panic};

use redis::Value;

use super::flight::{Flights, Miss};
use super::hit_rates::HitRates;
use super::key::{
    self, keeps_stale, lease, options, read_each_timed, refresh_threshold, refresh_threshold_of_absence, timed_content,
    timed_get,
};
use super::near::{NearCopies, let_others_run};
use super::{CachedKey, Input, LoadError, LoaderOutput, LoaderResult, Output, Stats};
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::own_writes::ForgetOnDrop;
use crate::command::value::Place;
use crate::command::{ReplyError, Step, TimeLeft};
use crate::observe::cache::{self as observe, Counter, Counters};
use crate::run::breaker::{Attempt, Breaker};
use crate::run::time_limit::TimeLimit;
use crate::stored::cached::Content;
use crate::stored::{Stored as _, memory};
use crate::types::any::unlink_other_name;
use crate::{Command, Error, ErrorKind, SharedConnection, clock};

/// The time limit of each step that waits for the server.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// The memory limit of the near copies, in bytes.
const NEAR_BYTES: usize = 64 << 20;

/// Out of this many hits, one also checks the remaining TTL.
const REFRESH_EVERY: u64 = 8;

/// Reads cached keys, and loads missing values once for all callers, in this process and in others.
///
/// It is cheap to clone, and the clones share their state. Your program needs one `Cache` for each server; it serves
/// all types of keys.
///
/// ```no_run
/// use redis_keys::{cache::Cache, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
/// struct Name { user_id: u64 }
///
/// # struct Database;
/// # impl Database { async fn name(&self, user_id: u64) -> Result<Option<String>, std::io::Error> { Ok(None) } }
/// # async fn example(db: Database) -> Result<(), Box<dyn std::error::Error>> {
/// let cache = Cache::new(redis_keys::connect("redis://127.0.0.1/")?);
///
/// let name: Option<String> = cache.get_or_load(&Name { user_id: 42 }, || db.name(42)).await?;
///
/// // After each change in the database:
/// cache.invalidate(&Name { user_id: 42 }).await?;
/// # Ok(()) }
/// ```
///
/// The cache clones its connection for each call. Pass the connection of [`connect`](crate::connect) or
/// [`cluster::connect`](crate::guide::clusters): they reconnect, whereas a `MultiplexedConnection` of redis-rs does
/// not.
///
/// It runs on tokio, whose timers must be enabled.
#[derive(Clone)]
pub struct Cache<C> {
    pub(super) con: C,
    pub(super) time_limit: TimeLimit,
    pub(super) near_bytes: usize,
    pub(super) shared: Arc<SharedState>,
}

/// The state that the clones of a cache share.
#[derive(Default)]
pub(super) struct SharedState {
    pub(super) flights: Arc<Flights>,
    pub(super) breaker: Breaker,
    pub(super) counters: Counters,
    pub(super) hit_rates: HitRates,
    /// Created by the first read of a key with `near`.
    pub(super) near: OnceLock<Arc<NearCopies>>,
}

/// The outcome of reading a key.
pub(super) enum Lookup<T> {
    /// The result: the value, or `None` if the key holds the marker of absence.
    Done(Option<T>),
    /// The same, due for a refresh.
    ExpiresSoon(Option<T>),
    /// The key has no value for this call.
    Miss(Miss),
}

impl<T> Lookup<T> {
    pub(super) fn map<U>(self, map: impl FnOnce(T) -> U) -> Lookup<U> {
        match self {
            Self::Done(value) => Lookup::Done(value.map(map)),
            Self::ExpiresSoon(value) => Lookup::ExpiresSoon(value.map(map)),
            Self::Miss(seen) => Lookup::Miss(seen),
        }
    }
}

/// The reason why a step of a load, a single command, has no result.
pub(super) enum StepError {
    /// The key is invalid, or too old to be written, and nothing was sent.
    Refused(Error),
    /// The stored bytes do not decode.
    Undecodable,
    /// The step got no reply, or was not sent because earlier steps got none.
    Unanswered,
    /// The server replied with an error, or with a reply that the command does not expect.
    Failed,
    /// A cluster node replied that the key is moving to another node.
    Moving,
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Creates a cache on a connection.
    pub fn new(con: C) -> Self {
        Self { con, time_limit: TimeLimit::new(TIME_LIMIT), near_bytes: NEAR_BYTES, shared: Arc::default() }
    }

    /// Sets how long each step of a load waits for the server. The default is 100 milliseconds.
    ///
    /// If a step takes longer, the value is loaded without the server.
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit: TimeLimit::new(time_limit), ..self }
    }

    /// Sets roughly how much memory near copies may take, in bytes. The default is 64 MB.
    ///
    /// The limit covers the cache and all its clones. Set it before the first read and before you clone the cache. With
    /// zero, no copies are kept.
    #[must_use]
    pub fn with_near_bytes(self, near_bytes: usize) -> Self {
        Self { near_bytes, ..self }
    }

    /// Returns the value of a key, or loads and stores it.
    ///
    /// The loader returns `Ok(None)` if there is no value, which the key remembers for `null_ttl`. The loader may
    /// borrow. It runs in the caller's task: if that task is cancelled, another caller loads.
    ///
    /// # Errors
    ///
    /// If the loader fails, for all calls that wait for it, or if the key is invalid. A slow, full, read-only or
    /// unavailable server is not an error.
    pub async fn get_or_load<K, L, F, R, E>(&self, key: &K, load: L) -> Result<Option<Output<K>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnOnce() -> F,
        F: Future<Output: LoaderResult<Output = R, Error = E>>,
        R: LoaderOutput<Output<K>>,
        E: Send + Sync + 'static,
    {
        let read = if K::NEAR.is_some() {
            let_others_run().await;
            if let Some(copy) = self.copy(key) {
                return Ok(copy);
            }
            Box::pin(self.read_tracked_value(key)).await
        } else {
            let refreshes = Self::checks_refresh::<K>();
            if !refreshes && self.claims_first(key) {
                Ok(Lookup::Miss(Miss::Unread))
            } else {
                self.read(key, refreshes).await
            }
        };
        match read.map_err(LoadError::Refused)? {
            Lookup::Done(value) => Ok(value),
            Lookup::ExpiresSoon(value) => match self.claim_refresh(key).await {
                // The caller who refreshes has the new value. If that fails, fall back to the old value.
                Some(lease) => Ok(Box::pin(self.refresh(key, lease, load)).await.unwrap_or(value)),
                None => Ok(value),
            },
            Lookup::Miss(seen) => Box::pin(self.load(key, seen, load)).await,
        }
    }

    /// Returns the value of a key, and loads a missing value in a separate task.
    ///
    /// It is [`get_or_load`](Self::get_or_load) with two differences: the load continues if the caller is cancelled,
    /// and no caller waits for a refresh.
    ///
    /// # Errors
    ///
    /// The same as [`get_or_load`](Self::get_or_load), and [`LoadError::Stopped`] if the runtime shuts down during the load.
    pub async fn get_or_load_detached<K, L, F, R, E>(&self, key: K, load: L) -> Result<Option<Output<K>>, LoadError<E>>
    where
        K: CachedKey + Send + Sync + 'static,
        Output<K>: Borrow<Input<K>> + Send,
        L: FnOnce() -> F + Send + 'static,
        F: Future<Output: LoaderResult<Output = R, Error = E>> + Send,
        R: LoaderOutput<Output<K>> + Send,
        E: Send + Sync + 'static,
    {
        let read = if K::NEAR.is_some() {
            let_others_run().await;
            if let Some(copy) = self.copy(&key) {
                return Ok(copy);
            }
            Box::pin(self.read_tracked_value(&key)).await
        } else {
            let refreshes = Self::checks_refresh::<K>();
            if !refreshes && self.claims_first(&key) {
                Ok(Lookup::Miss(Miss::Unread))
            } else {
                self.read(&key, refreshes).await
            }
        };
        let seen = match read.map_err(LoadError::Refused)? {
            Lookup::Done(value) => return Ok(value),
            Lookup::ExpiresSoon(value) => {
                let cache = self.clone();
                tokio::spawn(observe::in_current_span(async move {
                    if let Some(lease) = cache.claim_refresh(&key).await {
                        _ = cache.refresh(&key, lease, load).await;
                    }
                }));
                return Ok(value);
            }
            Lookup::Miss(seen) => seen,
        };
        let cache = self.clone();
        let load = async move { cache.load(&key, seen, load).await };
        match tokio::spawn(observe::in_current_span(load)).await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => panic::resume_unwind(panic),
                // The caller may outlive the runtime: it can run outside the runtime's tasks.
                Err(_) => Err(LoadError::Stopped),
            },
        }
    }

    /// Removes the value of a key, and returns whether the key existed (`UNLINK`).
    ///
    /// Call it after each change to the cached data. Once it has returned, no call on a primary gets a value that was
    /// loaded before. The command is always sent, even while the server does not answer, and waits as long as the
    /// connection does. A key with a legacy text is removed under both names.
    ///
    /// # Errors
    ///
    /// If the key could not be removed. Other callers may then see the old value until it expires.
    pub async fn invalidate<K: CachedKey>(&self, key: &K) -> Result<bool, Error> {
        let text = key.key()?;
        // Also runs if the caller is cancelled, or there is no reply.
        let _forget = K::NEAR.is_some().then(|| ForgetOnDrop(K::SCHEMA, text.as_str()));
        let result = key.unlink().query_async(&mut self.con.clone()).await;
        self.shared.flights.close(&text);
        let Some(other) = unlink_other_name(key) else { return result };
        let other = other.query_async(&mut self.con.clone()).await;
        Ok(result? | other?)
    }

    #[doc(hidden)]
    pub fn get<K, R>(&self, _key: &K) -> R
    where
        K: ReadByGetOrLoad,
    {
        unreachable!("no key has this bound")
    }

    #[doc(hidden)]
    pub fn set<K, V, R>(&self, _key: &K, _value: V) -> R
    where
        K: WrittenByGetOrLoad,
    {
        unreachable!("no key has this bound")
    }

    #[doc(hidden)]
    pub fn remove<K, R>(&self, _key: &K) -> R
    where
        K: RemovedByInvalidate,
    {
        unreachable!("no key has this bound")
    }

    /// Returns the cache's counters so far.
    pub fn stats(&self) -> Stats {
        let near = self.shared.near.get().map(|copies| copies.stats()).unwrap_or_default();
        self.shared.counters.stats(self.shared.breaker.is_open(), near)
    }

    /// Whether a hit checks if a refresh is due.
    #[inline]
    pub(super) fn checks_refresh<K: CachedKey>() -> bool {
        options::<K>().refresh_percent.is_some() && clock::up_to(REFRESH_EVERY - 1) == 0
    }

    /// Whether the key is likely to be missing, so that claiming it before reading it saves a round trip.
    #[inline]
    pub(super) fn claims_first<K: CachedKey>(&self, key: &K) -> bool {
        self.shared.hit_rates.is_low(K::SCHEMA) && self.may_claim_first(key)
    }

    /// Whether a claim can replace the read. It cannot if the breaker is open (nothing is sent), if the key can no
    /// longer be written (it can still be read), or if no keys are installed for an encrypted value (only a read
    /// reports that).
    fn may_claim_first<K: CachedKey>(&self, key: &K) -> bool {
        !self.shared.breaker.is_open() && lease(key).is_ok() && !K::Value::IS_SECRET
    }

    /// Reads a key, and whether its refresh is due.
    ///
    /// Without a reply there is no value. The only error is an invalid key.
    #[inline]
    pub(super) async fn read<K: CachedKey>(&self, key: &K, refreshes: bool) -> Result<Lookup<Output<K>>, Error> {
        let read = if refreshes || keeps_stale::<K>() {
            Box::pin(self.read_with_time_left(key, refreshes)).await?
        } else {
            match self.step::<K, _>(content(key)).await {
                // Another program declares `stale`.
                Ok(Some(Content::Stale { .. })) => Box::pin(self.read_with_time_left(key, refreshes)).await?,
                Ok(Some(content)) => self.hit::<K, _>(content),
                Ok(None) => Lookup::Miss(Miss::Missing),
                Err(unusable) => self.unread(unusable)?,
            }
        };
        match read {
            Lookup::Done(_) | Lookup::ExpiresSoon(_) => self.shared.hit_rates.note(K::SCHEMA, true),
            Lookup::Miss(Miss::Missing | Miss::Leased(_)) => self.shared.hit_rates.note(K::SCHEMA, false),
            // The key's state is unknown.
            Lookup::Miss(_) => {}
        }
        Ok(read)
    }

    async fn read_with_time_left<K: CachedKey>(&self, key: &K, refreshes: bool) -> Result<Lookup<Output<K>>, Error> {
        let (content, left) = match self.step::<K, _>(content_and_time_left(key)).await {
            Ok(TimedContent { content: Some(content), left, .. }) => (content, left),
            Ok(TimedContent { content: None, .. }) => return Ok(Lookup::Miss(Miss::Missing)),
            Err(unusable) => return self.unread(unusable),
        };
        let threshold = match content {
            Content::Absent => refresh_threshold_of_absence::<K>(),
            _ => refresh_threshold::<K>(),
        };
        Ok(match (self.hit::<K, _>(content), left) {
            (Lookup::Done(value), TimeLeft::Left(left)) if refreshes && left < threshold => Lookup::ExpiresSoon(value),
            (read, _) => read,
        })
    }

    #[inline]
    pub(super) fn hit<K: CachedKey, T>(&self, content: Content<T>) -> Lookup<T> {
        match content {
            Content::Value(value) => {
                self.count::<K>(Counter::Hit);
                Lookup::Done(Some(value))
            }
            Content::Stale(stale) => {
                self.count::<K>(Counter::Stale);
                Lookup::Done(Some(stale.value))
            }
            Content::Absent => {
                self.count::<K>(Counter::AbsentHit);
                Lookup::Done(None)
            }
            Content::Loading(token) => Lookup::Miss(Miss::Leased(token)),
            Content::Abandoned => Lookup::Miss(Miss::Missing),
        }
    }

    /// Returns the outcome of a read that got no content.
    #[cold]
    pub(super) fn unread<T>(&self, unusable: StepError) -> Result<Lookup<T>, Error> {
        match unusable {
            StepError::Refused(error) => Err(error),
            StepError::Undecodable => Ok(Lookup::Miss(Miss::Undecodable)),
            // Others can still invalidate the key, so this call must not join another call's load.
            StepError::Moving => Ok(Lookup::Miss(Miss::Missing)),
            StepError::Unanswered if !self.shared.breaker.is_open() => Ok(Lookup::Miss(Miss::Unanswered)),
            StepError::Unanswered | StepError::Failed => Ok(Lookup::Miss(Miss::NoServer)),
        }
    }

    #[inline]
    pub(super) fn count<K: CachedKey>(&self, counter: Counter) {
        self.shared.counters.report(counter, K::SCHEMA);
    }

    pub(super) fn count_many<K: CachedKey>(&self, counter: Counter, number: usize) {
        self.shared.counters.count(counter, number as u64, K::SCHEMA);
    }

    /// Runs a command, unless the breaker is open.
    #[inline]
    pub(super) async fn step<K: CachedKey, T>(&self, command: Command<T>) -> Result<T, StepError> {
        let Some(attempt) = self.shared.breaker.begin() else { return Err(StepError::Unanswered) };
        let mut con = self.con.clone();
        let result = self.time_limit.run(pin!(command.query_async(&mut con))).await;
        self.answer::<K, T>(attempt, result)
    }

    /// Records how a step ended; `None` if it timed out.
    #[inline]
    pub(super) fn answer<K: CachedKey, T>(
        &self,
        attempt: Attempt,
        result: Option<Result<T, Error>>,
    ) -> Result<T, StepError> {
        match result {
            Some(Ok(result)) => {
                self.answered();
                Ok(result)
            }
            other => Err(self.unusable::<K>(attempt, other.and_then(Result::err))),
        }
    }

    #[cold]
    pub(super) fn unusable<K: CachedKey>(&self, attempt: Attempt, error: Option<Error>) -> StepError {
        let unusable = match error {
            None => StepError::Unanswered,
            Some(error) if error.is_refused_key() || error.lacks_keys() => return StepError::Refused(error),
            Some(error) => match error.kind() {
                ErrorKind::Connection => StepError::Unanswered,
                ErrorKind::Decode => StepError::Undecodable,
                kind => {
                    observe::server_error(kind, K::SCHEMA);
                    if error.is_of_moving_key() { StepError::Moving } else { StepError::Failed }
                }
            },
        };
        match &unusable {
            StepError::Unanswered => {
                if self.shared.breaker.failed(attempt) {
                    observe::breaker_opened();
                }
                self.count::<K>(Counter::Unanswered);
            }
            StepError::Undecodable => {
                self.answered();
                self.count::<K>(Counter::Undecodable);
            }
            StepError::Failed | StepError::Moving => {
                self.answered();
                self.count::<K>(Counter::ServerError);
            }
            StepError::Refused(_) => {}
        }
        unusable
    }

    #[inline]
    pub(super) fn answered(&self) {
        if self.shared.breaker.answered() {
            observe::breaker_closed();
        }
    }

    /// Runs a command whose result is not needed, in a separate task. Without a runtime the command is not run.
    pub(super) fn run_in_background(&self, command: Command<bool>) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (limit, mut con) = (self.time_limit.clone(), self.con.clone());
            runtime.spawn(async move { limit.run(pin!(command.query_async(&mut con))).await });
        }
    }
}

impl<C> fmt::Debug for Cache<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = self.shared.near.get().map(|copies| copies.stats()).unwrap_or_default();
        let stats = self.shared.counters.stats(self.shared.breaker.is_open(), near);
        f.debug_struct("Cache")
            .field("time_limit", &self.time_limit.duration())
            .field("stats", &stats)
            .finish_non_exhaustive()
    }
}

/// The content of a key, or `None` if it does not exist (`GET`).
#[inline]
fn content<K: CachedKey>(key: &K) -> Command<Option<Content<Output<K>>>> {
    key.native("GET", ())
        .reply(|replies, sent| key::content::<K::Value>(replies.one(), Place::new(sent)).map(Step::Done))
        .named_read(accessor!("get"))
}

/// The content of a key, or none, and its remaining time.
pub(super) struct TimedContent<T> {
    pub(super) content: Option<Content<T>>,
    pub(super) left: TimeLeft,
    /// The size of the content without compression, in bytes.
    pub(super) bytes: usize,
}

/// Reads the content of a key, the time until it expires, and its size.
pub(super) fn content_and_time_left<K: CachedKey>(key: &K) -> Command<TimedContent<Output<K>>> {
    timed_get(key, |replies, sent| {
        let read = read_each_timed(replies, sent, |reply, left, place| {
            let bytes = if let Value::BulkString(bytes) = &reply { bytes.len() } else { 0 };
            let read = || timed_content::<K::Value>(reply, left, place);
            let (content, decompressed) = if K::NEAR.is_some() { memory::measure(read) } else { (read(), 0) };
            content.map(|(content, left)| TimedContent { content, left, bytes: bytes.max(decompressed) })
        })?;
        read.into_iter().next().map(Step::Done).ok_or_else(ReplyError::unexpected)
    })
    .named_read(accessor!("get"))
}

/// The answer to `cache.get(&key)`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a cache also loads: `cache.get_or_load(&key, async || …).await` returns the value of `{Self}`",
    label = "write `get_or_load`",
    note = "to read without loading, write `key.get().run(&con).await`"
)]
pub trait ReadByGetOrLoad {}

/// The answer to `cache.set(&key, value)`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a cache stores what it loads: `cache.get_or_load(&key, async || …).await` fills `{Self}`",
    label = "write `get_or_load`",
    note = "after a change in the database, write `cache.invalidate(&key).await`"
)]
pub trait WrittenByGetOrLoad {}

/// The answer to `cache.remove(&key)`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`remove` is `invalidate` here: `cache.invalidate(&key).await` removes `{Self}`",
    label = "write `invalidate`"
)]
pub trait RemovedByInvalidate {}
