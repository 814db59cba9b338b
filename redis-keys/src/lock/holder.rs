//! One holder of one lock: the steps of [`LockKey`](super::LockKey) on a connection, each with a time limit.

use std::{
    future::Future,
    io,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use redis::Cmd;
use tokio::{
    runtime::Handle,
    time::{Instant, sleep, timeout_at},
};

use super::{
    Acquired, LockKey, Token,
    key::read_acquired,
    report::{Reporter, Reports},
};
use crate::{
    Command, Error, ErrorKind, Key, Sent, SharedConnection,
    command::{self, call, flag},
    error::Cause,
    lua::{self, Script},
    run::time_limit::within,
    schema::Schema,
};

/// How long a command waits for its reply at most. One that acquires or renews is then sent again.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The longest pause between two renewals of which the first one has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Who holds a lock, or tries to acquire it.
pub(super) struct Holder<C> {
    con: C,
    key: Key,
    token: Token,
    schema: &'static Schema,
    ttl: Duration,
    pub(super) reporter: Reporter,
}

impl<C: SharedConnection> Holder<C> {
    pub(super) fn new<K: LockKey>(con: C, key: &K, reports: &Reports) -> Result<Self, Error> {
        Ok(Self {
            con,
            key: key.key()?,
            token: Token::random(),
            schema: K::SCHEMA,
            // A lock always expires.
            ttl: K::SCHEMA.expiry.ttl().unwrap_or_default(),
            reporter: reports.of(K::SCHEMA),
        })
    }

    pub(super) fn ttl(&self) -> Duration {
        self.ttl
    }

    /// As [`LockKey::acquire`].
    pub(super) async fn acquire(&self) -> Result<Acquired, Error> {
        self.run(&lua::LOCK, true, read_acquired).await
    }

    /// As [`LockKey::renew`].
    pub(super) async fn renew(&self) -> Result<bool, Error> {
        self.run(&lua::LOCK_RENEW, true, flag).await
    }

    async fn run<T>(&self, script: &'static Script, takes_ttl: bool, decode: command::Decode<T>) -> Result<T, Error> {
        let command = Command::script(self.schema, script, Ok(self.call(script, takes_ttl)), decode);
        // So a reply can be late three times before the lock is lost.
        let limit = TIME_LIMIT.min(self.ttl / 3);
        let mut con = self.con.clone();
        within(limit, pin!(command.query_async(&mut con))).await.unwrap_or_else(|| Err(self.unanswered()))
    }

    fn call(&self, script: &'static Script, takes_ttl: bool) -> Cmd {
        let mut cmd = call(script, self.key.as_str().as_bytes(), 2, 52);
        cmd.arg(&self.token.to_hex());
        if takes_ttl {
            cmd.arg(u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX));
        }
        cmd
    }

    fn unanswered(&self) -> Error {
        let cause = Cause::Connection(io::Error::from(io::ErrorKind::TimedOut).into());
        self.error(Sent::Maybe, cause)
    }

    pub(super) fn error(&self, sent: Sent, cause: Cause) -> Error {
        Error::new(self.schema, Some(self.key.as_str().into()), sent, cause)
    }

    /// How long a renewal or a release waits before it is tried again.
    pub(super) fn pause(&self) -> Duration {
        (self.ttl / 30).clamp(Duration::from_millis(1), LONGEST_PAUSE)
    }
}

/// What a guard needs of its holder, whatever the type of the connection.
pub(super) trait Release: Send + Sync {
    /// As [`LockKey::release`].
    fn release(&self) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + '_>>;

    /// Releases the lock in a task, which tries until it would expire.
    fn release_in_background(self: Arc<Self>, runtime: &Handle, expires: Instant);

    fn schema(&self) -> &'static Schema;
}

impl<C: SharedConnection> Release for Holder<C> {
    fn release(&self) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + '_>> {
        Box::pin(self.run(&lua::UNLOCK, false, flag))
    }

    fn release_in_background(self: Arc<Self>, runtime: &Handle, expires: Instant) {
        let release = async move {
            // Also if it is refused: a server that is full now has room again later.
            while let Err(error) = self.release().await {
                self.reporter.failed(error.kind());
                sleep(self.pause()).await;
            }
        };
        // Outside of the runtime no timer can be created.
        runtime.spawn(async move { timeout_at(expires, release).await });
    }

    fn schema(&self) -> &'static Schema {
        self.schema
    }
}

/// Whether the same command can succeed a moment later.
pub(super) fn is_transient(error: &Error) -> bool {
    error.kind() == ErrorKind::Connection
        || error.is_of_lost_node()
        || error.is_of_moving_key()
        || error.is_of_paused_server()
}
