//! Several processes load the same cached key, and some of them are killed or stopped at that time.

use std::collections::HashSet;
use std::future::pending;
use std::time::Duration;
use std::{env, io};

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Connection};
use redis_keys::ErrorKind;
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Signals, seed, wait_until};
use tokio::task::block_in_place;

const PROCESSES: usize = 4;

const CALLS: usize = 250;

const ROUNDS: u32 = 10;

/// The environment of a child process: the address of the server.
const URL: &str = "REDIS_KEYS_CACHE_URL";

/// Far more than a reply takes. A machine that is slow for a moment must not look like an unreachable server, since
/// calls then load without it.
const TIME_LIMIT: Duration = Duration::from_secs(20);

#[derive(RedisKey)]
#[redis_key(processes:greeting:{round}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 1m))]
struct Greeting {
    round: u32,
}

#[derive(RedisKey)]
#[redis_key(processes:version:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 1s))]
struct Version {
    id: u32,
}

/// The same key in an earlier version of the program.
#[derive(RedisKey)]
#[redis_key(
    processes:version:{id}:string, value = String, ttl = 1h, jitter = 5m,
    allow(overlap, reason = "an earlier version of the same key")
)]
struct EarlierVersion {
    id: u32,
}

fn start(test: &str, server: &Server) -> Child {
    Child::start(&format!("cache::processes::{test}"), &[(URL, &server.url())])
}

fn url() -> String {
    env::var(URL).expect("the other test sets the variable")
}

async fn connect(url: &str) -> (Cache<ConnectionManager>, ConnectionManager) {
    let config = ConnectionManagerConfig::new().set_response_timeout(Some(TIME_LIMIT));
    let client = Client::open(url).expect("the address is valid");
    let con = client.get_connection_manager_with_config(config).await.expect("the server replies");
    (Cache::new(con.clone()).with_time_limit(TIME_LIMIT), con)
}

fn plain(server: &Server) -> Connection {
    Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies")
}

/// Counts in Redis, for all processes.
async fn count(name: &str, mut con: ConnectionManager) {
    redis::cmd("INCR").arg(name).exec_async(&mut con).await.expect("the server replies");
}

fn counted(name: &str, con: &mut Connection) -> u32 {
    redis::cmd("GET").arg(name).query::<Option<u32>>(con).expect("the server replies").unwrap_or(0)
}

/// Not a test: one of the processes of [`a_stampede_of_processes_is_one_load`].
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs inside another test"]
async fn join_stampedes() {
    let (cache, con) = connect(&url()).await;
    let mut signals = Signals::new(&url());
    for round in 0..ROUNDS {
        block_in_place(|| {
            signals.send("ready");
            signals.wait(&format!("round {round}"));
        });
        let calls: Vec<_> = (0..CALLS)
            .map(|_| {
                let (cache, con) = (cache.clone(), con.clone());
                tokio::spawn(async move {
                    let load = || async {
                        count(&format!("loads:{round}"), con).await;
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        Ok::<_, io::Error>(Some("hello".to_owned()))
                    };
                    cache.get_or_load(&Greeting { round }, load).await
                })
            })
            .collect();
        for call in calls {
            let value = call.await.expect("no call panics").expect("no load fails");
            assert_eq!(value.as_deref(), Some("hello"));
        }
    }
}

#[test]
fn a_stampede_of_processes_is_one_load() {
    let server = Server::start().expect("a server starts");
    let mut signals = Signals::new(&server.url());
    let processes: Vec<_> = (0..PROCESSES).map(|_| start("join_stampedes", &server)).collect();
    for round in 0..ROUNDS {
        (0..PROCESSES).for_each(|_| signals.wait("ready"));
        signals.send_to(&format!("round {round}"), PROCESSES);
    }
    processes.into_iter().for_each(Child::finish);
    let mut con = plain(&server);
    let loads: Vec<_> = (0..ROUNDS).map(|round| counted(&format!("loads:{round}"), &mut con)).collect();
    assert_eq!(loads, [1; ROUNDS as usize]);
}

