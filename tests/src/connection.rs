//! One interface to every kind of connection.

use std::borrow::Borrow;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _};
use redis::aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection};
use redis::cluster::{ClusterClient, ClusterConnection};
use redis::{
    AsyncConnectionConfig, Client, Connection, ConnectionLike, FromRedisValue, ProtocolVersion, cluster_async,
};
use redis_keys::legacy_key::{LegacyKey, TakenOver};
use redis_keys::purge::PurgeResult;
use redis_keys::scan::{KeyScan, Scan};
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys::types::copies::{CopiedKey, GetCopy};
use redis_keys::types::string::Update;
use redis_keys::{
    Batch, Command, ConnectOptions, Error, ParseKey, RedisKey, Stored, StringKey, atomic, batch, cluster,
};
use tokio::runtime::{Builder, Runtime};

use crate::user::{with_user, without_user};

/// Longer than the half second of redis-rs, which is too short for a busy machine.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// A connection of redis-rs under test, and plain connections to inspect its effects.
pub struct Con {
    typed: TypedConnection,
    plain: Box<dyn ConnectionLike + Send>,
    /// A connection to each server that holds keys.
    servers: Vec<Connection>,
    /// The addresses of the servers that hold keys, for further connections.
    urls: Vec<String>,
}

enum TypedConnection {
    Blocking(Connection),
    Multiplexed(MultiplexedConnection, Runtime),
    Manager(ConnectionManager, Runtime),
    BlockingCluster(Box<ClusterConnection>),
    AsyncCluster(cluster_async::ClusterConnection, Runtime),
    Nodes(cluster::Connection, Runtime),
    Own(redis_keys::Connection, Runtime),
}

impl TypedConnection {
    fn blocking_cluster(client: &ClusterClient) -> Self {
        Self::BlockingCluster(Box::new(connect_to_cluster(client)))
    }

    fn async_cluster(client: &ClusterClient) -> Self {
        let runtime = runtime();
        let con = runtime.block_on(client.get_async_connection()).expect("the cluster replies");
        Self::AsyncCluster(con, runtime)
    }

    fn nodes(urls: &[String], protocol: ProtocolVersion) -> Self {
        let runtime = runtime();
        let protocol = if protocol == ProtocolVersion::RESP3 { "resp3" } else { "resp2" };
        let clients: Vec<_> = urls.iter().map(|url| client(&format!("{url}?protocol={protocol}"))).collect();
        let options = ConnectOptions::new().with_time_limit(RESPONSE_TIMEOUT);
        let con = cluster::connect_with(&clients, options).expect("the addresses are valid");
        Self::Nodes(con, runtime)
    }
}

/// Evaluates the first expression on a blocking connection, or awaits the second on an asynchronous one.
macro_rules! on {
    ($typed:expr, $con:ident => $blocking:expr, $asynchronous:expr) => {
        match $typed {
            TypedConnection::Blocking($con) => $blocking,
            TypedConnection::BlockingCluster(con) => {
                let $con = &mut **con;
                $blocking
            }
            TypedConnection::Multiplexed($con, runtime) => runtime.block_on($asynchronous),
            TypedConnection::Manager($con, runtime) => runtime.block_on($asynchronous),
            TypedConnection::AsyncCluster($con, runtime) => runtime.block_on($asynchronous),
            TypedConnection::Nodes($con, runtime) => runtime.block_on($asynchronous),
            TypedConnection::Own($con, runtime) => runtime.block_on($asynchronous),
        }
    };
}

impl Con {
    /// Opens a blocking connection.
    pub fn blocking(url: &str) -> Self {
        Self::to_server(url, TypedConnection::Blocking(plain(url)))
    }

    /// Opens a multiplexed connection.
    pub fn multiplexed(url: &str) -> Self {
        Self::open_multiplexed(url, &AsyncConnectionConfig::new().set_response_timeout(Some(RESPONSE_TIMEOUT)))
    }

    /// Opens a multiplexed connection with the default timeouts of redis-rs.
    pub fn with_default_timeouts(url: &str) -> Self {
        Self::open_multiplexed(url, &AsyncConnectionConfig::new())
    }

    fn open_multiplexed(url: &str, config: &AsyncConnectionConfig) -> Self {
        let runtime = runtime();
        let con = runtime.block_on(client(url).get_multiplexed_async_connection_with_config(config));
        Self::to_server(url, TypedConnection::Multiplexed(con.expect("the server replies"), runtime))
    }

