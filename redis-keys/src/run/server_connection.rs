//! The connection to one server, which is opened again after its loss.

use std::future::Future as _;
use std::io;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::yield_now;

use super::time_limit::TimeLimit;
use super::timer;
use crate::command::responses::{is_reply, is_unconnected};
use crate::error::{Explanation, connection_error};

/// The shortest time between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// The shortest time between two attempts while the first has no result yet.
const SLOW_PAUSE: Duration = Duration::from_millis(80);

/// The shortest time between two attempts after the server has refused, for example a wrong password.
const LONG_PAUSE: Duration = Duration::from_secs(1);

/// The most attempts that have no result yet.
const MOST_ATTEMPTS: usize = 128;

/// The time without progress after which the task that opens connections is replaced. Its runtime may no longer be
/// running.
const LONGEST_ABSENCE: Duration = Duration::from_secs(3);

/// An open connection without traffic for this long may have been closed without anyone noticing.
const IDLE: Duration = Duration::from_micros(20);

/// The beginning of the explanation of an attempt to connect that has failed.
pub(super) const CANNOT_CONNECT: &str = "cannot connect: ";

/// redis-rs panics over TLS with rustls if no provider is installed, and tokio in a runtime without its drivers.
const PANICKED: &str = "connecting panicked: it needs a runtime of tokio with I/O and timers, and TLS needs a provider \
                        of cryptography, which the program installs first by \
                        `rustls::crypto::CryptoProvider::install_default`";

/// The reason why there is no reply.
pub(super) enum Failure {
    /// The server could not be reached: nothing was sent.
    Unsent(RedisError),
    Lost(RedisError),
}

impl Failure {
    pub(super) fn into_error(self) -> RedisError {
        match self {
            Self::Unsent(error) | Self::Lost(error) => error,
        }
    }
}

pub(super) struct Settings {
    pub(super) config: AsyncConnectionConfig,
    /// The time for which commands wait while the server is away. After that, each command fails with the next attempt
    /// to connect.
    pub(super) patience: Duration,
    /// The number of commands that may wait for a connection at the same time.
    pub(super) max_waiting: usize,
    /// The time after which an open connection without answers is lost.
    pub(super) silence: Duration,
}

/// The connection to a server. The next command after its loss opens another connection.
pub(super) struct ServerConnection {
    client: Client,
    settings: Settings,
    /// The limit of [`Settings::silence`].
    silence: TimeLimit,
    state: Mutex<State>,
    changed: Notify,
    waiting: AtomicUsize,
}

#[derive(Default)]
struct State {
    open: Option<OpenConnection>,
    /// The time at which the connecting task last made progress, if there is such a task.
    opener_seen: Option<Instant>,
    /// The number of attempts to connect so far.
    attempts: u64,
    /// The last attempt that failed.
    failure: Option<FailedAttempt>,
    /// The time of the first failed attempt since the last successful attempt.
    away_since: Option<Instant>,
    /// The time that the last connection took to open.
    opened_in: Option<Duration>,
    /// The number of connections so far.
    #[cfg(feature = "cache")]
    connections: u64,
}

struct FailedAttempt {
    number: u64,
    error: RedisError,
    /// If the server itself has refused: no attempt is made before this time.
    refused_until: Option<Instant>,
}

#[derive(Clone)]
struct OpenConnection {
    con: MultiplexedConnection,
    traffic: Arc<Traffic>,
}

struct Traffic {
    created: Instant,
    in_flight: AtomicUsize,
    replies: AtomicU64,
    /// The time since which nothing is in flight, in microseconds since `created`.
    idle_since: AtomicU64,
    /// The time until which a task checks whether the server answers, in microseconds since `created`.
    questioned_until: AtomicU64,
}

/// An open connection while a command uses it.
pub(super) struct Lease<'s> {
    server: &'s Arc<ServerConnection>,
    open: OpenConnection,
    replies_before: u64,
    /// Whether there was a reply or an error.
    is_finished: bool,
}

