//! The storm: four processes read versions through a cache while they write new ones, and no read gets a version that
//! had been replaced before it began.
//!
//! A writer puts a new version into the database, removes the cached one, and then raises the floor of the key to its
//! version. A reader notes the floor before it asks the cache, so that a version below it is one that the cache kept,
//! or handed from one call to another, after it had been removed. The database is the only source of versions, which
//! only grow there: a version below the floor was read from it before the floor's version was written, and so before
//! the key was removed.

mod readers;
mod writers;

use std::time::Duration;
use std::{env, io};

use redis::aio::{ConnectionLike, ConnectionManagerConfig, MultiplexedConnection};
use redis::cluster::ClusterClient;
use redis::{AsyncConnectionConfig, Client, RedisResult};
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, Server};
use redis_keys::{ConnectOptions, Key, cluster};
use redis_keys_tests::{Child, Signals, move_slots, seed};
use tokio::task::block_in_place;

use self::readers::Reader;
use self::writers::Writer;

const PROCESSES: usize = 4;

/// The tasks of a process.
const READERS: usize = 32;
const WRITERS: usize = 8;

/// The keys of each kind. There are so few that tasks of all processes meet at each of them.
const IDS: u32 = 8;

/// The environment of a child process: the addresses of the cache's servers, the connection to them, the address of the
/// database, the number of reads, and the seed.
const CACHE: &str = "REDIS_KEYS_STORM_CACHE";
const KIND: &str = "REDIS_KEYS_STORM_KIND";
const DATABASE: &str = "REDIS_KEYS_STORM_DATABASE";
const READS: &str = "REDIS_KEYS_STORM_READS";
const SEED: &str = "REDIS_KEYS_STORM_SEED";

/// Far more than a reply takes, also on a machine that is slow for a moment. Calls that get no reply share what others
/// load although it may be older than an invalidation: the storm is about servers that reply.
const TIME_LIMIT: Duration = Duration::from_secs(20);

const VALID: &str = "the address is valid";

const REPLIES: &str = "the server replies";

#[derive(RedisKey)]
#[redis_key(storm:plain:{#id}:string, value = u64, ttl = 1m, jitter = 10s, cache(null_ttl = 10s))]
struct Plain {
    id: u32,
}

/// It is refreshed, and expires, several times in a storm.
#[derive(RedisKey)]
#[redis_key(storm:refreshed:{#id}:string, value = u64, ttl = 200ms, jitter = 50ms, cache(null_ttl = 200ms, lease = 200ms, refresh = 50%))]
struct RefreshedNumber {
    id: u32,
}

/// It expires several times in a storm, and its loads fail now and then.
#[derive(RedisKey)]
#[redis_key(storm:kept:{#id}:string, value = u64, ttl = 200ms, jitter = 50ms, cache(null_ttl = 200ms, lease = 200ms, stale = 2s))]
struct KeptNumber {
    id: u32,
}

trait NumberKey: CachedKey<Value = u64> + Send + Sync + 'static {
    /// Whether its loads fail now and then.
    const FAILS: bool = false;

    fn new(id: u32) -> Self;
    fn id(&self) -> u32;
}

impl NumberKey for Plain {
    fn new(id: u32) -> Self {
        Self { id }
    }

    fn id(&self) -> u32 {
        self.id
    }
}

impl NumberKey for RefreshedNumber {
    fn new(id: u32) -> Self {
        Self { id }
    }

    fn id(&self) -> u32 {
        self.id
    }
}

impl NumberKey for KeptNumber {
    const FAILS: bool = true;

    fn new(id: u32) -> Self {
        Self { id }
    }

    fn id(&self) -> u32 {
        self.id
    }
}

fn text(key: &impl RedisKey) -> Key {
    key.key().expect("the key is valid")
}

/// The counts of a process, or of all of them.
type Counts = [u64; NAMES.len()];

const NAMES: [&str; 12] = [
    "stale values",
    "reads",
    "cancelled calls",
    "hits",
    "loads",
    "shared loads",
    "refreshes",
    "expired values",
    "claims before reads",
    "fills refused",
    "commands without a reply",
    "errors of the server",
];

