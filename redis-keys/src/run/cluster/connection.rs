//! The connection, which carries out the actions of [`Dispatch`].

mod discovery;

use std::any::Any;
use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, io};

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use redis::aio::ConnectionLike;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ErrorKind, IntoConnectionInfo, Pipeline, RedisError,
    RedisFuture, RedisResult, Value,
};

use self::discovery::Discovery;
use super::dispatch::{Action, ActionResult, Dispatch, Verdict};
use super::view::{NodeId, View};
use crate::command::Submission;
use crate::command::context::NoReply;
use crate::command::responses::{Response, never_sent};
use crate::command::table::{OnCluster, keys_of, on_cluster, words};
use crate::redis_rs::{self, SentCommand, Words, sent_commands};
use crate::run::connection::{ConnectOptions, SHARED};
use crate::run::exchange::Outgoing;
use crate::run::server_connection::{Failure, ServerConnection, Settings};
use crate::run::shared::SharedSender;
use crate::run::slot_range::Address;
use crate::run::timer;

/// The time after which another task may ask for the slots, because the first can be dropped. One task asks at a time.
const LONGEST_ASKING: Duration = Duration::from_secs(1);

/// Connects to a cluster, given the URL of one of its nodes, in the form of [`redis_keys::connect`](crate::connect).
///
/// It returns immediately, even while the cluster is away, because the first command asks the node for the others. They
/// are reached in the same way, with the same user, password, protocol and TLS. You can also pass an address at which
/// any node answers, for example the address of a service.
///
/// # Errors
///
/// Returns an error if the URL is invalid, does not name a host and a port, or needs a feature that is not enabled. If
/// no node answers, or no node is part of a cluster, each command returns an error instead.
pub fn connect<U: IntoConnectionInfo>(url: U) -> RedisResult<Connection> {
    connect_with([Client::open(url)?], ConnectOptions::new())
}