impl ServerConnection {
    pub(super) fn new(client: Client, settings: Settings) -> Self {
        Self {
            client,
            silence: TimeLimit::new(settings.silence),
            settings,
            state: Mutex::default(),
            changed: Notify::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn config(&self) -> &AsyncConnectionConfig {
        &self.settings.config
    }

    /// The number of connections so far.
    #[cfg(feature = "cache")]
    pub(super) fn connections(&self) -> u64 {
        self.state().connections
    }

    /// Returns the open connection, or waits for a new one.
    pub(super) async fn lease(self: &Arc<Self>) -> RedisResult<Lease<'_>> {
        if let Some(open) = self.open_now() {
            if !open.traffic.was_idle() {
                return Ok(Lease::new(self, open));
            }
            // A runtime that was busy with other things notices only now that a connection was closed: first it looks
            // for events, then it runs the connection's task.
            yield_now().await;
            yield_now().await;
            if !open.is_closed() {
                return Ok(Lease::new(self, open));
            }
            self.lose(&open);
        }
        Box::pin(self.wait_until_open()).await.map(|open| Lease::new(self, open))
    }

    fn open_now(&self) -> Option<OpenConnection> {
        self.state().open.clone()
    }

    async fn wait_until_open(self: &Arc<Self>) -> RedisResult<OpenConnection> {
        let _counted = Waiter::new(&self.waiting, self.settings.max_waiting)?;
        let joined_at = self.state().attempts;
        loop {
            let changed = self.changed.notified();
            let mut changed = pin!(changed);
            // From now on no change is missed.
            changed.as_mut().enable();
            if let Some(result) = self.try_open(joined_at) {
                return result;
            }
            self.open_in_background()?;
            changed.await;
        }
    }

    /// Returns the connection or the reason why there is none, if that is known.
    fn try_open(&self, joined_at: u64) -> Option<RedisResult<OpenConnection>> {
        let state = self.state();
        if let Some(open) = &state.open {
            return Some(Ok(open.clone()));
        }
        let failure = state.failure.as_ref()?;
        // An attempt that began before the command may have missed a server that has just come back.
        let is_away = failure.number > joined_at && state.is_away_for(self.settings.patience);
        (failure.is_refused() || is_away).then(|| Err(failure.error.clone()))
    }

    /// Starts the task that opens the connection, unless there is one.
    fn open_in_background(self: &Arc<Self>) -> RedisResult<()> {
        let runtime =
            Handle::try_current().map_err(|_| unconnected("a connection needs a runtime of tokio".to_owned()))?;
        let mut state = self.state();
        if state.opener_seen.is_some_and(|seen| seen.elapsed() < LONGEST_ABSENCE) {
            return Ok(());
        }
        state.opener_seen = Some(Instant::now());
        let attempts_before = state.attempts;
        drop(state);
        let task = runtime.spawn(Opener(Arc::clone(self)).run());
        // A command waits, so the task ends without an attempt only if the runtime does not run it.
        if task.is_finished() && self.state().attempts == attempts_before {
            return Err(unconnected("the runtime of tokio has shut down".to_owned()));
        }
        Ok(())
    }

    /// The time after which another attempt begins while the last one has no result yet.
    fn pause_between_attempts(&self) -> Duration {
        // How long it takes is not known at first.
        self.state().opened_in.map_or(LONG_PAUSE, |opened_in| SLOW_PAUSE.max(opened_in.saturating_mul(2)))
    }

    fn pause_after_failure(&self) -> Duration {
        let refused_until = self.state().failure.as_ref().and_then(|failure| failure.refused_until);
        refused_until.map_or(PAUSE, |until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether the server itself has just refused, for example a password.
    pub(super) fn is_refused(&self) -> bool {
        self.state().failure.as_ref().is_some_and(FailedAttempt::is_refused)
    }

    /// The reason why there is no connection.
    pub(super) fn last_failure(&self) -> Option<RedisError> {
        self.state().failure.as_ref().map(|failure| failure.error.clone())
    }

    fn lose(&self, lost: &OpenConnection) {
        let mut state = self.state();
        state.open.take_if(|open| Arc::ptr_eq(&open.traffic, &lost.traffic));
    }

    /// Sends PING in a separate task, since a reply is late. Without an answer the connection is lost.
    #[cold]
    fn question(self: &Arc<Self>, open: &OpenConnection) {
        let Ok(runtime) = Handle::try_current() else { return };
        if !open.traffic.begin_question(self.settings.silence) {
            return;
        }
        let (server, mut open) = (Arc::clone(self), open.clone());
        runtime.spawn(async move {
            let ping = redis::cmd("PING");
            let reply = server.silence.run(pin!(open.con.send_packed_command(&ping))).await;
            if reply.is_some_and(|reply| is_reply(&reply)) {
                open.traffic.replies.fetch_add(1, Relaxed);
            } else {
                server.lose(&open);
            }
            open.traffic.questioned_until.store(0, Relaxed);
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn fail(&mut self, number: u64, start: Instant, error: RedisError, is_refused: bool) {
        self.away_since.get_or_insert(start);
        let refused_until = is_refused.then(|| Instant::now().checked_add(LONG_PAUSE)).flatten();
        self.failure = Some(FailedAttempt { number, error, refused_until });
    }

    fn is_away_for(&self, time: Duration) -> bool {
        self.away_since.is_some_and(|since| since.elapsed() >= time)
    }
}

impl FailedAttempt {
    fn is_refused(&self) -> bool {
        self.refused_until.is_some_and(|until| Instant::now() < until)
    }
}

/// A command that waits for a connection.
pub(super) struct Waiter<'w>(&'w AtomicUsize);

impl<'w> Waiter<'w> {
    pub(super) fn new(waiting: &'w AtomicUsize, max_waiting: usize) -> RedisResult<Self> {
        let waiter = Self(waiting);
        if waiter.0.fetch_add(1, Relaxed) < max_waiting {
            return Ok(waiter);
        }
        Err(unconnected(format!("{max_waiting} commands wait for a connection already")))
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The task that opens the connection, while commands wait for it.
struct Opener(Arc<ServerConnection>);

impl Opener {
    async fn run(self) {
        let server = &*self.0;
        let mut attempts = FuturesUnordered::new();
        loop {
            server.state().opener_seen = Some(Instant::now());
            let is_needed = server.waiting.load(Relaxed) > 0;
            if is_needed && attempts.len() < MOST_ATTEMPTS {
                attempts.push(self.attempt());
            }
            // The last attempts go on without commands that wait: the next command may not wait for long either.
            if attempts.is_empty() {
                return;
            }
            let mut next = pin!(timer::sleep(server.pause_between_attempts()));
            // Attempts that have no result yet go on, also while the next one runs.
            while let Either::Left((Some(is_open), _)) = select(attempts.next(), next.as_mut()).await {
                if is_open {
                    return;
                }
                if attempts.is_empty() || server.is_refused() {
                    timer::sleep(server.pause_after_failure()).await;
                    break;
                }
            }
        }
    }

    /// Opens a connection, once. Returns whether there is one.
    async fn attempt(&self) -> bool {
        let start = Instant::now();
        let number = {
            let mut state = self.0.state();
            state.attempts = state.attempts.saturating_add(1);
            state.attempts
        };
        let opening = self.0.client.get_multiplexed_async_connection_with_config(&self.0.settings.config);
        let opened = AssertUnwindSafe(opening).catch_unwind().await;
        let mut state = self.0.state();
        match opened {
            Ok(Ok(con)) => {
                let open = OpenConnection { con, traffic: Arc::new(Traffic::new()) };
                #[cfg(feature = "cache")]
                let connections = state.connections.saturating_add(u64::from(state.open.is_none()));
                *state = State {
                    #[cfg(feature = "cache")]
                    connections,
                    open: Some(state.open.take().unwrap_or(open)),
                    opener_seen: state.opener_seen,
                    attempts: state.attempts,
                    opened_in: Some(start.elapsed()),
                    ..State::default()
                };
            }
            Ok(Err(error)) => {
                let is_refused = !(error.is_io_error() || error.is_timeout());
                state.fail(number, start, cannot_connect(error), is_refused);
            }
            Err(_) => state.fail(number, start, unconnected(PANICKED.to_owned()), true),
        }
        let is_open = state.open.is_some();
        drop(state);
        self.0.changed.notify_waiters();
        is_open
    }
}

/// This also runs when the task's runtime ends: commands of another runtime start their own task.
impl Drop for Opener {
    fn drop(&mut self) {
        self.0.state().opener_seen = None;
        self.0.changed.notify_waiters();
    }
}

impl<'s> Lease<'s> {
    fn new(server: &'s Arc<ServerConnection>, open: OpenConnection) -> Self {
        open.traffic.in_flight.fetch_add(1, Relaxed);
        let replies_before = open.traffic.replies.load(Relaxed);
        Self { server, open, replies_before, is_finished: false }
    }

    pub(super) async fn send(&mut self, cmd: &Cmd) -> Result<Value, Failure> {
        let reply = self.open.con.send_packed_command(cmd).await;
        if reply.as_ref().is_ok_and(is_of_replica) {
            self.leave_replica();
        }
        self.finish(reply)
    }

    pub(super) async fn send_all(
        &mut self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, Failure> {
        let replies = self.open.con.send_packed_commands(pipeline, offset, count).await;
        if replies.as_ref().is_ok_and(|replies| replies.iter().any(is_of_replica)) {
            self.leave_replica();
        }
        self.finish(replies)
    }

    /// Lets the next command open another connection: after a failover the address may lead to another server. If it
    /// does not, that happens once a second.
    #[cold]
    fn leave_replica(&self) {
        if self.open.traffic.created.elapsed() >= LONG_PAUSE {
            self.server.lose(&self.open);
        }
    }

    fn finish<T>(&mut self, reply: RedisResult<T>) -> Result<T, Failure> {
        self.is_finished = true;
        match reply {
            Err(error) if error.code().is_none() => {
                // After a time-out the others may still be answered.
                if self.is_silent() || !error.is_timeout() {
                    self.server.lose(&self.open);
                }
                Err(Failure::Lost(error))
            }
            reply => {
                self.open.traffic.replies.fetch_add(1, Relaxed);
                reply.map_err(Failure::Lost)
            }
        }
    }

    /// Gives up the command after this time.
    #[cold]
    pub(super) fn time_out(mut self, limit: Duration) {
        if limit >= self.server.silence.duration() && self.is_silent() {
            self.is_finished = true;
            self.server.lose(&self.open);
        }
    }

    /// Whether nothing was answered since the command was sent.
    fn is_silent(&self) -> bool {
        self.open.traffic.replies.load(Relaxed) == self.replies_before
    }
}

impl OpenConnection {
    /// Whether the connection is known to be closed, so that nothing can be sent.
    ///
    /// A command's error does not tell whether it was sent. So a PING is offered, and taken back before anything is
    /// sent: only a closed connection rejects it at once.
    fn is_closed(&self) -> bool {
        let mut con = self.con.clone();
        let ping = redis::cmd("PING");
        let reply = pin!(con.send_packed_command(&ping)).poll(&mut Context::from_waker(Waker::noop()));
        matches!(reply, Poll::Ready(Err(_)))
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let traffic = &self.open.traffic;
        if traffic.in_flight.fetch_sub(1, Relaxed) == 1 {
            traffic.idle_since.store(traffic.now(), Relaxed);
        }
        if !self.is_finished {
            self.server.question(&self.open);
        }
    }
}

impl Traffic {
    fn new() -> Self {
        Self {
            created: Instant::now(),
            in_flight: AtomicUsize::new(0),
            replies: AtomicU64::new(0),
            idle_since: AtomicU64::new(0),
            questioned_until: AtomicU64::new(0),
        }
    }

    fn now(&self) -> u64 {
        micros(self.created.elapsed())
    }

    /// Whether nothing is in flight, and nothing was for a while.
    fn was_idle(&self) -> bool {
        self.in_flight.load(Relaxed) == 0 && self.now().saturating_sub(self.idle_since.load(Relaxed)) > micros(IDLE)
    }

    /// Returns whether a task may check that the server answers, for twice this time. Then another task may, because
    /// the first task's runtime may no longer be running.
    fn begin_question(&self, time: Duration) -> bool {
        let (now, until) = (self.now(), self.questioned_until.load(Relaxed));
        let next = now.saturating_add(micros(time).saturating_mul(2));
        now >= until && self.questioned_until.compare_exchange(until, next, Relaxed, Relaxed).is_ok()
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Whether the server has rejected a write because it is a replica.
fn is_of_replica(reply: &Value) -> bool {
    let Value::ServerError(error) = reply else { return false };
    // Redis 6.2 wraps the errors of scripts.
    let is_wrapped = || error.details().is_some_and(|details| details.contains(": -READONLY "));
    error.kind() == Some(ServerErrorKind::ReadOnly) || is_wrapped()
}

/// An error that proves that nothing was sent.
pub(super) fn unconnected(explanation: String) -> RedisError {
    io::Error::new(io::ErrorKind::ConnectionRefused, Explanation(explanation)).into()
}

fn cannot_connect(error: RedisError) -> RedisError {
    if is_unconnected(&error) { error } else { unconnected(format!("{CANNOT_CONNECT}{}", connection_error(&error))) }
}
