//! The connection to one node.

use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::future::{BoxFuture, FutureExt as _, Shared};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, IntoConnectionInfo as _, Pipeline, RedisError, RedisResult,
    Value, aio::MultiplexedConnection,
};

use super::{dispatch::Failure, view::Address};
use crate::command::responses::is_unconnected;

/// A node, to which there is one connection at a time. The next command after its loss opens another one.
pub(super) struct Node {
    client: RedisResult<Client>,
    link: Mutex<LinkState>,
}

#[derive(Default)]
enum LinkState {
    #[default]
    Closed,
    /// All who wait for it poll it: one that is not polled any more must not stop the others.
    Opening(Opening),
    Open(Link),
}

type Opening = Shared<BoxFuture<'static, RedisResult<Link>>>;

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
        Self { client: client_of(like, address), link: Mutex::default() }
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
        let opening = match &mut *self.link_state() {
            LinkState::Open(link) => return Ok(link.clone()),
            LinkState::Opening(opening) => opening.clone(),
            closed @ LinkState::Closed => {
                let opening = open(self.client.clone()?, config.clone()).boxed().shared();
                *closed = LinkState::Opening(opening.clone());
                opening
            }
        };
        let opened = opening.clone().await;
        let mut state = self.link_state();
        if matches!(&*state, LinkState::Opening(current) if current.ptr_eq(&opening)) {
            *state = opened.clone().map_or(LinkState::Closed, LinkState::Open);
        }
        opened
    }

    fn lose(&self, lost: &Link) {
        let mut state = self.link_state();
        if matches!(&*state, LinkState::Open(link) if Arc::ptr_eq(&link.replies, &lost.replies)) {
            *state = LinkState::Closed;
        }
    }

    fn link_state(&self) -> MutexGuard<'_, LinkState> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn open(client: Client, config: AsyncConnectionConfig) -> RedisResult<Link> {
    let con = client.get_multiplexed_async_connection_with_config(&config).await.map_err(unconnected)?;
    Ok(Link { con, replies: Arc::default() })
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
