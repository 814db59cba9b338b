//! The asynchronous connection for commands that wait.

use std::fmt;
use std::ops::DerefMut;
use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ErrorKind, IntoConnectionInfo as _, Pipeline, RedisError,
    RedisFuture, RedisResult, ServerErrorKind, Value,
};

use super::{Attempt, BlockingRun, GRACE};
use crate::Error;
use crate::command::blocking::WaitStrategy;
use crate::command::responses::{flatten, is_reply};
use crate::redis_rs;

/// The number of redirects that a command follows from node to node of a cluster.
const MAX_REDIRECTS: usize = 5;

/// An asynchronous connection that is not shared, for commands that wait: see [`Blocking`](crate::command::Blocking).
///
/// The first command opens the connection. After a loss, a time-out or a dropped future, the next command opens it
/// again. Its response time-out is a second longer than the command's wait; the setting of redis-rs, by default half a
/// second, does not apply.
///
/// In a cluster you can pass a client of any node, because the connection follows the redirects to the node that has
/// the key. A newly opened connection starts at the client's address.
///
/// ```no_run
/// use std::time::Duration;
///
/// use redis_keys::{BlockingConnection, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(mail:jobs:list, value = u64, ttl = 1d)]
/// struct Jobs;
///
/// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/")?);
/// while let Some(job) = Jobs.brpop(Duration::from_secs(30)).query_async(&mut con).await? {
///     println!("{job}");
/// }
/// # Ok(()) }
/// ```
pub struct BlockingConnection {
    client: Client,
    con: Option<MultiplexedConnection>,
}

/// An asynchronous connection that is not shared: a [`BlockingConnection`], or its guard.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can be shared: a command that waits would hold up the others",
    label = "not a connection of its own",
    note = "on a connection of `redis_keys::connect`, write `.query_async(&mut con.blocking())`",
    note = "of a client, open one: `let mut con = redis_keys::BlockingConnection::new(client);`; pass a guard as `&mut *guard`"
)]
pub trait ExclusiveConnection {
    #[doc(hidden)]
    fn blocking_connection(&mut self) -> &mut BlockingConnection;
}

/// A trait of no connection, for the error message of a command that waits and is to run on a shared connection.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a command that waits cannot run on a shared connection: it would hold up the other commands",
    label = "a shared connection",
    note = "on a connection of `redis_keys::connect`, write `.query_async(&mut con.blocking())`"
)]
pub trait WaitingConnection {}

#[diagnostic::do_not_recommend]
impl ExclusiveConnection for BlockingConnection {
    fn blocking_connection(&mut self) -> &mut BlockingConnection {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<C: DerefMut<Target = BlockingConnection>> ExclusiveConnection for C {
    fn blocking_connection(&mut self) -> &mut BlockingConnection {
        self
    }
}

impl BlockingConnection {
    /// Creates a connection to the client's server. The first command opens it.
    pub fn new(client: Client) -> Self {
        Self { client, con: None }
    }

    /// Runs a command. Its future owns the connection until it ends, and closes it if it is dropped.
    pub(super) async fn run<T>(&mut self, strategy: &WaitStrategy<T>, wait: Duration) -> Result<Option<T>, Error> {
        let mut lease = Lease {
            client: &self.client,
            con: self.con.take(),
            timeout: wait.saturating_add(GRACE),
            never_executed: true,
        };
        let found = drive(strategy, &mut lease, wait).await;
        self.con = lease.con;
        found.map_err(|error| if lease.never_executed { error.unsent() } else { error })
    }
}

async fn drive<T>(strategy: &WaitStrategy<T>, con: &mut Lease<'_>, wait: Duration) -> Result<Option<T>, Error> {
    let (mut run, mut next) = BlockingRun::start(strategy, wait);
    loop {
        next = match next {
            Attempt::Take(command) => run.took(command.query_async(con).await?),
            Attempt::Watch(command) => run.watched(command.query_async(con).await?),
            Attempt::Done(found) => return Ok(found),
        };
    }
}

/// Does not show the address, which could contain a password.
impl fmt::Debug for BlockingConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingConnection").field("open", &self.con.is_some()).finish_non_exhaustive()
    }
}

/// The connection while a command has it.
struct Lease<'c> {
    client: &'c Client,
    /// The open connection, unless a reply is missing.
    con: Option<MultiplexedConnection>,
    /// The time that a reply may take.
    timeout: Duration,
    /// Whether the last redis command was not sent, or only to nodes that do not have its key.
    never_executed: bool,
}

impl Lease<'_> {
    async fn send(&mut self, cmd: &Cmd) -> RedisResult<Value> {
        self.never_executed = true;
        // Taken out of the lease, so that dropping this future closes the connection.
        let mut con = match self.con.take() {
            Some(con) => con,
            None => open(self.client).await?,
        };
        let mut redirects = 0_usize;
        loop {
            con.set_response_timeout(self.timeout);
            self.never_executed = false;
            let reply = flatten(con.send_packed_command(cmd).await);
            let Some(node) = reply.as_ref().err().and_then(|error| self.redirect(error)) else {
                if is_reply(&reply) {
                    self.con = Some(con);
                }
                return reply;
            };
            if redirects == MAX_REDIRECTS {
                return reply;
            }
            redirects = redirects.saturating_add(1);
            self.never_executed = true;
            con = open(&node.client).await?;
            if node.requires_asking {
                con.send_packed_command(&redis::cmd("ASKING")).await?;
            }
        }
    }

    /// The node to which an error redirects.
    fn redirect(&self, error: &RedisError) -> Option<RedirectTarget> {
        let (host, port) = error.redirect_node()?.0.rsplit_once(':')?;
        let port = port.parse().ok()?;
        let info = self.client.get_connection_info();
        // A node that does not know its own name omits it.
        let name = |own: &String| if host.is_empty() { own.clone() } else { host.to_owned() };
        let addr = match info.addr() {
            ConnectionAddr::Tcp(own, _) => ConnectionAddr::Tcp(name(own), port),
            ConnectionAddr::TcpTls { host: own, insecure, tls_params, .. } => {
                ConnectionAddr::TcpTls { host: name(own), port, insecure: *insecure, tls_params: tls_params.clone() }
            }
            _ => return None,
        };
        let client = Client::open(info.clone().set_addr(addr).into_connection_info().ok()?).ok()?;
        Some(RedirectTarget { client, requires_asking: error.kind() == ErrorKind::Server(ServerErrorKind::Ask) })
    }
}

/// Another node of a cluster.
struct RedirectTarget {
    client: Client,
    /// Whether the key's slot is still moving there.
    requires_asking: bool,
}

async fn open(client: &Client) -> RedisResult<MultiplexedConnection> {
    client.get_multiplexed_async_connection_with_config(&AsyncConnectionConfig::new()).await
}

/// `#[inline]` leaves the code that opens a connection, a large part of redis-rs and tokio, to the crates that wait for
/// commands. Otherwise every program compiles it with this crate.
impl ConnectionLike for Lease<'_> {
    #[inline]
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(self.send(cmd))
    }

    #[inline]
    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            let mut replies = Vec::with_capacity(offset.saturating_add(count));
            for cmd in redis_rs::commands(pipeline) {
                replies.push(self.send(&cmd).await?);
            }
            Ok(replies.split_off(offset.min(replies.len())))
        })
    }

    fn get_db(&self) -> i64 {
        self.client.get_connection_info().redis_settings().db()
    }
}
