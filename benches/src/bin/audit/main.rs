//! Measures `cargo redis-keys audit` on a filled server, beside `redis-cli`.
//!
//! `audit TOOL KEYS ROUNDS` runs the tool at TOOL. Each line of the output is a name and its figures. With `adopt` as
//! fourth argument, it measures `cargo redis-keys adopt` beside the audit, on keys without declarations.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark cannot go on when these fail")]
#![allow(clippy::indexing_slicing, clippy::cast_precision_loss, reason = "the figures are small")]

mod declarations;
mod process;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cargo_redis_keys::catalog::Matcher;
use redis::{Connection, Pipeline};
use redis_keys::testing::Server;
use redis_keys_tests::corpus::{self, KeyFormat};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tool, keys, rounds, mode @ ..] = &arguments[..] else { panic!("usage: audit TOOL KEYS ROUNDS [adopt]") };
    let keys: u64 = keys.parse().expect("a number of keys");
    let rounds: u32 = rounds.parse().expect("a number of rounds");
    if !mode.is_empty() {
        return adopt(tool, keys, rounds);
    }
    matching();
    let catalog = write_catalog();
    let audit = |url: &str, pace: &[&str]| {
        let mut command = Command::new(tool);
        command
            .args(["audit", url, "--catalog"])
            .arg(&catalog)
            .args(pace)
            .arg("--json")
            .arg(catalog.with_file_name("report.json"));
        command
    };
    let server = FilledServer::new(keys);
    for _ in 0..rounds {
        server.measure("full", audit(&server.url, &["--full-speed"]));
        for (name, options) in redis_cli() {
            let mut command = Command::new("redis-cli");
            command.args(["-p", &server.port]).args(options);
            server.measure(name, command);
        }
    }
    server.latencies(audit(&server.url, &[]));
    drop(server);
    let large = FilledServer::new(keys * 12);
    large.measure("large", audit(&large.url, &["--full-speed"]));
}

