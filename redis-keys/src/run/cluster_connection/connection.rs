//! The connection: what [`Dispatch`] decides, carried out.

use std::{
    any::Any,
    fmt, io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ErrorKind, Pipeline, RedisError, RedisFuture, RedisResult,
    Value, aio::ConnectionLike,
};

use super::{
    commands::check,
    dispatch::{Dispatch, Event, Failure, Step, Verdict},
    node::{Node, Request},
    transaction::Transaction,
    view::{Address, NodeId, View},
};
use crate::{
    command::{
        Submission,
        cmd::{keys_of, words},
        responses::Response,
        sent::NoReply,
    },
    run::timer,
};

/// While somebody asks for the slots, others do not. But whoever asks may not be polled any more.
const LONGEST_ASKING: Duration = Duration::from_secs(1);

/// Connects to the cluster of which the client's server is a node.
///
/// The other nodes are reached like this one: with the same user, password, protocol and TLS. An address at which any node answers,
/// such as that of a service, is as good.
///
/// As after any time-out, a write that timed out may still be executed, also after later commands: the node may read it from the old
/// connection when a new one is in use.
///
/// # Errors
///
/// Returns an error if the node cannot be reached or is not part of a cluster.
pub async fn connect(client: &Client) -> RedisResult<Connection> {
    connect_with([client], AsyncConnectionConfig::new()).await
}

/// Connects to a cluster, given clients of some of its nodes and the settings of the connections: time-outs above all.
///
/// The first node that answers names the others. They are reached like the first client's.
///
/// # Errors
///
/// Returns an error if none of the nodes can be reached or is part of a cluster.
pub async fn connect_with<'c>(
    clients: impl IntoIterator<Item = &'c Client>,
    config: AsyncConnectionConfig,
) -> RedisResult<Connection> {
    let clients: Vec<_> = clients.into_iter().collect();
    let no_address = || RedisError::from((ErrorKind::InvalidClientConfig, "a cluster is reached by host and port"));
    let addresses: Option<Vec<_>> = clients.iter().map(|client| address_of(client)).collect();
    let (Some(first), Some(addresses)) = (clients.first(), addresses) else { return Err(no_address()) };
    let con = Connection(Arc::new(Inner {
        client: Client::clone(first),
        config,
        view: Mutex::new(View::new(addresses)),
        nodes: Mutex::default(),
        asking_since: Mutex::default(),
    }));
    con.ask_slots(0).await?;
    Ok(con)
}

fn address_of(client: &Client) -> Option<Address> {
    match client.get_connection_info().addr() {
        ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
            Some(Address { host: host.clone(), port: *port })
        }
        _ => None,
    }
}

/// A connection to a cluster: see [`connect`].
///
/// Clones share it, and commands of all clones are in flight at the same time. It needs no pool.
///
/// Of the commands that are not this crate's, it sends those that have a key in one slot, and those without a key to one node.
/// Those that would answer for one node only, such as KEYS and FLUSHALL, and those that change a connection, such as WATCH and
/// SUBSCRIBE, are rejected. In a pipeline of redis-rs, commands on the same key keep their order; if a command may have several
/// keys, such as SUNIONSTORE, or is not known, each command waits for the reply to the one before it.
#[derive(Clone)]
pub struct Connection(Arc<Inner>);

struct Inner {
    /// How nodes are reached.
    client: Client,
    config: AsyncConnectionConfig,
    view: Mutex<View>,
    /// The nodes by their numbers.
    nodes: Mutex<Vec<Arc<Node>>>,
    /// When somebody began to ask for the slots, and has no answer yet.
    asking_since: Mutex<Option<Instant>>,
}

