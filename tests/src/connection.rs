//! One way to talk, whatever the connection behind it.

use std::borrow::Borrow;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _};
use redis::aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection};
use redis::cluster::{ClusterClient, ClusterConnection};
use redis::{
    AsyncConnectionConfig, Client, Connection, ConnectionLike, FromRedisValue, ProtocolVersion, cluster_async,
};
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys::{
    Batch, Command, CopiedKey, Error, ParseKey, RedisKey, Scan, Stored, StringKey, atomic, batch, copies::GetCopy,
    purge::Purged, scan::KeyScan, string::Update,
};
use tokio::runtime::{Builder, Runtime};

/// A machine with much to do is no fault of the server's; redis-rs waits for half a second.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection of redis-rs, and others beside it for looking at what the first did.
pub struct Con {
    typed: Typed,
    plain: Box<dyn ConnectionLike + Send>,
    /// One to each server that holds keys.
    servers: Vec<Connection>,
    /// Where further connections lead to: the servers that hold keys.
    urls: Vec<String>,
}

enum Typed {
    Blocking(Connection),
    Multiplexed(MultiplexedConnection, Runtime),
    Manager(ConnectionManager, Runtime),
    BlockingCluster(Box<ClusterConnection>),
    AsyncCluster(cluster_async::ClusterConnection, Runtime),
}

/// Does one thing on a connection that blocks, or the other and waits for it, each with the connection's own type.
macro_rules! on {
    ($typed:expr, $con:ident => $blocking:expr, $asynchronous:expr) => {
        match $typed {
            Typed::Blocking($con) => $blocking,
            Typed::BlockingCluster(con) => {
                let $con = &mut **con;
                $blocking
            }
            Typed::Multiplexed($con, runtime) => runtime.block_on($asynchronous),
            Typed::Manager($con, runtime) => runtime.block_on($asynchronous),
            Typed::AsyncCluster($con, runtime) => runtime.block_on($asynchronous),
        }
    };
}

impl Con {
    /// One that blocks.
    ///
    /// # Panics
    /// When the server cannot be reached: nothing can be tested then.
    pub fn blocking(url: &str) -> Self {
        Self::to_server(url, Typed::Blocking(plain(url)))
    }

    /// One that is shared by tasks.
    ///
    /// # Panics
    /// When the server cannot be reached.
    pub fn multiplexed(url: &str) -> Self {
        Self::shared(url, &AsyncConnectionConfig::new().set_response_timeout(Some(PATIENCE)))
    }

    /// The same with the time-outs that redis-rs has by itself.
    ///
    /// # Panics
    /// When the server cannot be reached.
    pub fn impatient(url: &str) -> Self {
        Self::shared(url, &AsyncConnectionConfig::new())
    }

    fn shared(url: &str, config: &AsyncConnectionConfig) -> Self {
        let runtime = runtime();
        let con = runtime.block_on(client(url).get_multiplexed_async_connection_with_config(config));
        Self::to_server(url, Typed::Multiplexed(con.expect("the server answers"), runtime))
    }

    /// One that is shared by tasks, and connects again when it is lost.
    ///
    /// # Panics
    /// When the server cannot be reached.
    pub fn manager(url: &str) -> Self {
        let runtime = runtime();
        let config = ConnectionManagerConfig::new().set_response_timeout(Some(PATIENCE));
        let con = runtime.block_on(client(url).get_connection_manager_with_config(config)).expect("the server answers");
        Self::to_server(url, Typed::Manager(con, runtime))
    }

    /// One to a cluster that blocks.
    ///
    /// # Panics
    /// When the cluster cannot be reached.
    pub fn blocking_cluster(cluster: &Cluster, protocol: ProtocolVersion) -> Self {
        let con = cluster_client(cluster, protocol).get_connection().expect("the cluster answers");
        Self::to_cluster(cluster, protocol, Typed::BlockingCluster(Box::new(con)))
    }

    /// One to a cluster that is shared by tasks.
    ///
    /// # Panics
    /// When the cluster cannot be reached.
    pub fn async_cluster(cluster: &Cluster, protocol: ProtocolVersion) -> Self {
        let runtime = runtime();
        let client = cluster_client(cluster, protocol);
        let con = runtime.block_on(client.get_async_connection()).expect("the cluster answers");
        Self::to_cluster(cluster, protocol, Typed::AsyncCluster(con, runtime))
    }

