//! A connection while a command has it.

use std::time::Duration;

use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ErrorKind, IntoConnectionInfo as _, Pipeline, RedisError,
    RedisFuture, RedisResult, ServerErrorKind, Value,
    aio::{ConnectionLike, MultiplexedConnection},
};

use crate::command::{answer, is_answer};

/// So often a command is sent to another node of a cluster, which then names another one.
const REDIRECTIONS: usize = 5;

/// What a command runs on. The connection is given back only where the server has answered.
pub(crate) struct Own<'c> {
    client: &'c Client,
    con: Option<MultiplexedConnection>,
    /// How long an answer may take.
    limit: Duration,
    /// Whether the last command did not go out, or nowhere but to a node that has not its key.
    untold: bool,
}

impl<'c> Own<'c> {
    pub(crate) fn new(client: &'c Client, con: Option<MultiplexedConnection>, limit: Duration) -> Self {
        Self { client, con, limit, untold: true }
    }

    pub(crate) fn is_untold(&self) -> bool {
        self.untold
    }

    pub(crate) fn into_con(self) -> Option<MultiplexedConnection> {
        self.con
    }

    async fn send(&mut self, cmd: &Cmd) -> RedisResult<Value> {
        self.untold = true;
        // It is not in its place while the command runs: who drops this future drops the connection.
        let mut con = match self.con.take() {
            Some(con) => con,
            None => open(self.client).await?,
        };
        let mut redirections = 0;
        loop {
            con.set_response_timeout(self.limit);
            self.untold = false;
            let reply = answer(con.send_packed_command(cmd).await);
            let Some(node) = reply.as_ref().err().and_then(|error| self.redirection(error)) else {
                if is_answer(&reply) {
                    self.con = Some(con);
                }
                return reply;
            };
            if redirections == REDIRECTIONS {
                return reply;
            }
            redirections += 1;
            self.untold = true;
            con = open(&node.client).await?;
            if node.asks {
                con.send_packed_command(&redis::cmd("ASKING")).await?;
            }
        }
    }

    /// The node that has the key, as another one says.
    fn redirection(&self, error: &RedisError) -> Option<Node> {
        let (host, port) = error.redirect_node()?.0.rsplit_once(':')?;
        let port = port.parse().ok()?;
        let info = self.client.get_connection_info();
        // A node that does not know its own name leaves it out.
        let name = |own: &String| if host.is_empty() { own.clone() } else { host.to_owned() };
        let addr = match info.addr() {
            ConnectionAddr::Tcp(own, _) => ConnectionAddr::Tcp(name(own), port),
            ConnectionAddr::TcpTls { host: own, insecure, tls_params, .. } => {
                ConnectionAddr::TcpTls { host: name(own), port, insecure: *insecure, tls_params: tls_params.clone() }
            }
            _ => return None,
        };
        let client = Client::open(info.clone().set_addr(addr).into_connection_info().ok()?).ok()?;
        Some(Node { client, asks: error.kind() == ErrorKind::Server(ServerErrorKind::Ask) })
    }
}

/// Another node of a cluster.
struct Node {
    client: Client,
    /// Whether the key is still on its way there, so that the node has to be told that this is known.
    asks: bool,
}

async fn open(client: &Client) -> RedisResult<MultiplexedConnection> {
    client.get_multiplexed_async_connection_with_config(&AsyncConnectionConfig::new()).await
}

impl ConnectionLike for Own<'_> {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(self.send(cmd))
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            let mut replies = Vec::with_capacity(offset + count);
            for cmd in pipeline.cmd_iter() {
                replies.push(self.send(cmd).await?);
            }
            Ok(replies.split_off(offset.min(replies.len())))
        })
    }

    fn get_db(&self) -> i64 {
        self.client.get_connection_info().redis_settings().db()
    }
}
