//! The connection to one server.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use redis::aio::ConnectionLike;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, IntoConnectionInfo, Pipeline, RedisError, RedisFuture, RedisResult,
    Value,
};

use super::BlockingConnection;
use super::lookups::Lookups;
use super::server_connection::{Failure, Lease, ServerConnection, Settings, unconnected};
use super::shared::SharedSender;
use super::time_limit::TimeLimit;
use crate::command::table::{needs_own_connection, words};
use crate::error::connection_error;
use crate::observe::command::record_server;
use crate::redis_rs::{Words, sent_commands};

/// The shortest time limit of an attempt to connect. A command's limit may be too short for any attempt to succeed.
const SHORTEST_ATTEMPT: Duration = Duration::from_secs(1);

/// The longest time limit of an attempt, which bounds the number of sockets that wait for a silent server.
const LONGEST_ATTEMPT: Duration = Duration::from_secs(10);

/// Connects to a server, given its URL.
///
/// The URL is `redis://user:password@host:port/database`, `rediss://…` for TLS (with the feature `tls-rustls`), or
/// `redis+unix:///path`, and `?protocol=resp3` can follow any of them.
///
/// It returns immediately, even while the server is away, because the first command opens the connection. You need only
/// one connection: clones share it, and the commands of all clones are in flight at the same time. See [`Connection`].
///
/// ```no_run
/// use redis_keys::prelude::*;
///
/// /// The views of a page today.
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
/// struct Views {
///     page: u32,
/// }
///
/// # async fn count() -> Result<(), Box<dyn std::error::Error>> {
/// let con = redis_keys::connect("redis://127.0.0.1/")?;
/// let views = Views { page: 7 }.incr().run(&con).await?;
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// Returns an error if the URL is invalid, or needs a feature that is not enabled. With a wrong password, each command
/// returns an error instead.
pub fn connect<U: IntoConnectionInfo>(url: U) -> RedisResult<Connection> {
    connect_with(Client::open(url)?, ConnectOptions::new())
}

/// Connects to a client's server, with other limits than [`connect`].
///
/// ```
/// use std::time::Duration;
///
/// use redis_keys::{ConnectOptions, redis::Client};
///
/// # fn main() -> redis_keys::redis::RedisResult<()> {
/// let options = ConnectOptions::new().with_time_limit(Duration::from_millis(300));
/// let con = redis_keys::connect_with(Client::open("redis://127.0.0.1/")?, options)?;
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// Returns an error if the client's address cannot be used on this system.
pub fn connect_with(client: Client, options: ConnectOptions) -> RedisResult<Connection> {
    if !client.get_connection_info().addr().is_supported() {
        return Err((ErrorKind::InvalidClientConfig, "this system does not support the address of the client").into());
    }
    let ConnectOptions { time_limit, max_waiting } = options;
    let settings = Settings {
        config: options.config().set_response_timeout(None),
        patience: time_limit,
        max_waiting,
        silence: time_limit,
    };
    let server = Arc::new(ServerConnection::new(client, settings));
    Ok(Connection { server, time_limit: TimeLimit::new(time_limit) })
}

/// The limits of a [`Connection`], or of the connection to a [cluster](crate::guide::clusters).
#[derive(Clone, Copy, Debug)]
pub struct ConnectOptions {
    pub(super) time_limit: Duration,
    pub(super) max_waiting: usize,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(1), max_waiting: 10_000 }
    }
}

impl ConnectOptions {
    /// The limits of [`connect`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the time that a command may take: a second by default.
    ///
    /// On a cluster, it is the time that a node may take to reply, and that a command waits for the first answer of a
    /// node.
    ///
    /// An attempt to connect may take as long, but at least a second and at most ten.
    #[must_use]
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Sets the number of commands that may wait while there is no connection: 10,000 by default, and at least one.
    ///
    /// Further commands fail immediately. On a cluster, the number applies until a node has answered for the first
    /// time.
    #[must_use]
    pub fn with_max_waiting(self, max_waiting: usize) -> Self {
        // The first command opens the connection.
        Self { max_waiting: max_waiting.max(1), ..self }
    }

    /// The settings of attempts to connect.
    pub(super) fn config(&self) -> AsyncConnectionConfig {
        let connection_timeout = self.time_limit.clamp(SHORTEST_ATTEMPT, LONGEST_ATTEMPT);
        AsyncConnectionConfig::new()
            .set_connection_timeout(Some(connection_timeout))
            .set_dns_resolver(Lookups::default())
    }
}

/// A connection to one server that is opened again after its loss: see [`connect`].
///
/// It is cheap to clone and needs no pool, because all clones share it. You can run everything in this crate on it, and
/// every [`redis::cmd`], except commands that change the connection itself, such as SELECT or SUBSCRIBE.
///
/// While the server is away:
///
/// - A command fails within its time limit, a second by default. While the server has been away for less than that,
///   commands wait for its return. After that, each command fails as soon as an attempt to connect fails.
/// - While you send commands, an attempt to connect starts at least every 80 ms, or after twice the time that the last
///   connection took to open; before the first connection, every second. After the server's return, the first command
///   succeeds. If the server itself has refused, for example a wrong password, there is one attempt a second.
/// - A command that may have been sent is never sent again. [`Error::sent`](crate::Error::sent) tells whether it was.
/// - At most 10,000 commands wait for a connection.
///
/// If a server rejects a write because it is a replica, it may have been the primary until a failover. Then the next
/// command opens another connection, at most once a second: the address may lead to the new primary.
///
/// If a server answers no command for the time limit, and no PING, its connection is given up, and the next command
/// opens another connection to it. As after any time-out, a write that timed out may still be executed, even after
/// later commands.
#[derive(Clone)]
pub struct Connection {
    server: Arc<ServerConnection>,
    time_limit: TimeLimit,
}