/// Shows no address.
impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// The connection that this is.
    pub(crate) fn recognize(con: &dyn Any) -> Option<Self> {
        con.downcast_ref().cloned()
    }

    /// Sends a submission and returns the responses.
    pub(crate) async fn exchange(&self, submission: &Submission) -> Vec<Response> {
        let dispatch = Dispatch::new(submission.commands(), &self.view());
        self.run(dispatch).await
    }

    /// Sends a command to the node at an address, once.
    pub(crate) async fn send_to(&self, address: Address, cmd: &Cmd) -> RedisResult<Value> {
        let node = self.view().id(address);
        self.send_to_node(node, cmd).await.map_err(Failure::into_error)
    }

    /// Sends a command to all primaries, and returns the replies by their addresses.
    pub(crate) async fn send_to_primaries(&self, cmd: &Cmd) -> RedisResult<Value> {
        let primaries = self.view().primaries().to_vec();
        let mut replies = Vec::with_capacity(primaries.len());
        for node in primaries {
            let reply = self.send_to_node(node, cmd).await.map_err(Failure::into_error)?;
            let address = self.view().address(node).map(|address| format!("{}:{}", address.host, address.port));
            replies.push((Value::BulkString(address.unwrap_or_default().into_bytes()), reply));
        }
        Ok(Value::Map(replies))
    }

    async fn send_request(&self, node: NodeId, request: Request<'_>) -> Result<Vec<Value>, Failure> {
        match self.node(node) {
            Some(node) => node.send(request, &self.0.config).await,
            None => Err(Failure::Unsent((ErrorKind::ClusterConnectionNotFound, "no node is known").into())),
        }
    }

    async fn send_to_node(&self, node: NodeId, cmd: &Cmd) -> Result<Value, Failure> {
        let mut replies = self.send_request(node, Request::Command(cmd)).await?;
        Ok(replies.pop().unwrap_or(Value::Nil))
    }

    /// Sends a command. The first attempt usually is the only one.
    async fn send(&self, cmd: &Cmd) -> RedisResult<Value> {
        check(cmd)?;
        if words(cmd).next() == Some(b"MGET") {
            return self.send_all(&[cmd]).await.map(|mut replies| replies.pop().unwrap_or(Value::Nil));
        }
        let node = self.view().node_of(keys_of(cmd).next());
        let sent = self.send_to_node(node, cmd).await;
        match sent {
            Ok(reply) if matches!(Verdict::of(cmd, &reply, None), Verdict::Final) => Ok(reply),
            sent => Box::pin(self.send_again(cmd, node, sent)).await,
        }
    }

    async fn send_again(&self, cmd: &Cmd, node: NodeId, sent: Result<Value, Failure>) -> RedisResult<Value> {
        let dispatch = Dispatch::resend(cmd, node, sent, &mut self.view());
        self.run(dispatch).await.pop().unwrap_or(Ok(Value::Nil)).map_err(|no_reply| no_reply.error)
    }

    /// Sends commands that may not be this crate's, each to its node.
    async fn send_all(&self, cmds: &[&Cmd]) -> RedisResult<Vec<Value>> {
        let dispatch = Dispatch::of_any(cmds, &self.view());
        let responses = self.run(dispatch).await;
        let nothing_was_sent = responses.iter().all(|response| response.as_ref().is_err_and(|error| error.never_sent));
        let error = |no_reply: Box<NoReply>| {
            if no_reply.never_sent && !nothing_was_sent {
                // That nothing was sent is not true of the others.
                io::Error::other(no_reply.error.to_string()).into()
            } else {
                no_reply.error
            }
        };
        responses.into_iter().map(|response| response.map_err(error)).collect()
    }

    async fn transact(&self, transaction: Transaction<'_>) -> RedisResult<Vec<Value>> {
        let dispatch = Dispatch::transaction(&transaction.pipeline, &self.view());
        let response = self.run(dispatch).await.pop().unwrap_or(Ok(Value::Nil));
        response.map(|reply| transaction.read(reply)).map_err(|no_reply| no_reply.error)
    }

    async fn run(&self, mut dispatch: Dispatch<'_>) -> Vec<Response> {
        let mut in_flight = FuturesUnordered::new();
        loop {
            while let Some(step) = dispatch.next() {
                in_flight.push(self.carry_out(step));
            }
            match in_flight.next().await {
                Some(event) => dispatch.resume(event, &mut self.view()),
                None => return dispatch.finish(),
            }
        }
    }

    async fn carry_out(&self, step: Step) -> Event {
        match step {
            Step::Send(packet, pipeline) => {
                let replies = self.send_request(packet.node, Request::Pipeline(&pipeline)).await;
                Event::Sent(packet, replies)
            }
            Step::Pause { asks_slots, delay } => {
                self.pause(asks_slots, delay).await;
                Event::Paused
            }
        }
    }

    /// Asks for the slots if they may have changed, and waits.
    async fn pause(&self, asks_slots: bool, delay: Duration) {
        if asks_slots {
            let version = self.view().version;
            // If no node answers, the next command says why.
            _ = self.ask_slots(version).await;
        }
        timer::sleep(delay).await;
    }

    /// Asks which node serves which slots, unless this has been asked since that version of the view, or is being asked.
    async fn ask_slots(&self, version: u64) -> RedisResult<()> {
        {
            let mut since = lock(&self.0.asking_since);
            let is_asking = since.is_some_and(|since| since.elapsed() < LONGEST_ASKING);
            if is_asking || self.view().version != version {
                return Ok(());
            }
            *since = Some(Instant::now());
        }
        let asked = self.ask_all_for_slots().await;
        *lock(&self.0.asking_since) = None;
        asked
    }

    /// Asks one node after the other until one serves slots.
    async fn ask_all_for_slots(&self) -> RedisResult<()> {
        let nodes = self.view().in_random_order();
        let mut last_error = (ErrorKind::ClusterConnectionNotFound, "no node serves slots of a cluster").into();
        for node in nodes {
            match self.send_to_node(node, redis::cmd("CLUSTER").arg("SLOTS")).await.map_err(Failure::into_error) {
                Ok(Value::ServerError(error)) => last_error = error.into(),
                Ok(reply) => {
                    if self.view().replace(reply, node) {
                        return Ok(());
                    }
                    // It does not belong to the cluster yet, or not any more.
                }
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    /// Sends a command to one node after the other until one answers.
    pub(crate) async fn send_to_any(&self, cmd: &Cmd) -> RedisResult<Value> {
        let mut last_error = RedisError::from((ErrorKind::ClusterConnectionNotFound, "no node is known"));
        let nodes = self.view().in_random_order();
        for node in nodes {
            match self.send_to_node(node, cmd).await.map_err(Failure::into_error) {
                Ok(Value::ServerError(error)) => last_error = error.into(),
                Ok(reply) => return Ok(reply),
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    fn view(&self) -> MutexGuard<'_, View> {
        lock(&self.0.view)
    }

    fn node(&self, node: NodeId) -> Option<Arc<Node>> {
        let mut nodes = lock(&self.0.nodes);
        while nodes.len() <= node.index() {
            let address = self.view().address(NodeId::of_index(nodes.len())).cloned()?;
            nodes.push(Arc::new(Node::new(&self.0.client, &address)));
        }
        nodes.get(node.index()).map(Arc::clone)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(self.send(cmd))
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        _count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            if let Some(transaction) = Transaction::recognize(pipeline, offset) {
                transaction.commands().try_for_each(check)?;
                return self.transact(transaction).await;
            }
            let cmds: Vec<_> = pipeline.cmd_iter().collect();
            cmds.iter().copied().try_for_each(check)?;
            self.send_all(&cmds).await
        })
    }

    fn get_db(&self) -> i64 {
        0
    }
}
