//! A holder of a lock: the steps of [`LockKey`](super::LockKey) on a connection, each with a time limit.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use redis::Cmd;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, timeout_at};

use super::key::read_acquired;
use super::{Acquisition, LockKey, Token};
use crate::accessor::{Accessor, accessor};
use crate::command::{self, call, flag};
use crate::error::Cause;
use crate::lua::{self, Script};
use crate::observe::lock::Reporter;
use crate::run::time_limit::within;
use crate::schema::Schema;
use crate::{Command, Error, ErrorKind, Key, SendStatus, SharedConnection};

/// The longest time that a command waits for its reply. An acquisition or renewal is then sent again.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The longest pause between two renewals after the first has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A client that holds a lock, or tries to acquire it.
pub(super) struct Holder<C> {
    con: C,
    key: Key,
    token: Token,
    schema: &'static Schema,
    ttl: Duration,
    /// Whether a call of `acquire` got no reply: the server may have executed it, or may execute it later.
    is_unanswered: AtomicBool,
    pub(super) reporter: Reporter,
}

impl<C: SharedConnection> Holder<C> {
    pub(super) fn new<K: LockKey>(con: C, key: &K) -> Result<Self, Error> {
        Ok(Self {
            con,
            key: key.key()?,
            token: Token::random(),
            schema: K::SCHEMA,
            // A lock always expires.
            ttl: K::SCHEMA.expiry.ttl().unwrap_or_default(),
            is_unanswered: AtomicBool::new(false),
            reporter: Reporter { schema: K::SCHEMA },
        })
    }

    pub(super) fn ttl(&self) -> Duration {
        self.ttl
    }

    /// Runs [`LockKey::acquire`].
    pub(super) async fn acquire(&self) -> Result<Acquisition, Error> {
        // Set even if this future is dropped before there is a reply.
        let was_unanswered = self.is_unanswered.swap(true, Relaxed);
        let result = self.run(accessor!("acquire"), &lua::LOCK, self.call(&lua::LOCK), read_acquired).await;
        let is_unanswered = result
            .as_ref()
            .is_err_and(|error| error.sent() == SendStatus::Maybe || error.kind() == ErrorKind::UnexpectedReply);
        self.is_unanswered.store(was_unanswered || is_unanswered, Relaxed);
        result
    }

    /// Whether an unanswered call of [`acquire`](Self::acquire) may hold the lock, now or later.
    pub(super) fn is_unanswered(&self) -> bool {
        self.is_unanswered.load(Relaxed)
    }

    /// Runs [`LockKey::renew`].
    pub(super) async fn renew(&self) -> Result<bool, Error> {
        self.run(accessor!("renew"), &lua::LOCK_RENEW, self.call(&lua::LOCK_RENEW), flag).await
    }

    async fn run<T>(
        &self,
        accessor: Accessor,
        script: &'static Script,
        cmd: Cmd,
        decode: command::Decode<T>,
    ) -> Result<T, Error> {
        let command = Command::script(self.schema, script, Ok(cmd), decode).named(accessor);
        // So three replies can be late before the lock is lost.
        let limit = TIME_LIMIT.min(self.ttl / 3);
        let mut con = self.con.clone();
        within(limit, pin!(command.query_async(&mut con))).await.unwrap_or_else(|| Err(self.unanswered()))
    }

    fn call(&self, script: &'static Script) -> Cmd {
        let mut cmd = call(script, self.key.as_str().as_bytes(), 3, 60);
        cmd.arg(&self.token.to_hex()).arg(u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX));
        cmd
    }

    fn unanswered(&self) -> Error {
        let cause = Cause::Connection(io::Error::from(io::ErrorKind::TimedOut).into());
        self.error(SendStatus::Maybe, cause)
    }

    pub(super) fn error(&self, sent: SendStatus, cause: Cause) -> Error {
        Error::new(self.schema, Some(self.key.as_str().into()), sent, cause)
    }

    /// Returns the pause before the next try of a renewal or a release.
    pub(super) fn pause(&self) -> Duration {
        (self.ttl / 30).clamp(Duration::from_millis(1), LONGEST_PAUSE)
    }
}

/// The release of a lock, independent of the connection's type.
pub(super) trait Release: Send + Sync {
    /// Runs [`LockKey::release`].
    fn release(&self) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + '_>>;

    /// Releases the lock in a task, which tries until it would expire.
    fn release_in_background(self: Arc<Self>, runtime: &Handle, expires: Instant);

    fn schema(&self) -> &'static Schema;
}

impl<C: SharedConnection> Release for Holder<C> {
    fn release(&self) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + '_>> {
        let mut cmd = self.call(&lua::UNLOCK);
        if !self.is_unanswered() {
            // This token need not be refused, so it must not replace a token that must be refused.
            cmd.arg("answered");
        }
        Box::pin(self.run(accessor!("release"), &lua::UNLOCK, cmd, flag))
    }

    fn release_in_background(self: Arc<Self>, runtime: &Handle, expires: Instant) {
        let release = async move {
            // Repeated even after a refusal: a server that is full now has room again later.
            while let Err(error) = self.release().await {
                self.reporter.failed(error.kind());
                sleep(self.pause()).await;
            }
        };
        // Timers can only be created inside the runtime.
        runtime.spawn(async move { timeout_at(expires, release).await });
    }

    fn schema(&self) -> &'static Schema {
        self.schema
    }
}

/// Whether the same command may succeed a moment later.
pub(super) fn is_transient(error: &Error) -> bool {
    error.kind() == ErrorKind::Connection
        || error.is_of_lost_node()
        || error.is_of_moving_key()
        || error.is_of_paused_server()
}