    /// Opens a connection manager, which reconnects automatically.
    pub fn manager(url: &str) -> Self {
        let runtime = runtime();
        let config = ConnectionManagerConfig::new().set_response_timeout(Some(RESPONSE_TIMEOUT));
        let con = runtime.block_on(client(url).get_connection_manager_with_config(config)).expect("the server replies");
        Self::to_server(url, TypedConnection::Manager(con, runtime))
    }

    /// Opens a connection of this crate.
    pub fn own(url: &str) -> Self {
        let options = ConnectOptions::new().with_time_limit(RESPONSE_TIMEOUT);
        let con = redis_keys::connect_with(client(url), options).expect("it is supported");
        Self::to_server(url, TypedConnection::Own(con, runtime()))
    }

    /// Opens a blocking connection to a cluster.
    pub fn blocking_cluster(cluster: &Cluster, protocol: ProtocolVersion) -> Self {
        Self::to_cluster(
            cluster,
            protocol,
            TypedConnection::blocking_cluster(&cluster_client(user_urls(cluster), protocol)),
        )
    }

    /// Opens an asynchronous connection to a cluster.
    pub fn async_cluster(cluster: &Cluster, protocol: ProtocolVersion) -> Self {
        Self::to_cluster(
            cluster,
            protocol,
            TypedConnection::async_cluster(&cluster_client(user_urls(cluster), protocol)),
        )
    }

    /// Opens a connection of this crate to a cluster.
    pub fn nodes(cluster: &Cluster, protocol: ProtocolVersion) -> Self {
        Self::to_cluster(cluster, protocol, TypedConnection::nodes(&user_urls(cluster), protocol))
    }

    /// Opens a blocking connection to a cluster of one fake server.
    pub fn fake_blocking_cluster(url: &str, protocol: ProtocolVersion) -> Self {
        Self::to_server(url, TypedConnection::blocking_cluster(&impatient_client(url, protocol)))
    }

    /// Opens an asynchronous connection to a cluster of one fake server.
    pub fn fake_async_cluster(url: &str, protocol: ProtocolVersion) -> Self {
        Self::to_server(url, TypedConnection::async_cluster(&impatient_client(url, protocol)))
    }

    /// Opens a connection of this crate to a cluster of one fake server.
    pub fn fake_nodes(url: &str, protocol: ProtocolVersion) -> Self {
        Self::to_server(url, TypedConnection::nodes(&[url.to_owned()], protocol))
    }

    fn to_server(url: &str, typed: TypedConnection) -> Self {
        let url = &*without_user(url);
        Self { typed, plain: Box::new(plain(url)), servers: vec![plain(url)], urls: vec![url.to_owned()] }
    }

    fn to_cluster(cluster: &Cluster, protocol: ProtocolVersion, typed: TypedConnection) -> Self {
        let routed = connect_to_cluster(&cluster_client(cluster.urls(), protocol));
        let nodes = cluster.nodes().expect("the cluster replies");
        let urls: Vec<_> = nodes.iter().filter(|node| node.is_primary()).map(ClusterNode::url).collect();
        Self { typed, plain: Box::new(routed), servers: urls.iter().map(|url| plain(url)).collect(), urls }
    }

    /// Runs a command of redis-keys.
    pub fn run<T>(&mut self, command: impl Into<Command<T>>) -> Result<T, Error> {
        on!(&mut self.typed, con => command.into().query(con), command.into().run(con))
    }

    /// Runs a batch.
    pub fn batch<B: Batch>(&mut self, commands: B) -> Result<B::Output, Error> {
        on!(&mut self.typed, con => batch(commands).query(con), batch(commands).run(con))
    }

    /// Runs a batch and returns the result of each command.
    pub fn batch_each<B: Batch>(&mut self, commands: B) -> B::Each {
        on!(&mut self.typed, con => batch(commands).query_each(con), batch(commands).run_each(con))
    }

    /// Runs an atomic group.
    pub fn atomic<B: Batch>(&mut self, commands: B) -> Result<B::Output, Error> {
        on!(&mut self.typed, con => atomic(commands).query(con), atomic(commands).run(con))
    }

    /// Takes a key over and runs a command.
    pub fn take_over_and<T>(&mut self, key: &impl LegacyKey, command: Command<T>) -> (TakenOver, T) {
        let group = key.take_over_and(command);
        on!(&mut self.typed, con => group.query(con), group.run(con)).expect("the server executes the group")
    }