/// Shows no address.
impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("time_limit", &self.time_limit.duration()).finish_non_exhaustive()
    }
}

impl Connection {
    /// Returns a clone whose commands may take this long. A late reply is dropped, and the connection stays.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # fn main() -> redis_keys::redis::RedisResult<()> {
    /// let con = redis_keys::connect("redis://127.0.0.1/")?;
    /// let quick = con.with_time_limit(Duration::from_millis(50));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_time_limit(&self, time_limit: Duration) -> Self {
        Self { server: Arc::clone(&self.server), time_limit: TimeLimit::new(time_limit) }
    }

    /// Returns a separate connection for commands that wait, such as `brpop`: the first command opens it.
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use redis_keys::prelude::*;
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
    /// struct Jobs;
    ///
    /// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
    /// let con = redis_keys::connect("redis://127.0.0.1/")?;
    /// let job: Option<u64> = Jobs.brpop(Duration::from_secs(30)).query_async(&mut con.blocking()).await?;
    /// # Ok(()) }
    /// ```
    pub fn blocking(&self) -> BlockingConnection {
        BlockingConnection::new(self.server.client().clone())
    }

    pub(crate) fn client(&self) -> &Client {
        self.server.client()
    }

    pub(crate) fn config(&self) -> &AsyncConnectionConfig {
        self.server.config()
    }

    /// The number of times that the connection was opened again. Its address may lead to another server each time.
    #[cfg(feature = "cache")]
    pub(crate) fn changes(&self) -> u64 {
        self.server.connections().saturating_sub(1)
    }

    async fn send(&self, cmd: &Cmd) -> RedisResult<Value> {
        check(cmd)?;
        let mut lease = None;
        let reply = {
            let exchange = pin!(async { lease.insert(self.lease().await?).send(cmd).await });
            self.time_limit.run(exchange).await
        };
        self.finish(lease, reply)
    }

    async fn send_all(&self, pipeline: &Pipeline, offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        check_all(pipeline)?;
        let mut lease = None;
        let replies = {
            let exchange = pin!(async { lease.insert(self.lease().await?).send_all(pipeline, offset, count).await });
            self.time_limit.run(exchange).await
        };
        self.finish(lease, replies)
    }

    async fn lease(&self) -> Result<Lease<'_>, Failure> {
        self.server.lease().await.map_err(Failure::Unsent)
    }

    fn finish<T>(&self, lease: Option<Lease<'_>>, reply: Option<Result<T, Failure>>) -> RedisResult<T> {
        match reply {
            Some(reply) => reply.map_err(Failure::into_error),
            None => Err(self.timed_out(lease)),
        }
    }

    #[cold]
    fn timed_out(&self, lease: Option<Lease<'_>>) -> RedisError {
        let limit = self.time_limit.duration();
        if let Some(lease) = lease {
            lease.time_out(limit);
            return io::Error::from(io::ErrorKind::TimedOut).into();
        }
        let why = self.server.last_failure().map(|error| format!(": {}", connection_error(&error)));
        unconnected(format!("no connection within {limit:?}{}", why.unwrap_or_default()))
    }
}

/// The reason why a command that needs a separate connection is rejected.
pub(super) const SHARED: &str =
    "this command changes its connection or blocks it, but all clones share it: open one by `redis::Client`";

fn check<'c>(cmd: impl Words<'c>) -> RedisResult<()> {
    if needs_own_connection(cmd) { Err((ErrorKind::Client, SHARED).into()) } else { Ok(()) }
}

/// In a pipeline MULTI and EXEC belong together. Either of them alone would affect the commands of other clones.
fn check_all(pipeline: &Pipeline) -> RedisResult<()> {
    let mut multi = None;
    for cmd in sent_commands(pipeline) {
        match words(cmd).next() {
            Some(b"MULTI") if multi.is_none() => multi = Some(cmd),
            Some(b"EXEC") if multi.is_some() => multi = None,
            _ => check(cmd)?,
        }
    }
    multi.map_or(Ok(()), check)
}

impl SharedSender for Connection {
    fn send_one<'a>(&'a self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        record_server(self.client());
        Box::pin(self.send(cmd))
    }

    fn send_pipeline<'a>(&'a self, pipeline: &'a Pipeline, offset: usize, count: usize) -> RedisFuture<'a, Vec<Value>> {
        record_server(self.client());
        Box::pin(self.send_all(pipeline, offset, count))
    }

    fn db(&self) -> i64 {
        self.server.client().get_connection_info().redis_settings().db()
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        self.send_one(cmd)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        self.send_pipeline(pipeline, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.db()
    }
}

#[cfg(all(test, feature = "tls-rustls"))]
mod tests {
    use std::net::TcpListener;

    use super::connect;
    use crate::prelude::*;
    use crate::tests::keys::Views;

    /// No test of this package installs a provider.
    #[test]
    fn tls_without_a_provider_of_cryptography_is_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("it starts");
        let error = runtime.block_on(async {
            let mut con = connect(format!("rediss://{address}/")).expect("the address is valid");
            Views { page: 1 }.incr().query_async(&mut con).await.expect_err("there is no provider")
        });
        assert_eq!(error.sent(), crate::SendStatus::No);
        assert!(error.to_string().contains("TLS needs a provider of cryptography"), "{error}");
    }
}