/// A storm on the connection of this kind to servers with these addresses.
struct Storm {
    kind: &'static str,
    urls: Vec<String>,
    reads: u64,
}

impl Storm {
    /// Runs all processes, and `meanwhile` for as long as the function that it gets returns `true`.
    fn run(self, meanwhile: impl FnOnce(&mut dyn FnMut() -> bool)) -> Counts {
        let database = Server::start().expect("a server starts");
        let mut signals = Signals::new(&database.url());
        let reads = (self.reads / PROCESSES as u64).to_string();
        let start = |process: u64| {
            let seed = seed().wrapping_mul(100).wrapping_add(process).to_string();
            let urls = self.urls.join(",");
            let arguments = [
                (CACHE, &urls),
                (DATABASE, &database.url()),
                (READS, &reads),
                (SEED, &seed),
                (KIND, &self.kind.to_owned()),
            ]
            .map(|(name, value)| (name, value.clone()));
            let arguments = arguments.each_ref().map(|(name, value)| (*name, value.as_str()));
            Child::start("cache::storm::be_part_of_a_storm", &arguments)
        };
        let mut processes: Vec<_> = (0..).map(start).take(PROCESSES).collect();
        for _ in &processes {
            signals.wait("ready");
        }
        signals.send_to("begin", PROCESSES);
        meanwhile(&mut || processes.iter_mut().any(Child::is_running));
        let mut sums = Counts::default();
        for mut process in processes {
            let line = process.wait_for_line("counts ");
            process.finish();
            for (sum, count) in sums.iter_mut().zip(line.split(' ')) {
                *sum += count.parse::<u64>().expect("processes print numbers");
            }
        }
        let parts: Vec<_> = sums.iter().zip(NAMES).map(|(sum, name)| format!("{sum} {name}")).collect();
        println!("soak: {}", parts.join(", "));
        sums
    }
}

/// No value is stale, though all that can lead to one has happened, and the servers have replied.
#[track_caller]
fn check(counts: Counts) {
    let [stale, reads, cancelled, hits, loads, shared, refreshes, expired, claims, refused, unanswered, errors] =
        counts;
    assert_eq!((stale, unanswered, errors), (0, 0, 0));
    assert!([reads, cancelled, hits, loads, shared, refused].iter().all(|count| *count > 0));
    // They are so few that there may be none in a short storm.
    assert!((refreshes > 0 && expired > 0 && claims > 0) || reads < 50_000);
}

fn on_a_server(reads: u64) {
    let server = Server::start().expect("a server starts");
    check(Storm { kind: "server", urls: vec![server.url()], reads }.run(|_| {}));
}

/// On the connection of redis-keys. That of redis-rs passes errors on while this many slots move, and stops replying
/// for a while: such calls load without the server.
fn while_slots_move(reads: u64) {
    let cluster = Cluster::start().expect("a cluster starts");
    let urls = cluster.urls();
    let tags: Vec<_> = (0..IDS).map(|id| id.to_string()).collect();
    let mut moved = 0;
    let counts =
        Storm { kind: "nodes", urls, reads }.run(|goes_on| moved = move_slots(cluster, &tags, seed(), goes_on));
    println!("soak: {moved} moves");
    assert!(moved > 0);
    check(counts);
}

#[test]
fn no_value_is_stale() {
    on_a_server(100_000);
}