    /// Runs an update.
    pub fn update<K, F, N>(&mut self, update: Update<'_, K, F>) -> Result<N, Error>
    where
        K: StringKey,
        F: FnMut(Option<<K::Value as Stored>::Output>) -> N,
        N: Borrow<<K::Value as Stored>::Input>,
    {
        on!(&mut self.typed, con => update.query(con), update.run(con))
    }

    /// Purges a key.
    pub fn purge(&mut self, key: &impl RedisKey) -> Result<PurgeResult, Error> {
        on!(&mut self.typed, con => key.purge().query(con), key.purge().run(con))
    }

    /// Reads a key with copies.
    pub fn get_copy<K: CopiedKey>(
        &mut self,
        get: GetCopy<'_, K>,
    ) -> Result<Option<<K::Value as Stored>::Output>, Error> {
        on!(&mut self.typed, con => get.query(con), get.run(con))
    }

    /// Returns whether the connection supports pipelines: all but a blocking connection to a cluster do.
    pub fn has_pipelines(&self) -> bool {
        !matches!(self.typed, TypedConnection::BlockingCluster(_))
    }

    /// Returns whether fields of hashes can expire: in Redis since 7.4, in Valkey since 9.
    pub fn supports_field_expiry(&mut self) -> bool {
        let known: Vec<Option<Vec<redis::Value>>> = self.raw(&["COMMAND", "INFO", "HPEXPIRE"]);
        known.first().is_some_and(Option::is_some)
    }

    /// Returns the address of the server.
    pub fn url(&self) -> &str {
        &self.urls[0]
    }

    /// Returns the addresses of the servers that hold keys: one, or the primaries of a cluster.
    pub fn server_urls(&self) -> &[String] {
        &self.urls
    }

    /// Opens another blocking connection to the same server.
    pub fn new_connection(&self) -> Self {
        Self::blocking(self.url())
    }

    /// Runs a command that must succeed, and returns its result.
    #[track_caller]
    pub fn ok<T>(&mut self, command: impl Into<Command<T>>) -> T {
        match self.run(command) {
            Ok(result) => result,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a command that must be rejected before it is sent, and returns the error.
    #[track_caller]
    pub fn refused<T>(&mut self, command: impl Into<Command<T>>) -> Error {
        let before = self.commands_processed();
        let error = self.error(command);
        assert_eq!(error.sent(), redis_keys::SendStatus::No, "{error}");
        assert_eq!(self.commands_processed(), before, "a command was sent before the error: {error}");
        error
    }

    /// Runs a command that must fail, and returns the error.
    #[track_caller]
    pub fn error<T>(&mut self, command: impl Into<Command<T>>) -> Error {
        match self.run(command) {
            Ok(_) => panic!("the command does not fail"),
            Err(error) => error,
        }
    }

    /// Collects the elements of a scan, or returns its error.
    pub fn scan<T: Send>(&mut self, scan: Scan<T>) -> Result<Vec<T>, Error> {
        on!(&mut self.typed, con => scan.iter(con).collect(), scan.stream(con).try_collect())
    }

    /// Collects a whole collection, or returns the error.
    pub fn collect<T: Send>(&mut self, scan: Scan<T>) -> Result<Vec<T>, Error> {
        on!(&mut self.typed, con => scan.query(con), scan.collect(con))
    }

    /// Collects the keys of a scan, or returns its error.
    pub fn scan_keys<K: for<'k> ParseKey<'k> + Send>(&mut self, scan: KeyScan<K>) -> Result<Vec<K>, Error> {
        on!(&mut self.typed, con => scan.iter(con).collect(), scan.stream(con).try_collect())
    }

    /// Calls a function with each key of a scan before the next one is read.
    pub fn each_key<K: for<'k> ParseKey<'k> + Send>(&mut self, scan: KeyScan<K>, mut visit: impl FnMut(K)) {
        self.each_result(scan, |key| visit(key.expect("the scan succeeds")));
    }

    /// Calls a function with each result of a scan, of which the last may be an error.
    pub fn each_result<K: for<'k> ParseKey<'k> + Send>(
        &mut self,
        scan: KeyScan<K>,
        visit: impl FnMut(Result<K, Error>),
    ) {
        on!(&mut self.typed, con => scan.iter(con).for_each(visit), scan.stream(con).map(visit).collect::<()>());
    }

    /// Calls a function while the server, or every node of a cluster, has no memory for writes.
    pub fn without_memory<T>(&mut self, call: impl FnOnce(&mut Self) -> T) -> T {
        let _: String = self.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let result = call(self);
        let _: String = self.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        result
    }

    /// Makes the server forget all scripts.
    #[track_caller]
    pub fn forget_scripts(&mut self) {
        let _: String = self.raw(&["SCRIPT", "FLUSH"]);
    }

    /// Runs any command on a plain connection; on a cluster on the node of its key, or on all nodes if redis-rs does
    /// so.
    #[track_caller]
    pub fn raw<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]);
        match command.query(&mut *self.plain) {
            Ok(reply) => reply,
            Err(error) => panic!("{words:?}: {error}"),
        }
    }