/// Measures both commands on the keys of many programs.
fn adopt(tool: &str, keys: u64, rounds: u32) {
    let catalog = folder().join("empty.json");
    std::fs::write(&catalog, r#"{"format":1,"keys":[],"unread":[]}"#).expect("a file can be written");
    let server = FilledServer::start(keys);
    let formats = KeyFormat::read(&[corpus::FIRST, corpus::SECOND, corpus::THIRD].concat());
    corpus::plant(&mut connect(&server.url), &formats, &corpus::keys(&formats, keys, 1));
    for _ in 0..rounds {
        for name in ["audit", "adopt"] {
            let mut command = Command::new(tool);
            command.args([name, &server.url, "--full-speed", "--catalog"]).arg(&catalog);
            server.measure(name, command);
        }
    }
}

/// The time to find the declaration of a key.
fn matching() {
    let catalog = declarations::catalog();
    let matcher = Matcher::new(&catalog, None);
    let keys: Vec<String> = (0..1_000_000_u32)
        .map(|number| match number % 20 {
            0 => declarations::unknown_key(number.into()),
            _ => declarations::key(number.wrapping_mul(2_654_435_761) % declarations::DECLARATIONS, number.into()),
        })
        .collect();
    let pass = || {
        let started = Instant::now();
        let found = keys.iter().filter(|key| matcher.find(key.as_bytes()).is_some()).count();
        assert_eq!(found, 950_000, "every key but the unknown ones has a declaration");
        started.elapsed().as_nanos() as f64 / keys.len() as f64
    };
    println!("match {:.1}", (0..5).map(|_| pass()).fold(f64::INFINITY, f64::min));
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("redis-keys-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn write_catalog() -> PathBuf {
    let path = folder().join("catalogue.json");
    std::fs::write(&path, declarations::catalog().to_json()).expect("a file can be written");
    path
}

/// The reports of `redis-cli` that look at every key. Before version 8 it asks for 10 keys at a time.
fn redis_cli() -> Vec<(&'static str, &'static [&'static str])> {
    let output = Command::new("redis-cli").arg("--version").output();
    let Ok(version) = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()) else {
        return Vec::new();
    };
    let major = version.split_whitespace().nth(1).and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    match major {
        Some(8..) => {
            vec![("memkeys", &["--memkeys", "--count", "1000"]), ("keystats", &["--keystats", "--count", "1000"])]
        }
        _ => vec![("memkeys", &["--memkeys"])],
    }
}

/// A server with keys.
struct FilledServer {
    /// Ends the server when it is dropped.
    _server: Server,
    url: String,
    port: String,
    pid: u32,
    keys: u64,
}

impl FilledServer {
    fn new(keys: u64) -> Self {
        let filled = Self::start(keys);
        let mut con = connect(&filled.url);
        for first in (0..keys).step_by(1_000) {
            let mut pipe = redis::pipe();
            (first..keys.min(first + 1_000)).for_each(|number| write(&mut pipe, number));
            pipe.exec(&mut con).expect("the server replies");
        }
        filled
    }

    /// A server that is to have this many keys.
    fn start(keys: u64) -> Self {
        let server = Server::start().expect("the server starts");
        let (url, port) = (server.url(), server.port().to_string());
        let mut con = connect(&url);
        let info: redis::InfoDict = redis::cmd("INFO").arg("server").query(&mut con).expect("the server replies");
        let pid = info.get("process_id").expect("the server knows its process");
        Self { _server: server, url, port, pid, keys }
    }

    /// Runs a command, and prints the keys per second, its processor time a key, and the server's idle share.
    fn measure(&self, name: &str, mut command: Command) {
        let (client, server, started) = (process::children_seconds(), process::server_time(self.pid), Instant::now());
        let mut child = spawn(&mut command);
        let memory = wait(&mut child);
        let wall = started.elapsed();
        let client = process::children_seconds() - client;
        let busy = process::server_time(self.pid).zip(server).map(|(now, before)| {
            let (now, before) = (now.0 + now.1, before.0 + before.1);
            (now - before) as f64 / wall.as_nanos() as f64
        });
        let keys = self.keys as f64;
        println!(
            "{name} {:.0} {:.3} {:.1} {memory}",
            keys / wall.as_secs_f64(),
            client * 1e6 / keys,
            100.0 * (1.0 - busy.unwrap_or(f64::NAN)),
        );
    }

    /// Prints the 99th percentile of another client's GETs before and during a command, in microseconds.
    fn latencies(&self, mut command: Command) {
        let ended = AtomicBool::new(false);
        let before = gets(&self.url, || Duration::from_secs(5));
        let during = thread::scope(|scope| {
            let other = scope.spawn(|| {
                gets(&self.url, || if ended.load(Ordering::Relaxed) { Duration::ZERO } else { Duration::MAX })
            });
            wait(&mut spawn(&mut command));
            ended.store(true, Ordering::Relaxed);
            other.join().expect("the other client does not panic")
        });
        println!("p99 {before} {during}");
    }
}

/// The 99th percentile of GETs, 500 a second, until `length` has passed.
fn gets(url: &str, length: impl Fn() -> Duration) -> u128 {
    let mut con = connect(url);
    let mut times = Vec::new();
    let started = Instant::now();
    while started.elapsed() < length() {
        let sent = Instant::now();
        let _: Option<String> = redis::cmd("GET").arg("another:client").query(&mut con).expect("the server replies");
        times.push(sent.elapsed().as_micros());
        thread::sleep(Duration::from_millis(2));
    }
    times.sort_unstable();
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}

fn connect(url: &str) -> Connection {
    redis::Client::open(url).and_then(|client| client.get_connection()).expect("the server can be reached")
}

/// One of 20 keys is unknown, one of 100 has no expiry.
fn write(pipe: &mut Pipeline, number: u64) {
    let declaration = u32::try_from(number % u64::from(declarations::USED)).unwrap_or_default();
    let (key, kind) = match number % 20 {
        0 => (declarations::unknown_key(number), "string"),
        _ => (declarations::key(declaration, number), declarations::kind(declaration)),
    };
    let size = 20 + usize::try_from(number % 7).unwrap_or_default() * 15;
    let value = "v".repeat(size);
    let elements = 2 + number % 6;
    match kind {
        "hash" => (0..elements).for_each(|field| {
            pipe.cmd("HSET").arg(&key).arg(field).arg(&value).ignore();
        }),
        "zset" => (0..elements).for_each(|field| {
            pipe.cmd("ZADD").arg(&key).arg(field).arg(field).ignore();
        }),
        "set" => (0..elements).for_each(|field| {
            pipe.cmd("SADD").arg(&key).arg(field).ignore();
        }),
        "list" => (0..elements).for_each(|_| {
            pipe.cmd("RPUSH").arg(&key).arg(&value).ignore();
        }),
        _ => {
            pipe.cmd("SET").arg(&key).arg(&value).ignore();
        }
    }
    if number % 100 != 7 {
        pipe.cmd("EXPIRE").arg(&key).arg(3_600).ignore();
    }
}

fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
}

/// Waits for a process, and returns the most memory it had, in KB.
fn wait(child: &mut Child) -> u64 {
    let mut peak = 0;
    while child.try_wait().expect("the process can be watched").is_none() {
        peak = process::peak_memory(child.id()).unwrap_or_default().max(peak);
        thread::sleep(Duration::from_millis(20));
    }
    let status = child.wait().expect("the process has ended");
    // 1 is for findings, which there are.
    assert!(matches!(status.code(), Some(0 | 1)), "the command failed: {status}");
    let _ = std::io::stdout().flush();
    peak
}
