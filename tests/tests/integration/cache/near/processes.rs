//! Two processes that invalidate each other's copies.
//!
//! Each has a key whose version it raises in the database and then invalidates. When that has returned, it notes the
//! time and then the version in a file, which the other one reads before each of its own reads of the key.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant, SystemTime};
use std::{env, io};

use redis::aio::MultiplexedConnection;
use redis_keys::Connection;
use redis_keys::cache::Cache;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Signals};
use tokio::task::block_in_place;

use super::keys::Number;
use super::{BOUND_AND_TEST, copied, near_cache};
use crate::cache::{NO_ERROR, PATIENCE, multiplexed};

/// The environment of a child process.
const URL: &str = "REDIS_KEYS_NEAR_URL";
const FILE: &str = "REDIS_KEYS_NEAR_FILE";
const PROCESS: &str = "REDIS_KEYS_NEAR_PROCESS";
const VERSIONS: &str = "REDIS_KEYS_NEAR_VERSIONS";

const READERS: usize = 2;

/// The versions of both processes, and the times at which their invalidations had returned.
struct Log {
    file: File,
    versions: u64,
}

impl Log {
    fn open(path: &Path, versions: u64) -> Self {
        let file = File::options().create(true).truncate(false).read(true).write(true).open(path);
        let file = file.expect("the folder can be written");
        file.set_len(2 * (versions + 1) * 8).expect("there is room");
        Self { file, versions }
    }

    fn at(&self, process: u64, index: u64) -> u64 {
        (process * (self.versions + 1) + index) * 8
    }

    fn read(&self, process: u64, index: u64) -> u64 {
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, self.at(process, index)).expect("the file is long enough");
        u64::from_le_bytes(bytes)
    }

    fn write(&self, process: u64, index: u64, number: u64) {
        self.file.write_all_at(&number.to_le_bytes(), self.at(process, index)).expect("the file can be written");
    }

    /// The last version of a process.
    fn floor(&self, process: u64) -> u64 {
        self.read(process, 0)
    }

    fn note(&self, process: u64, version: u64) {
        self.write(process, version, now());
        self.write(process, 0, version);
    }
}

/// The microseconds since 1970, which both processes count alike.
fn now() -> u64 {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is later than 1970");
    u64::try_from(time.as_micros()).expect("it is not that late")
}

fn database_key(process: u64) -> String {
    format!("database:{process}")
}

/// Reads the key of a process through the cache.
async fn version(cache: &Cache<Connection>, database: &MultiplexedConnection, process: u64) -> u64 {
    let mut database = database.clone();
    let load = || async move {
        let version: redis::RedisResult<Option<u64>> =
            redis::cmd("GET").arg(database_key(process)).query_async(&mut database).await;
        version.map(|version| Some(version.unwrap_or(0))).map_err(io::Error::other)
    };
    cache.get_or_load(&Number { id: process }, load).await.expect(NO_ERROR).expect("there is always a version")
}

fn variable(name: &str) -> String {
    env::var(name).expect("the other test sets the variable")
}

/// Not a test: one of the processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs inside another test"]
async fn invalidate_and_read() {
    let number = |name: &str| variable(name).parse::<u64>().expect("the variable is a number");
    let (own, versions) = (number(PROCESS), number(VERSIONS));
    let log = Arc::new(Log::open(&PathBuf::from(variable(FILE)), versions));
    let (cache, mut database) = (near_cache(&variable(URL)), multiplexed(&variable(URL)).await);
    copied(&cache, &Number { id: 100 + own }).await;
    let mut signals = Signals::new(&variable(URL));
    block_in_place(|| {
        signals.send("ready");
        signals.wait("begin");
    });
    let is_over = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            tokio::spawn(read_other(cache.clone(), database.clone(), Arc::clone(&log), 1 - own, Arc::clone(&is_over)))
        })
        .collect();
    let mut own_stale = 0_u64;
    for next in 1..=versions {
        redis::cmd("SET").arg(database_key(own)).arg(next).exec_async(&mut database).await.expect("the server replies");
        cache.invalidate(&Number { id: own }).await.expect("the server replies");
        log.note(own, next);
        own_stale += u64::from(version(&cache, &database, own).await < next);
        tokio::time::sleep(Duration::from_micros(fastrand::u64(500..2_000))).await;
    }
    // The other one may need longer.
    let began = Instant::now();
    while version(&cache, &database, 1 - own).await < versions {
        assert!(began.elapsed() < PATIENCE, "the last version is never seen: {:?}", cache.stats());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    is_over.store(true, Relaxed);
    let (mut reads, mut ages) = (0_u64, Vec::new());
    for reader in readers {
        let (more, older) = reader.await.expect("no reader panics");
        reads += more;
        ages.extend(older);
    }
    ages.sort_unstable();
    let (middle, oldest) = (ages.get(ages.len() / 2).copied().unwrap_or(0), ages.last().copied().unwrap_or(0));
    let near = cache.stats().near;
    println!("\nresult {own_stale} {reads} {} {middle} {oldest} {} {}", ages.len(), near.hits, near.invalidated);
}

/// Reads the key of the other process until the end, and returns the number of reads and how old the old ones were.
async fn read_other(
    cache: Cache<Connection>,
    database: MultiplexedConnection,
    log: Arc<Log>,
    other: u64,
    is_over: Arc<AtomicBool>,
) -> (u64, Vec<u64>) {
    let (mut reads, mut ages) = (0, Vec::new());
    while !is_over.load(Relaxed) {
        let (floor, began) = (log.floor(other), now());
        let found = version(&cache, &database, other).await;
        reads += 1;
        if found < floor {
            ages.push(began.saturating_sub(log.read(other, found + 1)));
        }
    }
    (reads, ages)
}

fn invalidate(versions: u64) {
    let server = Server::start().expect("a server starts");
    let mut signals = Signals::new(&server.url());
    let file = env::temp_dir().join(format!("redis-keys-near-{}-{}", std::process::id(), server.port()));
    let start = |process: u64| {
        let arguments = [
            (URL, server.url()),
            (FILE, file.display().to_string()),
            (PROCESS, process.to_string()),
            (VERSIONS, versions.to_string()),
        ];
        let arguments = arguments.each_ref().map(|(name, value)| (*name, value.as_str()));
        Child::start("cache::near::processes::invalidate_and_read", &arguments)
    };
    let processes = [0, 1].map(start);
    for _ in &processes {
        signals.wait("ready");
    }
    signals.send_to("begin", processes.len());
    for mut process in processes {
        let line = process.wait_for_line("result ");
        process.finish();
        let numbers: Vec<u64> =
            line.split(' ').map(|number| number.parse().expect("processes print numbers")).collect();
        let [own_stale, reads, old, middle, oldest, hits, invalidated] = numbers[..] else { panic!("{line}") };
        println!("a process: half of the old ones up to {middle} µs, all up to {oldest} µs");
        println!("soak: {versions} invalidations, {reads} reads of the other process's key, {old} of them old");
        println!("soak: {own_stale} own reads old");
        assert_eq!(own_stale, 0);
        assert!(u128::from(oldest) < BOUND_AND_TEST.as_micros(), "{oldest} µs");
        assert!(hits > 0 && invalidated > 0, "{line}");
    }
    fs::remove_file(file).expect("the file is there");
}

#[test]
fn two_processes_see_each_others_changes() {
    invalidate(300);
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_two_processes_see_each_others_changes() {
    invalidate(10_000);
}