/// Not a test: a process that has the lease until it is killed.
#[tokio::test]
#[ignore = "runs inside another test"]
async fn load_until_killed() {
    let (cache, _) = connect(&url()).await;
    let mut signals = Signals::new(&url());
    let load = move || async move {
        signals.send("the leader loads");
        pending::<Result<Option<String>, io::Error>>().await
    };
    _ = cache.get_or_load(&Version { id: 1 }, load).await;
}

/// Not a test: a process with calls that need what another process loads.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs inside another test"]
async fn wait_for_a_leader() {
    let (cache, con) = connect(&url()).await;
    let mut signals = Signals::new(&url());
    block_in_place(|| {
        signals.send("ready");
        signals.wait("call");
    });
    let calls: Vec<_> = (0..CALLS)
        .map(|_| {
            let (cache, con) = (cache.clone(), con.clone());
            let load = || async {
                count("loads", con).await;
                // Longer than the longest pause between two polls of the other process, which has waited for a whole
                // lease by then.
                tokio::time::sleep(Duration::from_millis(300)).await;
                Ok::<_, io::Error>(Some("v2".to_owned()))
            };
            tokio::spawn(async move { cache.get_or_load(&Version { id: 1 }, load).await })
        })
        .collect();
    for call in calls {
        let value = call.await.expect("no call panics").expect("no load fails");
        assert_eq!(value.as_deref(), Some("v2"));
    }
}

#[test]
fn the_others_go_on_when_the_leader_is_killed() {
    let server = Server::start().expect("a server starts");
    let (mut signals, mut con) = (Signals::new(&server.url()), plain(&server));
    let others = [(); 2].map(|()| start("wait_for_a_leader", &server));
    for _ in &others {
        signals.wait("ready");
    }
    let leader = start("load_until_killed", &server);
    signals.wait("the leader loads");
    let before = scripts(&mut con);
    signals.send_to("call", others.len());
    wait_until("each of the others has tried to claim, or the lease is over", || {
        scripts(&mut con) >= before + 2 || counted("loads", &mut con) > 0
    });
    leader.kill();
    others.into_iter().for_each(Child::finish);
    assert_eq!(counted("loads", &mut con), 1);
    assert_eq!(Version { id: 1 }.get().query(&mut con).expect("the server replies").as_deref(), Some("v2"));
}

/// The number of scripts that the server has run.
fn scripts(con: &mut Connection) -> u32 {
    let info: String = redis::cmd("INFO").arg("commandstats").query(con).expect("the server replies");
    let calls = info.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")?.split(',').next());
    calls.and_then(|calls| calls.parse().ok()).expect("servers count scripts")
}

/// Not a test: a process that is stopped while it loads.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs inside another test"]
async fn load_while_stopped() {
    let (cache, _) = connect(&url()).await;
    let mut signals = Signals::new(&url());
    let load = move || async move {
        block_in_place(|| {
            signals.send("the leader loads");
            signals.wait("store it");
        });
        Ok::<_, io::Error>(Some("v1".to_owned()))
    };
    let value = cache.get_or_load(&Version { id: 1 }, load).await.expect("no load fails");
    println!("\nvalue {value:?}, overtaken {}", cache.stats().overtaken);
}

/// An event while a leader is stopped, and the content of the key then.
type Meanwhile = (&'static str, fn(&Server), Option<&'static str>);

const MEANWHILE: &[Meanwhile] = &[
    ("the lease ends", wait_for_the_end_of_the_lease, None),
    ("another process loads", load_after_the_lease, Some("v2")),
    ("UNLINK", |server| _ = Version { id: 1 }.unlink().query(&mut plain(server)), None),
    ("DEL", |server| redis::cmd("DEL").arg(key()).exec(&mut plain(server)).expect("the server replies"), None),
    ("FLUSHALL", |server| redis::cmd("FLUSHALL").exec(&mut plain(server)).expect("the server replies"), None),
    ("SET", |server| _ = Version { id: 1 }.set("v2").query(&mut plain(server)), Some("v2")),
    (
        "SET by an earlier version of the program",
        |server| _ = EarlierVersion { id: 1 }.set("v2").query(&mut plain(server)),
        Some("v2"),
    ),
];

