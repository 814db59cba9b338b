//! `Locks`: acquires locks.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{Instant, sleep};

use super::holder::{Holder, Release as _, is_transient};
use super::{Acquisition, Guard, LockKey};
use crate::error::Cause;
use crate::observe::lock::Counter;
use crate::{Error, ErrorKind, SendStatus, SharedConnection};

/// The shortest and the longest pause between two attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(64));

/// Acquires locks, and renews them as long as they are held.
///
/// It is cheap to clone. Your program needs one `Locks` for each server; it serves all types of keys.
///
/// ```no_run
/// use std::time::Duration;
///
/// use redis_keys::{lock::Locks, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(lock:order:{order_id}:string, lock, ttl = 30s)]
/// struct OrderLock { order_id: u64 }
///
/// # async fn ship(order_id: u64, fence: u64) {}
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let locks = Locks::new(redis_keys::connect("redis://127.0.0.1/")?);
///
/// let guard = locks.acquire(&OrderLock { order_id: 42 }).with_time_limit(Duration::from_secs(5)).await?;
/// ship(42, guard.fence()).await;
/// guard.release().await?;
/// # Ok(()) }
/// ```
///
/// It clones its connection for each lock. Pass the connection of [`connect`](crate::connect) or
/// [`cluster::connect`](crate::guide::clusters): they reconnect, whereas a `MultiplexedConnection` of redis-rs does
/// not.
///
/// It runs on tokio, whose timers must be enabled.
#[derive(Clone)]
pub struct Locks<C> {
    con: C,
}

impl<C: SharedConnection> Locks<C> {
    /// Creates a `Locks` on a connection.
    pub fn new(con: C) -> Self {
        Self { con }
    }

    /// Acquires a lock. [`with_time_limit`](Acquire::with_time_limit) sets how long to wait for other holders.
    ///
    /// A waiting caller asks repeatedly, after pauses of 1 to 64 milliseconds, also after the connection was lost in
    /// between. If you drop the future, a task releases the lock, which the call may have acquired.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::TimedOut`] if others held the lock all the time.
    /// - The last error if the server did not answer when that time ended, at most one second later.
    /// - Immediately if the key is invalid, or the server replies with a permanent error.
    pub fn acquire<K: LockKey>(&self, key: &K) -> Acquire<C> {
        let time_limit = K::SCHEMA.expiry.ttl().unwrap_or_default();
        Acquire { holder: Holder::new(self.con.clone(), key), time_limit }
    }
}

impl<C> fmt::Debug for Locks<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Locks").finish_non_exhaustive()
    }
}

/// The acquisition of a lock, as returned by [`Locks::acquire`]; await it.
///
/// It implements `IntoFuture`; for `tokio::spawn`, call `.into_future()`.
#[must_use = "the lock is acquired when this is awaited, and held by the guard: write `let _guard = ….await?`"]
pub struct Acquire<C> {
    holder: Result<Holder<C>, Error>,
    time_limit: Duration,
}

impl<C: SharedConnection> Acquire<C> {
    /// Sets how long to wait for other holders. The default is the lock's `ttl`.
    ///
    /// With zero, the lock is requested only once.
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    async fn run(self) -> Result<Guard, Error> {
        let (holder, runtime) = (Arc::new(self.holder?), Handle::current());
        let reporter = holder.reporter.clone();
        let attempts = Attempts { holder, runtime, is_held: false };
        let started = Instant::now();
        let result = reporter.acquire(attempts.run(self.time_limit)).await;
        match &result {
            Ok(_) => reporter.acquired(started.elapsed()),
            Err(error) if error.kind() == ErrorKind::TimedOut => reporter.report(Counter::TimedOut),
            Err(_) => {}
        }
        result
    }
}

impl<C: SharedConnection> IntoFuture for Acquire<C> {
    type Output = Result<Guard, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<C> fmt::Debug for Acquire<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Acquire").field("time_limit", &self.time_limit).finish_non_exhaustive()
    }
}

/// The attempts to acquire a lock, all with the same token.
struct Attempts<C: SharedConnection> {
    holder: Arc<Holder<C>>,
    runtime: Handle,
    is_held: bool,
}

impl<C: SharedConnection> Attempts<C> {
    async fn run(mut self, within: Duration) -> Result<Guard, Error> {
        let end = Instant::now().checked_add(within);
        let mut pause = PAUSES.0;
        loop {
            let sent = Instant::now();
            let (error, busy) = match self.holder.acquire().await {
                Ok(Acquisition::Held { fence }) => {
                    self.is_held = true;
                    return Ok(Guard::new(Arc::clone(&self.holder), fence, sent, self.runtime.clone()));
                }
                Ok(Acquisition::Busy(left)) => (None, left.left()),
                Err(error) if is_transient(&error) => (Some(error), None),
                Err(error) => return Err(error),
            };
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(error.unwrap_or_else(|| self.holder.error(SendStatus::Yes, Cause::TimedOut { within })));
            }
            // Waiting callers must not all ask at the same time.
            let jittered = pause.mul_f64(0.5 + fastrand::f64() / 2.0);
            sleep(jittered.min(busy.unwrap_or(pause)).min(left)).await;
            pause = (2 * pause).min(PAUSES.1);
        }
    }
}

impl<C: SharedConnection> Drop for Attempts<C> {
    fn drop(&mut self) {
        if !self.is_held && self.holder.is_unanswered() {
            let expires = Instant::now() + self.holder.ttl();
            Arc::clone(&self.holder).release_in_background(&self.runtime, expires);
        }
    }
}
