//! The time that a command takes while the server is away, and after its return: with redis-keys, and with the
//! connection manager of redis-rs.

use std::process::Command;
use std::time::Instant;

use redis::{Client, RedisResult};
use redis_keys::AsyncConnection;
use redis_keys::testing::Server;
use tokio::runtime::{Builder, Runtime};

/// Prints the nanoseconds of commands of both connections, once for each state of the server.
pub(crate) fn measure() {
    let connect = |url: &str| redis_keys::connect(url);
    for round in 0..rounds() {
        eprintln!("measuring: round {round}");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let ours = measure_one(&runtime, connect);
        let theirs = measure_one(&runtime, |url| runtime.block_on(Client::open(url)?.get_connection_manager()));
        for (name, (ours, theirs)) in
            ["first", "later", "back", "stopped", "resumed"].iter().zip(ours.iter().zip(theirs))
        {
            println!("{name} {ours:.1} {theirs:.1}");
        }
    }
}

/// Each of them takes a minute, nearly all of it with the connection manager.
fn rounds() -> u64 {
    let milliseconds = std::env::args().nth(2).and_then(|time| time.parse().ok()).unwrap_or(3_000_u64);
    if milliseconds < 1_000 { 1 } else { 3 }
}

fn measure_one<C: AsyncConnection>(runtime: &Runtime, connect: impl FnOnce(&str) -> RedisResult<C>) -> [f64; 5] {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    let mut con = connect(&server.url()).expect("the server replies");
    let mut take = || {
        let started = Instant::now();
        let is_there = runtime.block_on(redis::cmd("PING").query_async::<String>(&mut con)).is_ok();
        (started.elapsed().as_nanos() as f64, is_there)
    };
    assert!(take().1, "the server replies");
    drop(server);
    let (first, later) = (take().0, (0..5).map(|_| take().0).sum::<f64>() / 5.0);
    let server = Server::start_on(port).expect("the port is free");
    let back = until_there(&mut take);
    let mut plain = Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
    let info: redis::InfoDict = redis::cmd("INFO").query(&mut plain).expect("the server replies");
    let process: u32 = info.get("process_id").expect("the server says so");
    signal(process, "STOP");
    let stopped = (0..3).map(|_| take().0).sum::<f64>() / 3.0;
    signal(process, "CONT");
    [first, later, back, stopped, until_there(&mut take)]
}

/// The time until a command succeeds, one after the other.
fn until_there(take: &mut impl FnMut() -> (f64, bool)) -> f64 {
    let mut sum = 0.0;
    loop {
        let (time, is_there) = take();
        sum += time;
        if is_there {
            return sum;
        }
    }
}

fn signal(process: u32, name: &str) {
    let status = Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status();
    assert!(status.is_ok_and(|status| status.success()), "the server is sent a signal");
}