    fn to_server(url: &str, typed: Typed) -> Self {
        Self { typed, plain: Box::new(plain(url)), servers: vec![plain(url)], urls: vec![url.to_owned()] }
    }

    fn to_cluster(cluster: &Cluster, protocol: ProtocolVersion, typed: Typed) -> Self {
        let routed = cluster_client(cluster, protocol).get_connection().expect("the cluster answers");
        let nodes = cluster.nodes().expect("the cluster answers");
        let urls: Vec<_> = nodes.iter().filter(|node| node.is_primary()).map(ClusterNode::url).collect();
        Self { typed, plain: Box::new(routed), servers: urls.iter().map(|url| plain(url)).collect(), urls }
    }

    /// Runs one of our commands.
    ///
    /// # Errors
    /// Those of the command.
    pub fn run<T>(&mut self, command: impl Into<Command<T>>) -> Result<T, Error> {
        on!(&mut self.typed, con => command.into().query(con), command.into().query_async(con))
    }

    /// Runs several of our commands at once.
    ///
    /// # Errors
    /// The first of theirs.
    pub fn batch<B: Batch>(&mut self, commands: B) -> Result<B::Output, Error> {
        on!(&mut self.typed, con => batch(commands).query(con), batch(commands).query_async(con))
    }

    /// Runs several of our commands at once, and gives the result of each.
    pub fn batch_each<B: Batch>(&mut self, commands: B) -> B::Each {
        on!(&mut self.typed, con => batch(commands).query_each(con), batch(commands).query_each_async(con))
    }

    /// Runs several of our commands together or not at all.
    ///
    /// # Errors
    /// The first of theirs.
    pub fn atomic<B: Batch>(&mut self, commands: B) -> Result<B::Output, Error> {
        on!(&mut self.typed, con => atomic(commands).query(con), atomic(commands).query_async(con))
    }