fn key() -> String {
    Version { id: 1 }.key().expect("the key is valid").to_string()
}

fn wait_for_the_end_of_the_lease(server: &Server) {
    let mut con = plain(server);
    // Not the accessor `exists`, to which a lease is no key.
    let mut exists = || redis::cmd("EXISTS").arg(key()).query::<bool>(&mut con).expect("the server replies");
    wait_until("the lease is over", || !exists());
}

fn load_after_the_lease(server: &Server) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let value = runtime.block_on(async {
        let (cache, _) = connect(&server.url()).await;
        cache.get_or_load(&Version { id: 1 }, || async { Ok::<_, io::Error>(Some("v2".to_owned())) }).await
    });
    assert_eq!(value.expect("no load fails").as_deref(), Some("v2"));
}

#[test]
fn what_a_stopped_leader_has_loaded_is_not_stored() {
    for (what, happens, stored) in MEANWHILE {
        println!("{what}");
        let server = Server::start().expect("a server starts");
        let mut signals = Signals::new(&server.url());
        let mut leader = start("load_while_stopped", &server);
        signals.wait("the leader loads");
        leader.pause();
        happens(&server);
        signals.send("store it");
        leader.resume();
        assert_eq!(leader.wait_for_line("value "), "Some(\"v1\"), overtaken 1", "{what}");
        leader.finish();
        let value = Version { id: 1 }.get().query(&mut plain(&server)).expect("the server replies");
        assert_eq!(value.as_deref(), *stored, "{what}");
    }
}

/// The IDs of the keys that two versions of the program use.
const IDS: u32 = 4;

/// Not a test: an earlier version of the program, which runs until it has read all that a key can hold, several times.
#[test]
#[ignore = "runs inside another test"]
fn run_an_earlier_version() {
    let mut con = Client::open(url()).and_then(|client| client.get_connection()).expect("the server replies");
    let mut rng = fastrand::Rng::with_seed(seed());
    let (mut values, mut missing, mut markers) = (0, 0, 0);
    while values.min(missing).min(markers) < 100 {
        let key = EarlierVersion { id: rng.u32(0..IDS) };
        match key.get().query(&mut con) {
            Ok(Some(value)) => {
                assert!(["from the earlier one", "from the later one"].contains(&&*value), "{value:?}");
                values += 1;
            }
            Ok(None) => missing += 1,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
                markers += 1;
            }
        }
        match rng.u8(0..8) {
            0 => key.set("from the earlier one").query(&mut con).expect("the server replies"),
            1 => _ = key.unlink().query(&mut con).expect("the server replies"),
            _ => {}
        }
    }
    println!("\nread {values} values, {missing} keys that do not exist, {markers} markers");
}

/// An earlier version of the program, without the role `cache`, reads values as values, and markers as errors. The
/// later one reads all that the earlier one writes.
#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_version_of_the_program_runs_beside_this_one() {
    let server = Server::start().expect("a server starts");
    let (cache, _) = connect(&server.url()).await;
    let mut earlier = start("run_an_earlier_version", &server);
    let mut rng = fastrand::Rng::with_seed(seed());
    let mut seen = HashSet::new();
    while earlier.is_running() {
        let key = Version { id: rng.u32(0..IDS) };
        let exists = rng.bool();
        let load = || async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok::<_, io::Error>(exists.then(|| "from the later one".to_owned()))
        };
        seen.insert(cache.get_or_load(&key, load).await.expect("no load fails"));
        if rng.u8(0..8) == 0 {
            cache.invalidate(&key).await.expect("the server replies");
        }
    }
    earlier.finish();
    let expected = [None, Some("from the earlier one"), Some("from the later one")];
    assert_eq!(seen, expected.map(|value| value.map(str::to_owned)).into());
    assert_eq!(cache.stats().undecodable, 0);
}
