//! The connection to one node.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::lock::Mutex as AsyncMutex;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, IntoConnectionInfo as _, Pipeline, RedisError, RedisResult,
    Value, aio::MultiplexedConnection,
};

use super::{dispatch::Failure, view::Address};
use crate::command::responses::is_unconnected;

/// A node, to which there is one connection at a time. The next command after its loss opens another one.
pub(super) struct Node {
    client: RedisResult<Client>,
    link: Mutex<Option<Link>>,
    /// Held while a connection is being opened. The error of the last attempt.
    opening: AsyncMutex<Option<RedisError>>,
    /// The number of attempts.
    attempts: AtomicU64,
}

/// An open connection.
#[derive(Clone)]
struct Link {
    con: MultiplexedConnection,
    /// The number of replies so far. It also tells one connection from another.
    replies: Arc<AtomicU64>,
}

/// What a node is sent.
pub(super) enum Request<'r> {
    Command(&'r Cmd),
    Pipeline(&'r Pipeline),
}

impl Node {
    /// A node at an address, reached like another one of the cluster.
    pub(super) fn new(like: &Client, address: &Address) -> Self {
        Self {
            client: client_of(like, address),
            link: Mutex::default(),
            opening: AsyncMutex::default(),
            attempts: AtomicU64::default(),
        }
    }

    /// Sends something and waits for the replies.
    pub(super) async fn send(
        &self,
        request: Request<'_>,
        config: &AsyncConnectionConfig,
    ) -> Result<Vec<Value>, Failure> {
        let mut link = self.link(config).await.map_err(Failure::Unsent)?;
        let before = link.replies.load(Ordering::Relaxed);
        let replies = match request {
            Request::Command(cmd) => link.con.send_packed_command(cmd).await.map(|reply| vec![reply]),
            Request::Pipeline(pipeline) => link.con.send_packed_commands(pipeline, 0, pipeline.len()).await,
        };
        let was_silent = link.replies.load(Ordering::Relaxed) == before;
        match replies {
            Ok(replies) => {
                link.replies.fetch_add(1, Ordering::Relaxed);
                Ok(replies)
            }
            Err(error) => {
                // If nothing was answered for a whole time-out, it may be gone without a word.
                if error.code().is_none() && (was_silent || !error.is_timeout()) {
                    self.lose(&link);
                }
                Err(Failure::Lost(error))
            }
        }
    }

    /// The open connection, or a new one. Those who wait for one attempt to open it share its result.
    async fn link(&self, config: &AsyncConnectionConfig) -> RedisResult<Link> {
        if let Some(link) = self.open_link() {
            return Ok(link);
        }
        let seen = self.attempts.load(Ordering::Acquire);
        let mut last_error = self.opening.lock().await;
        if let Some(link) = self.open_link() {
            return Ok(link);
        }
        if let (true, Some(error)) = (self.attempts.load(Ordering::Acquire) != seen, &*last_error) {
            return Err(error.clone());
        }
        let opened = match &self.client {
            Ok(client) => client.get_multiplexed_async_connection_with_config(config).await,
            Err(error) => Err(error.clone()),
        };
        self.attempts.fetch_add(1, Ordering::Release);
        match opened {
            Ok(con) => {
                let link = Link { con, replies: Arc::default() };
                *self.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(link.clone());
                *last_error = None;
                Ok(link)
            }
            Err(error) => {
                let error = unconnected(error);
                *last_error = Some(error.clone());
                Err(error)
            }
        }
    }

    fn open_link(&self) -> Option<Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lose(&self, lost: &Link) {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        if link.as_ref().is_some_and(|link| Arc::ptr_eq(&link.replies, &lost.replies)) {
            *link = None;
        }
    }
}

/// The error of a connection that could not be opened, as one that proves that nothing was sent.
fn unconnected(error: RedisError) -> RedisError {
    if is_unconnected(&error) {
        return error;
    }
    io::Error::new(io::ErrorKind::ConnectionRefused, format!("cannot connect: {error}")).into()
}

fn client_of(like: &Client, address: &Address) -> RedisResult<Client> {
    let info = like.get_connection_info();
    let Address { host, port } = address.clone();
    let addr = match info.addr() {
        ConnectionAddr::TcpTls { insecure, tls_params, .. } => {
            ConnectionAddr::TcpTls { host, port, insecure: *insecure, tls_params: tls_params.clone() }
        }
        _ => ConnectionAddr::Tcp(host, port),
    };
    Client::open(info.clone().set_addr(addr).into_connection_info()?)
}