    /// Runs an update.
    ///
    /// # Errors
    /// Those of the update.
    pub fn update<K, F, N>(&mut self, update: Update<'_, K, F>) -> Result<N, Error>
    where
        K: StringKey,
        F: FnMut(Option<<K::Value as Stored>::Output>) -> N,
        N: Borrow<<K::Value as Stored>::Input>,
    {
        on!(&mut self.typed, con => update.query(con), update.query_async(con))
    }

    /// Removes a key step by step.
    ///
    /// # Errors
    /// Those of the purge.
    pub fn purge(&mut self, key: &impl RedisKey) -> Result<Purged, Error> {
        on!(&mut self.typed, con => key.purge().query(con), key.purge().query_async(con))
    }

    /// Reads a hot key.
    ///
    /// # Errors
    /// As [`GetCopy::query`].
    pub fn get_copy<K: CopiedKey>(
        &mut self,
        get: GetCopy<'_, K>,
    ) -> Result<Option<<K::Value as Stored>::Output>, Error> {
        on!(&mut self.typed, con => get.query(con), get.query_async(con))
    }

    /// Whether it takes several commands at once, which a blocking connection to a cluster does not.
    pub fn has_pipelines(&self) -> bool {
        !matches!(self.typed, Typed::BlockingCluster(_))
    }

    /// Where the connection leads to.
    pub fn url(&self) -> &str {
        &self.urls[0]
    }

    /// Where the servers are that hold keys: one, or the primaries of a cluster.
    pub fn server_urls(&self) -> &[String] {
        &self.urls
    }

    /// A further blocking connection to the same server.
    ///
    /// # Panics
    /// When it cannot be reached.
    pub fn beside(&self) -> Self {
        Self::blocking(self.url())
    }

    /// Runs one of our commands that has to succeed.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn ok<T>(&mut self, command: impl Into<Command<T>>) -> T {
        match self.run(command) {
            Ok(done) => done,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs one of our commands that has to be refused on this side: the server must not see it.
    ///
    /// # Panics
    /// When it is not refused, or when something was sent.
    #[track_caller]
    pub fn refused<T>(&mut self, command: impl Into<Command<T>>) -> Error {
        let before = self.commands_processed();
        let error = self.error(command);
        assert_eq!(error.sent(), redis_keys::Sent::No, "{error}");
        let asked = self.servers.len() as u64;
        assert_eq!(self.commands_processed(), before + asked, "something was sent, and then: {error}");
        error
    }

    /// Runs one of our commands that has to fail.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn error<T>(&mut self, command: impl Into<Command<T>>) -> Error {
        match self.run(command) {
            Ok(_) => panic!("this had to be an error"),
            Err(error) => error,
        }
    }

    /// Takes all elements of a scan, or those up to an error.
    ///
    /// # Errors
    /// Those of the scan.
    pub fn scan<T: Send>(&mut self, scan: Scan<T>) -> Result<Vec<T>, Error> {
        on!(&mut self.typed, con => scan.iter(con).collect(), scan.stream(con).try_collect())
    }

    /// Takes all keys of a scan, or those up to an error.
    ///
    /// # Errors
    /// Those of the scan.
    pub fn scan_keys<K: for<'k> ParseKey<'k> + Send>(&mut self, scan: KeyScan<K>) -> Result<Vec<K>, Error> {
        on!(&mut self.typed, con => scan.iter(con).collect(), scan.stream(con).try_collect())
    }

    /// Takes all keys of a scan, and does something with each before it takes the next.
    ///
    /// # Panics
    /// When the scan fails.
    pub fn each_key<K: for<'k> ParseKey<'k> + Send>(&mut self, scan: KeyScan<K>, mut look: impl FnMut(K)) {
        self.each_result(scan, |key| look(key.expect("there are no errors")));
    }

    /// The same with the error that may come last.
    pub fn each_result<K: for<'k> ParseKey<'k> + Send>(
        &mut self,
        scan: KeyScan<K>,
        look: impl FnMut(Result<K, Error>),
    ) {
        on!(&mut self.typed, con => scan.iter(con).for_each(look), scan.stream(con).map(look).collect::<()>());
    }

    /// Makes the server forget all scripts.
    #[track_caller]
    pub fn forget_scripts(&mut self) {
        let _: String = self.raw(&["SCRIPT", "FLUSH"]);
    }

    /// Runs any command on the other connection; on a cluster where its key belongs, or on all nodes if it is of that kind.
    ///
    /// # Panics
    /// When it fails.
    #[track_caller]
    pub fn raw<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]);
        match command.query(&mut *self.plain) {
            Ok(answer) => answer,
            Err(error) => panic!("{words:?}: {error}"),
        }
    }

    /// What the server tells of itself, or all primaries one after the other.
    pub fn info(&mut self, section: &str) -> String {
        self.each_info(section).concat()
    }

    /// What is left of a key's life in milliseconds; -1 without expiry, -2 without the key.
    #[track_caller]
    pub fn pttl(&mut self, key: &str) -> i64 {
        self.raw(&["PTTL", key])
    }

    /// Asserts what is left of a key's life, give or take what a slow machine needs for a round trip.
    ///
    /// # Panics
    /// When it is more, or clearly less.
    #[track_caller]
    pub fn assert_left(&mut self, key: &str, ms: i64) {
        let left = self.pttl(key);
        assert!((ms - 5_000..=ms).contains(&left), "{key} has {left} ms left, not {ms}");
    }

    /// Every key of this database, or of all primaries, has an expiry, but for those that are declared to have none (module
    /// `never`).
    ///
    /// # Panics
    /// When one has not.
    #[track_caller]
    pub fn assert_all_expire(&mut self) {
        for key in self.raw::<Vec<String>>(&["KEYS", "*"]) {
            let left = self.pttl(&key);
            assert_eq!(left == -1, key.starts_with("never:"), "{key} has {left} ms left");
        }
    }

    fn commands_processed(&mut self) -> u64 {
        let counts = self.each_info("stats").into_iter().map(|info| {
            let count = info.lines().find_map(|line| line.strip_prefix("total_commands_processed:"));
            count.and_then(|count| count.parse::<u64>().ok()).expect("servers count their commands")
        });
        counts.sum()
    }

    fn each_info(&mut self, section: &str) -> Vec<String> {
        let answers = self.servers.iter_mut().map(|server| redis::cmd("INFO").arg(section).query(server));
        answers.map(|answer| answer.expect("servers tell how they are")).collect()
    }
}

fn client(url: &str) -> Client {
    Client::open(url).expect("the address is good")
}

fn plain(url: &str) -> Connection {
    client(url).get_connection().expect("the server answers")
}

fn cluster_client(cluster: &Cluster, protocol: ProtocolVersion) -> ClusterClient {
    let client = ClusterClient::builder(cluster.urls()).use_protocol(protocol).response_timeout(PATIENCE).build();
    client.expect("the addresses are good")
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}