/// Connects to a cluster, given clients of some of its nodes, with other limits than [`connect`].
///
/// The first node that answers names the others. They are reached in the same way as the first client's server.
///
/// ```
/// use std::time::Duration;
///
/// use redis_keys::{ConnectOptions, cluster, redis::Client};
///
/// # fn main() -> redis_keys::redis::RedisResult<()> {
/// let clients = [Client::open("redis://10.0.0.1/")?, Client::open("redis://10.0.0.2/")?];
/// let con = cluster::connect_with(clients, ConnectOptions::new().with_time_limit(Duration::from_millis(300)))?;
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// Returns an error without clients, and if a client's address is not a host and a port.
pub fn connect_with<C: Borrow<Client>>(
    clients: impl IntoIterator<Item = C>,
    options: ConnectOptions,
) -> RedisResult<Connection> {
    let clients: Vec<_> = clients.into_iter().collect();
    let no_address = || RedisError::from((ErrorKind::InvalidClientConfig, "a cluster is reached by host and port"));
    let addresses: Option<Vec<_>> = clients.iter().map(|client| address_of(client.borrow())).collect();
    let (Some(first), Some(addresses)) = (clients.first(), addresses) else { return Err(no_address()) };
    let ConnectOptions { time_limit, max_waiting } = options;
    Ok(Connection(Arc::new(Inner {
        client: Client::clone(first.borrow()),
        config: options.config().set_response_timeout(Some(time_limit)),
        view: Mutex::new(View::new(addresses)),
        nodes: Mutex::default(),
        discovery: Discovery::new(time_limit, max_waiting),
        silence: time_limit,
        asking_since: Mutex::default(),
    })))
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
/// You need no pool: clones share the connection, and commands of all clones are in flight at the same time.
///
/// You can also send commands that this crate does not have. A command with keys in one slot goes to the slot's node,
/// and a command without a key to one of the nodes. Commands that would answer for one node only, such as KEYS and
/// FLUSHALL, and commands that change a connection, such as WATCH and SUBSCRIBE, are rejected. In a pipeline of
/// redis-rs, commands on the same key keep their order. However, if a command may have several keys, such as
/// SUNIONSTORE, or is not known, each command waits for the reply to the previous command.
#[derive(Clone)]
pub struct Connection(Arc<Inner>);

struct Inner {
    /// The client that reaches the nodes.
    client: Client,
    config: AsyncConnectionConfig,
    view: Mutex<View>,
    nodes: Mutex<BTreeMap<NodeId, Arc<ServerConnection>>>,
    discovery: Discovery,
    /// The time after which a connection is lost if its node does not reply to PING.
    silence: Duration,
    /// The time at which a task began to ask for the slots, if it has no answer yet.
    asking_since: Mutex<Option<Instant>>,
}

/// Shows no address.
impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// Returns the connection, if it is of this type.
    pub(crate) fn recognize(con: &dyn Any) -> Option<Self> {
        con.downcast_ref().cloned()
    }

    /// Sends a submission and returns the responses.
    pub(crate) async fn exchange(&self, submission: &Submission) -> Vec<Response> {
        if submission.len() == 0 {
            return Vec::new();
        }
        if let Err(error) = self.wait_for_nodes().await {
            return submission.alone().iter().map(|_| never_sent(error.clone())).collect();
        }
        let dispatch = Dispatch::new(submission.alone().iter(), &self.view());
        self.run(dispatch).await
    }

    /// Sends a command to the node at an address, once.
    pub(crate) async fn send_to(&self, address: Address, cmd: &Cmd) -> RedisResult<Value> {
        self.wait_for_nodes().await?;
        let node = self.view().id(address);
        self.send_to_node(node, cmd).await.map_err(Failure::into_error)
    }

    /// Sends a command to all primaries, and returns the replies by their addresses.
    pub(crate) async fn send_to_primaries(&self, cmd: &Cmd) -> RedisResult<Value> {
        self.wait_for_nodes().await?;
        let primaries = self.view().primaries().to_vec();
        let mut replies = Vec::with_capacity(primaries.len());
        for node in primaries {
            let reply = self.send_to_node(node, cmd).await.map_err(Failure::into_error)?;
            let address = self.view().address(node).map(|address| format!("{}:{}", address.host, address.port));
            replies.push((Value::BulkString(address.unwrap_or_default().into_bytes()), reply));
        }
        Ok(Value::Map(replies))
    }

    async fn send_request(&self, node: NodeId, request: Outgoing<'_>) -> Result<Vec<Value>, Failure> {
        let node = self.node(node).map_err(Failure::Unsent)?;
        let mut lease = node.lease().await.map_err(Failure::Unsent)?;
        match request {
            Outgoing::Command(cmd) => lease.send(&cmd).await.map(|reply| vec![reply]),
            Outgoing::Pipeline(pipeline) => lease.send_all(pipeline, 0, pipeline.len()).await,
        }
    }

    async fn send_to_node(&self, node: NodeId, cmd: &Cmd) -> Result<Value, Failure> {
        let mut replies = self.send_request(node, Outgoing::Command(Cow::Borrowed(cmd))).await?;
        Ok(replies.pop().unwrap_or(Value::Nil))
    }

    /// Sends a command. Usually the first attempt is the only attempt.
    async fn send(&self, cmd: &Cmd) -> RedisResult<Value> {
        check(cmd)?;
        self.wait_for_nodes().await?;
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
        if cmds.is_empty() {
            return Ok(Vec::new());
        }
        self.wait_for_nodes().await?;
        let dispatch = Dispatch::of_any(cmds, &self.view());
        let responses = self.run(dispatch).await;
        let nothing_was_sent = responses.iter().all(|response| response.as_ref().is_err_and(|error| error.never_sent));
        let error = |no_reply: Box<NoReply>| {
            if no_reply.never_sent && !nothing_was_sent {
                // Other commands may have been sent.
                io::Error::other(no_reply.error.to_string()).into()
            } else {
                no_reply.error
            }
        };
        responses.into_iter().map(|response| response.map_err(error)).collect()
    }

    async fn transact(&self, transaction: Transaction<'_>) -> RedisResult<Vec<Value>> {
        self.wait_for_nodes().await?;
        let dispatch = Dispatch::transaction(&transaction.pipeline, &self.view());
        let response = self.run(dispatch).await.pop().unwrap_or(Ok(Value::Nil));
        response.map(|reply| transaction.read(reply)).map_err(|no_reply| no_reply.error)
    }

    async fn run(&self, mut dispatch: Dispatch<'_>) -> Vec<Response> {
        let mut in_flight = FuturesUnordered::new();
        loop {
            while let Some(action) = dispatch.next() {
                in_flight.push(self.carry_out(action));
            }
            match in_flight.next().await {
                Some(result) => dispatch.resume(result, &mut self.view()),
                None => return dispatch.finish(),
            }
        }
    }

    async fn carry_out(&self, action: Action) -> ActionResult {
        match action {
            Action::Send(packet, pipeline) => {
                let replies = self.send_request(packet.node, Outgoing::Pipeline(&pipeline)).await;
                ActionResult::Sent(packet, replies)
            }
            Action::Pause { asks_slots, delay } => {
                self.pause(asks_slots, delay).await;
                ActionResult::Paused
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

    /// Asks which node serves which slots, unless this has been asked since that version of the view, or is being
    /// asked.
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

    /// Asks one node after the other until a node serves slots.
    async fn ask_all_for_slots(&self) -> RedisResult<()> {
        let nodes = self.view().in_random_order();
        let mut last_error = (ErrorKind::ClusterConnectionNotFound, "no node serves slots of a cluster").into();
        for node in nodes {
            match self.send_to_node(node, redis::cmd("CLUSTER").arg("SLOTS")).await.map_err(Failure::into_error) {
                Ok(Value::ServerError(error)) => last_error = error.into(),
                Ok(reply) => {
                    if self.view().replace(reply, node) {
                        self.close_forgotten();
                        return Ok(());
                    }
                    // It does not belong to the cluster yet, or not any more.
                }
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    /// Sends a command to one node after the other until a node answers.
    pub(crate) async fn send_to_any(&self, cmd: &Cmd) -> RedisResult<Value> {
        self.wait_for_nodes().await?;
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

    /// A client of the node that serves a channel, as far as is known.
    pub(crate) fn client_of(&self, channel: &[u8]) -> RedisResult<Client> {
        let view = self.view();
        let unknown = || RedisError::from((ErrorKind::ClusterConnectionNotFound, "no node is known"));
        client_of(&self.0.client, view.address(view.node_of(Some(channel))).ok_or_else(unknown)?)
    }

    /// The number of times that slots were found at other nodes than before.
    #[cfg(feature = "cache")]
    pub(crate) fn changes(&self) -> u64 {
        self.view().changes
    }

    /// The address of the primary that serves a key, as far as is known.
    #[cfg(feature = "cache")]
    pub(crate) fn primary_of(&self, key: &[u8]) -> Option<String> {
        let view = self.view();
        view.address(view.node_of(Some(key))).map(|address| format!("{}:{}", address.host, address.port))
    }

    pub(crate) fn config(&self) -> &AsyncConnectionConfig {
        &self.0.config
    }

    /// Asks which node serves which slots, since some may have moved.
    pub(crate) async fn refresh(&self) -> RedisResult<()> {
        if !self.view().is_known() {
            return self.wait_for_nodes().await;
        }
        let version = self.view().version;
        self.ask_slots(version).await
    }

    fn view(&self) -> MutexGuard<'_, View> {
        lock(&self.0.view)
    }

    fn node(&self, node: NodeId) -> RedisResult<Arc<ServerConnection>> {
        let unknown = || RedisError::from((ErrorKind::ClusterConnectionNotFound, "no node is known"));
        let mut nodes = lock(&self.0.nodes);
        if let Some(known) = nodes.get(&node) {
            return Ok(Arc::clone(known));
        }
        let client = client_of(&self.0.client, self.view().address(node).ok_or_else(unknown)?)?;
        let settings = Settings {
            config: self.0.config.clone(),
            // The caller tries again, perhaps on another node.
            patience: Duration::ZERO,
            max_waiting: usize::MAX,
            silence: self.0.silence,
        };
        let new = Arc::new(ServerConnection::new(client, settings));
        nodes.insert(node, Arc::clone(&new));
        Ok(new)
    }

    /// Closes the connections to forgotten addresses.
    fn close_forgotten(&self) {
        let mut nodes = lock(&self.0.nodes);
        let view = self.view();
        nodes.retain(|node, _| view.address(*node).is_some());
    }
}

/// A client that reaches a node in the same way as another node of the cluster.
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

/// Rejects commands that need each node, or a connection that is not shared.
fn check<'c>(cmd: impl Words<'c>) -> RedisResult<()> {
    let why = match on_cluster(cmd) {
        OnCluster::Routed => return Ok(()),
        OnCluster::EachNode => "this command would answer for one node of the cluster only",
        OnCluster::OwnConnection => SHARED,
    };
    Err((ErrorKind::Client, why).into())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedSender for Connection {
    fn send_one<'a>(&'a self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(self.send(cmd))
    }

    fn send_pipeline<'a>(
        &'a self,
        pipeline: &'a Pipeline,
        offset: usize,
        _count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            if let Some(transaction) = Transaction::recognize(pipeline, offset) {
                transaction.commands().try_for_each(check)?;
                return self.transact(transaction).await;
            }
            let cmds: Vec<_> = redis_rs::commands(pipeline).collect();
            let cmds: Vec<_> = cmds.iter().collect();
            cmds.iter().copied().try_for_each(check)?;
            self.send_all(&cmds).await
        })
    }

    fn db(&self) -> i64 {
        0
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

/// A pipeline from MULTI to EXEC.
struct Transaction<'p> {
    pipeline: Cow<'p, Pipeline>,
    /// Whether only the reply to EXEC is asked for.
    only_exec: bool,
}

impl<'p> Transaction<'p> {
    /// Either MULTI and EXEC are among the commands, or redis-rs adds them and skips all replies but the last one.
    fn recognize(pipeline: &'p Pipeline, skipped: usize) -> Option<Self> {
        if skipped > 0 {
            let mut plain = Pipeline::new();
            plain.add_command(redis::cmd("MULTI"));
            redis_rs::commands(pipeline).for_each(|cmd| _ = plain.add_command(cmd));
            plain.add_command(redis::cmd("EXEC"));
            return Some(Self { pipeline: Cow::Owned(plain), only_exec: true });
        }
        let is = |cmd: Option<SentCommand<'_>>, name: &[u8]| {
            cmd.and_then(|cmd| words(cmd).next()).is_some_and(|word| word.eq_ignore_ascii_case(name))
        };
        let is_whole = is(sent_commands(pipeline).next(), b"MULTI") && is(sent_commands(pipeline).last(), b"EXEC");
        is_whole.then_some(Self { pipeline: Cow::Borrowed(pipeline), only_exec: false })
    }

    /// The commands between MULTI and EXEC.
    fn commands(&self) -> impl Iterator<Item = SentCommand<'_>> {
        let len = self.pipeline.len().saturating_sub(2);
        sent_commands(&self.pipeline).skip(1).take(len)
    }

    /// The replies that were asked for.
    fn read(&self, reply: Value) -> Vec<Value> {
        match reply {
            Value::Array(mut replies) if self.only_exec => replies.pop().into_iter().collect(),
            Value::Array(replies) => replies,
            other => vec![other],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_to_forgotten_addresses_are_closed() {
        let address = |port| Address { host: "a".into(), port };
        let con = connect("redis://a:1").unwrap();
        let [given, other] = [1, 2].map(|port| con.view().id(address(port)));
        let nodes = || lock(&con.0.nodes).keys().copied().collect::<Vec<_>>();
        for node in [given, other] {
            con.node(node).unwrap();
        }
        con.close_forgotten();
        assert_eq!(nodes(), [given, other]);
        con.view().forget(Instant::now() + Duration::from_secs(100));
        con.close_forgotten();
        drop(con.node(other));
        assert_eq!(nodes(), [given]);
    }
}
