//! Near copies: what is read from memory is never older than promised.

use std::convert::Infallible;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ConnectOptions, Connection, SharedConnection};
use redis_keys_tests::Con;

use self::keys::Number;
use super::{NO_ERROR, PATIENCE, client};

mod basics;
mod budget;
mod changes;
mod cluster;
mod connections;
mod herd;
mod keys;
mod names;
mod own_writes;
mod processes;
mod proxy;
mod races;
mod refused;
mod reports;
mod time;
mod truth;
mod values;
mod waiting;

/// What the loaders of numbers return. Tests store smaller numbers.
const LOADED: u64 = u64::MAX;

/// Far more than a reply takes, also on a machine that is slow for a moment: without a reply, calls share what others
/// load although it may be older than an invalidation.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The longest time for which an old copy is served after a write has returned.
const BOUND: Duration = Duration::from_secs(2);

/// Longer than the bound by what the test itself needs between reading the clock and the call.
const BOUND_AND_TEST: Duration = Duration::from_millis(2_050);

fn connect(url: &str) -> Connection {
    let options = ConnectOptions::new().with_time_limit(TIME_LIMIT);
    redis_keys::connect_with(client(url), options).expect("the address is valid")
}

/// A cache with near copies, whose steps have no tight time limit.
fn near_cache(url: &str) -> Cache<Connection> {
    Cache::new(connect(url)).with_time_limit(TIME_LIMIT)
}

/// A server, a cache on it, and another client.
fn start() -> (Server, Cache<Connection>, Con) {
    let server = Server::start().expect("a server starts");
    let (cache, con) = (near_cache(&server.url()), Con::blocking(&server.url()));
    (server, cache, con)
}

/// Reads a number, which is [`LOADED`] if Redis has none.
async fn read<C, K>(cache: &Cache<C>, key: &K) -> Option<u64>
where
    C: SharedConnection,
    K: CachedKey<Value = u64>,
{
    cache.get_or_load(key, || async { Ok::<_, Infallible>(Some(LOADED)) }).await.expect(NO_ERROR)
}

/// Reads a number until a copy in memory is the answer, and returns it.
async fn copied<C, K>(cache: &Cache<C>, key: &K) -> Option<u64>
where
    C: SharedConnection,
    K: CachedKey<Value = u64>,
{
    let started = Instant::now();
    loop {
        let hits = hits(cache);
        let value = read(cache, key).await;
        if hits < self::hits(cache) {
            return value;
        }
        assert!(started.elapsed() < PATIENCE, "no copy is kept: {:?}", cache.stats().near);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Waits until copies are kept.
async fn open<C: SharedConnection>(cache: &Cache<C>) {
    copied(cache, &Number { id: new_ids() }).await;
}

/// Reads a number until it is as expected. Returns how long that took, or `None` if it is not after the time.
async fn becomes<C, K>(cache: &Cache<C>, key: &K, expected: Option<u64>, most: Duration) -> Option<Duration>
where
    C: SharedConnection,
    K: CachedKey<Value = u64>,
{
    let started = Instant::now();
    while read(cache, key).await != expected {
        if started.elapsed() > most {
            return None;
        }
        tokio::time::sleep(Duration::from_micros(200)).await;
    }
    Some(started.elapsed())
}

/// The first of a million numbers of which a test makes its keys: what a process writes ends the copies of all of its
/// caches, so that tests with the same keys would disturb each other.
fn new_ids() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1_000_000);
    NEXT.fetch_add(1_000_000, Relaxed)
}

fn hits<C: SharedConnection>(cache: &Cache<C>) -> u64 {
    cache.stats().near.hits
}

fn text(key: &impl RedisKey) -> String {
    key.key().expect("the key is valid").to_string()
}

/// Writes a value as another program does: this process does not learn of it by its own reply.
#[allow(clippy::needless_pass_by_value, reason = "calls pass numbers and texts")]
fn put(con: &mut Con, key: &impl RedisKey, value: impl ToString) {
    let _: String = con.raw(&["SET", &text(key), &value.to_string(), "PX", "3600000"]);
}

/// How often the server has run a command.
fn calls(con: &mut Con, command: &str) -> u64 {
    let prefix = format!("cmdstat_{command}:calls=");
    let info = con.info("commandstats");
    let calls = info.lines().find_map(|line| line.strip_prefix(&prefix)?.split(',').next());
    calls.map_or(0, |calls| calls.parse().expect("servers count commands"))
}

/// The clients of a server to which it says what has changed.
fn tracked_clients(con: &mut Con) -> Vec<String> {
    let list: String = con.raw(&["CLIENT", "LIST"]);
    let is_tracked =
        |line: &&str| line.split(' ').any(|word| word.strip_prefix("flags=").is_some_and(|f| f.contains('t')));
    let id = |line: &str| line.split(' ').find_map(|word| word.strip_prefix("id=")).map(str::to_owned);
    list.lines().filter(is_tracked).filter_map(id).collect()
}

/// Closes the connections on which a server says what has changed, and returns their number.
fn kill_tracked_clients(con: &mut Con) -> u64 {
    let clients = tracked_clients(con);
    clients.iter().map(|id| con.raw::<u64>(&["CLIENT", "KILL", "ID", id])).sum()
}
