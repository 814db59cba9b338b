//! Several processes that need the same lock, and one that is stopped while it holds it.

use std::env;
use std::time::Duration;

use redis::{Client, Connection, FromRedisValue};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Signals, wait_until};
use tokio::task::block_in_place;

use super::keys::{Hasty, ORDER};
use super::locks;

const PROCESSES: usize = 50;

/// The environment of a child process: the address of the server, and how often it increments.
const URL: &str = "REDIS_KEYS_LOCK_URL";
const INCREMENTS: &str = "REDIS_KEYS_LOCK_INCREMENTS";

/// Locks are not fair: one of many processes can wait for almost as long as all of them together work.
const WITHIN: Duration = Duration::from_secs(600);

fn variable(name: &str) -> String {
    env::var(name).expect("the other test sets the variable")
}

fn plain(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect("the server replies")
}

fn ask<T: FromRedisValue>(con: &mut Connection, words: &[&str]) -> T {
    redis::Cmd::new().arg(words).query(con).expect("the server replies")
}

/// Not a test: one of the processes that increment a value.
#[tokio::test]
#[ignore = "runs inside another test"]
async fn increment_under_a_lock() {
    let locks = locks(&variable(URL)).await;
    let mut con = plain(&variable(URL));
    Signals::new(&variable(URL)).wait("begin");
    for _ in 0..variable(INCREMENTS).parse().expect("it is a number") {
        let guard = locks.acquire(&ORDER).with_time_limit(WITHIN).await.expect("the lock is free in the end");
        let (count, fence): (Option<u64>, Option<u64>) = ask(&mut con, &["MGET", "count", "fence"]);
        assert!(Some(guard.fence()) > fence, "{} after {fence:?}", guard.fence());
        let next = (count.unwrap_or_default() + 1).to_string();
        let _: String = ask(&mut con, &["MSET", "count", &next, "fence", &guard.fence().to_string()]);
        assert!(guard.release().await.expect("the server replies"));
    }
}

/// Many processes increment a value in two steps.
fn increment(times: u64) {
    let server = Server::start().expect("a server starts");
    let arguments = [(URL, server.url()), (INCREMENTS, times.to_string())];
    let arguments = arguments.each_ref().map(|(name, value)| (*name, value.as_str()));
    let start = || Child::start("lock::processes::increment_under_a_lock", &arguments);
    let children: Vec<_> = std::iter::repeat_with(start).take(PROCESSES).collect();
    Signals::new(&server.url()).send_to("begin", PROCESSES);
    children.into_iter().for_each(Child::finish);
    let expected = PROCESSES as u64 * times;
    assert_eq!(ask::<u64>(&mut plain(&server.url()), &["GET", "count"]), expected);
    println!("soak: {expected} increments under a lock");
}

#[test]
fn no_increment_of_many_processes_is_lost() {
    increment(40);
}

#[test]
#[ignore = "`cargo xtask soak` runs it"]
fn long_no_increment_of_many_processes_is_lost() {
    increment(1_000);
}

/// Writes to what a lock protects: a value that refuses smaller fences than the largest that it has seen.
fn write_to_resource(con: &mut Connection, fence: u64, value: &str) -> bool {
    let script = "local known = redis.call('GET', KEYS[1]) or '0 ' \
        if tonumber(known:match('^%d+')) > tonumber(ARGV[1]) then return 0 end \
        redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2]) return 1";
    ask(con, &["EVAL", script, "1", "resource", &fence.to_string(), value])
}

/// Not a test: a process that is stopped while it holds a lock, and then writes without looking.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs inside another test"]
async fn write_after_a_stop() {
    let mut con = plain(&variable(URL));
    let guard = locks(&variable(URL)).await.acquire(&Hasty { id: 1 }).await.expect("the lock is free");
    let is_written = block_in_place(|| {
        assert!(write_to_resource(&mut con, guard.fence(), "before the stop"));
        let mut signals = Signals::new(&variable(URL));
        signals.send("held");
        signals.wait("write");
        write_to_resource(&mut con, guard.fence(), "after the stop")
    });
    println!("\nwritten {is_written}, held {}", guard.is_held());
    guard.lost().await;
    println!("\nreleased {}", guard.release().await.expect("nothing is sent that could fail"));
}

#[test]
fn a_holder_that_was_stopped_cannot_pass_the_fence() {
    let server = Server::start().expect("a server starts");
    let (mut signals, mut con) = (Signals::new(&server.url()), plain(&server.url()));
    let mut stopped = Child::start("lock::processes::write_after_a_stop", &[(URL, &server.url())]);
    signals.wait("held");
    stopped.pause();
    let token = redis_keys::lock::Token::random();
    let mut fence = None;
    wait_until("the lock of the process that was stopped is over", || {
        let acquired = Hasty { id: 1 }.acquire(&token).query(&mut con).expect("the server replies");
        if let redis_keys::lock::Acquisition::Held { fence: new } = acquired {
            fence = Some(new);
        }
        fence.is_some()
    });
    assert!(write_to_resource(&mut con, fence.expect("the lock is acquired"), "by the next holder"));
    signals.send("write");
    stopped.resume();
    assert_eq!(stopped.wait_for_line("written "), "false, held false");
    assert_eq!(stopped.wait_for_line("released "), "false");
    stopped.finish();
    let resource: String = ask(&mut con, &["GET", "resource"]);
    assert!(resource.ends_with("by the next holder"), "{resource}");
}