    /// Replaces the bytes of a string, which keeps its expiry.
    #[track_caller]
    pub fn put(&mut self, key: &str, value: &[u8]) {
        let set = redis::cmd("SET").arg(key).arg(value).arg("KEEPTTL").exec(&mut *self.plain);
        set.expect("the string is replaced");
    }

    /// Returns the reply to INFO, of all primaries if it is a cluster.
    pub fn info(&mut self, section: &str) -> String {
        self.each_info(section).concat()
    }

    /// Returns the remaining time of a key in milliseconds; -1 without an expiry, -2 without the key.
    #[track_caller]
    pub fn pttl(&mut self, key: &str) -> i64 {
        self.raw(&["PTTL", key])
    }

    /// Asserts the remaining time of a key, with a tolerance for slow machines.
    #[track_caller]
    pub fn assert_left(&mut self, key: &str, ms: i64) {
        let left = self.pttl(key);
        assert!((ms - 5_000..=ms).contains(&left), "{key} has {left} ms left, not {ms}");
    }

    /// Asserts that every key of the database, or of all primaries, has an expiry, except those of the module `never`.
    #[track_caller]
    pub fn assert_all_expire(&mut self) {
        for key in self.raw::<Vec<String>>(&["KEYS", "*"]) {
            let left = self.pttl(&key);
            assert_eq!(left == -1, key.starts_with("never:"), "{key} has {left} ms left");
        }
    }

    /// The number of commands that the servers got, but for those that connections send by themselves at any time.
    fn commands_processed(&mut self) -> u64 {
        const OF_CONNECTIONS: [&str; 8] = ["asking", "auth", "client", "cluster", "hello", "info", "ping", "readonly"];
        let calls = |line: &str| {
            let (name, counts) = line.strip_prefix("cmdstat_")?.split_once(':')?;
            let is_of_connection = OF_CONNECTIONS.contains(&name.split('|').next()?);
            let numbers = counts.split(',').filter_map(|count| count.split_once('='));
            let numbers = numbers.filter(|(name, _)| ["calls", "rejected_calls"].contains(name));
            Some(if is_of_connection { 0 } else { numbers.filter_map(|(_, count)| count.parse::<u64>().ok()).sum() })
        };
        self.each_info("commandstats").iter().flat_map(|info| info.lines()).filter_map(calls).sum()
    }

    fn each_info(&mut self, section: &str) -> Vec<String> {
        let replies = self.servers.iter_mut().map(|server| redis::cmd("INFO").arg(section).query(server));
        replies.map(|reply| reply.expect("servers reply to INFO")).collect()
    }
}

/// The addresses of a cluster, with the user of the tests.
fn user_urls(cluster: &Cluster) -> Vec<String> {
    cluster.urls().iter().map(|url| with_user(url)).collect()
}

fn client(url: &str) -> Client {
    Client::open(url).expect("the address is valid")
}

fn plain(url: &str) -> Connection {
    client(url).get_connection().expect("the server replies")
}

fn cluster_client(urls: Vec<String>, protocol: ProtocolVersion) -> ClusterClient {
    let client = ClusterClient::builder(urls).use_protocol(protocol).response_timeout(RESPONSE_TIMEOUT).build();
    client.expect("the addresses are valid")
}

/// A client that gives up soon.
fn impatient_client(url: &str, protocol: ProtocolVersion) -> ClusterClient {
    let builder = ClusterClient::builder([url]).use_protocol(protocol).response_timeout(RESPONSE_TIMEOUT);
    let client = builder.retries(2).retry_wait_formula(1, 1).min_retry_wait(1).max_retry_wait(2).build();
    client.expect("the address is valid")
}

fn connect_to_cluster(client: &ClusterClient) -> ClusterConnection {
    client.get_connection().expect("the cluster replies")
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}