#[test]
fn no_value_is_stale_while_slots_move() {
    while_slots_move(10_000);
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_no_value_is_stale() {
    on_a_server(1_000_000);
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_no_value_is_stale_while_slots_move() {
    while_slots_move(200_000);
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_no_value_is_stale_on_a_cluster_of_redis_rs() {
    let cluster = Cluster::start().expect("a cluster starts");
    check(Storm { kind: "cluster", urls: cluster.urls(), reads: 200_000 }.run(|_| {}));
}

/// Not a test: one of the processes.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs inside another test"]
async fn be_part_of_a_storm() {
    let variable = |name: &str| env::var(name).expect("the other test sets the variable");
    let urls: Vec<_> = variable(CACHE).split(',').map(str::to_owned).collect();
    let counts = match &*variable(KIND) {
        "server" => {
            let client = Client::open(&*urls[0]).expect(VALID);
            let config = ConnectionManagerConfig::new().set_response_timeout(Some(TIME_LIMIT));
            run_tasks(client.get_connection_manager_with_config(config).await.expect(REPLIES)).await
        }
        "nodes" => {
            let clients: Vec<_> = urls.into_iter().map(|url| Client::open(url).expect(VALID)).collect();
            let options = ConnectOptions::new().with_time_limit(TIME_LIMIT);
            run_tasks(cluster::connect_with(&clients, options).expect(VALID)).await
        }
        _ => {
            let client = ClusterClient::builder(urls).response_timeout(TIME_LIMIT).build().expect(VALID);
            run_tasks(client.get_async_connection().await.expect(REPLIES)).await
        }
    };
    println!("\ncounts {}", counts.map(|count| count.to_string()).join(" "));
}

/// Runs the tasks of a process on this connection to the cache.
async fn run_tasks<C>(con: C) -> Counts
where
    C: ConnectionLike + Clone + Send + Sync + 'static,
{
    let variable = |name: &str| env::var(name).expect("the other test sets the variable");
    let number = |name: &str| variable(name).parse::<u64>().expect("the variable is a number");
    let database = Database::connect(&variable(DATABASE)).await;
    let cache = Cache::new(con.clone()).with_time_limit(TIME_LIMIT);
    let mut rng = fastrand::Rng::with_seed(number(SEED));
    block_in_place(|| {
        let mut signals = Signals::new(&variable(DATABASE));
        signals.send("ready");
        signals.wait("begin");
    });
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| tokio::spawn(Writer::new(con.clone(), cache.clone(), database.clone(), rng.fork()).run()))
        .collect();
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            tokio::spawn(Reader::new(cache.clone(), database.clone(), rng.fork()).run(number(READS) / READERS as u64))
        })
        .collect();
    let (mut stale, mut reads, mut cancelled) = (0, 0, 0);
    for reader in readers {
        let reader = reader.await.expect("no reader panics");
        stale += reader.stale;
        reads += reader.reads;
        cancelled += reader.cancelled;
    }
    for writer in writers {
        writer.abort();
        assert!(writer.await.is_err_and(|error| error.is_cancelled()), "no writer panics");
    }
    let stats = cache.stats();
    [
        stale,
        reads,
        cancelled,
        stats.hits,
        stats.loads,
        stats.shared,
        stats.refreshes,
        stats.stale_hits,
        stats.claims_first,
        stats.overtaken,
        stats.unanswered,
        stats.server_errors,
    ]
}

/// The versions and the floors, on a server of their own.
#[derive(Clone)]
struct Database {
    con: MultiplexedConnection,
}

impl Database {
    async fn connect(url: &str) -> Self {
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(TIME_LIMIT));
        let client = Client::open(url).expect(VALID);
        Self { con: client.get_multiplexed_async_connection_with_config(&config).await.expect(REPLIES) }
    }

    /// It fails when the process ends before a load in a task of its own.
    async fn version(&self, key: &str) -> io::Result<u64> {
        self.number("version", key).await.map_err(io::Error::other)
    }

    async fn floor(&self, key: &str) -> u64 {
        self.number("floor", key).await.expect(REPLIES)
    }

    async fn number(&self, what: &str, key: &str) -> RedisResult<u64> {
        let mut cmd = redis::cmd("GET");
        let number: Option<u64> = cmd.arg(format!("{what}:{key}")).query_async(&mut self.con.clone()).await?;
        Ok(number.unwrap_or(0))
    }

    async fn new_version(&self, key: &str) -> u64 {
        redis::cmd("INCR").arg(format!("version:{key}")).query_async(&mut self.con.clone()).await.expect(REPLIES)
    }

    /// Several writers of a key may end in any order: the floor never falls.
    async fn raise_floor(&self, key: &str, version: u64) {
        const RAISE: &str = "if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or 0) then \
                                 redis.call('SET', KEYS[1], ARGV[1]) \
                             end";
        let mut cmd = redis::cmd("EVAL");
        cmd.arg(RAISE).arg(1).arg(format!("floor:{key}")).arg(version);
        cmd.exec_async(&mut self.con.clone()).await.expect(REPLIES);
    }
}
