//! Servers that reply what no real server does: no reply makes a command panic or run for ever.

mod calls;
mod cluster;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::{panic, thread};

use fastrand::Rng;
use redis::ProtocolVersion;
use redis_keys::jobs::Receipt;
use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, FakeServer, Garbage, seed};

use self::calls::{CALLS, Hot, Jobs, Text};

/// The jobs of a server, which is not hostile.
fn jobs_of(reply: &'static [u8]) -> Vec<Receipt> {
    let server = FakeServer::start(|_| reply.to_vec());
    let taken = Con::blocking(&server.url()).ok(Jobs { id: 1 }.take(2));
    taken.jobs.into_iter().map(|job| job.receipt).collect()
}

/// Counts the panics of this thread, which also are those of its tasks: these do not end a test.
fn count_panics() -> Arc<AtomicU64> {
    let (count, thread) = (Arc::new(AtomicU64::new(0)), thread::current().id());
    let (counted, next) = (Arc::clone(&count), panic::take_hook());
    panic::set_hook(Box::new(move |info| {
        counted.fetch_add(u64::from(thread::current().id() == thread), Ordering::Relaxed);
        next(info);
    }));
    count
}

#[test]
fn garbage_makes_nothing_panic() {
    let (garbage, replies, panics) = (Mutex::new(Garbage::new(seed())), Arc::new(AtomicU64::new(0)), count_panics());
    let count = Arc::clone(&replies);
    let server = FakeServer::start(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        garbage.lock().expect("it does not panic").reply()
    });
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed] {
        for protocol in ["resp2", "resp3"] {
            let url = format!("{}?protocol={protocol}", server.url());
            let mut con = connect(&url);
            for (name, call) in CALLS {
                println!("{name}");
                (0..40).for_each(|id| call(&mut con, id));
                assert_eq!(panics.load(Ordering::Relaxed), 0, "{name}");
            }
        }
    }
    println!("soak: {} replies", replies.load(Ordering::Relaxed));
}

/// Returns the reply of a node of a cluster: garbage, and what makes clients ask for the slots or connect again.
fn node_garbage(rng: &mut Rng, garbage: &mut Garbage, words: &[Vec<u8>], port: u16) -> Vec<u8> {
    let targets = [format!("127.0.0.1:{port}"), format!(":{port}"), "127.0.0.1:70000".to_owned(), "x".to_owned()];
    let target = &targets[rng.usize(..targets.len())];
    let slot = rng.choice([0, 5_000, 16_383, 16_384, -1]).unwrap_or_default();
    match rng.u8(..100) {
        0..3 => format!("-MOVED {slot} {target}\r\n").into_bytes(),
        3..6 => format!("-ASK {slot} {target}\r\n").into_bytes(),
        6 => rng.choice(["-MOVED\r\n", "-MOVED 1\r\n", "-ASK \r\n"]).unwrap_or_default().into(),
        7 => b"-TRYAGAIN x\r\n".to_vec(),
        8 => b"-CLUSTERDOWN x\r\n".to_vec(),
        // The connection is closed.
        9 => Vec::new(),
        _ if words[0] == b"CLUSTER" && rng.bool() => slots(rng, port),
        _ => garbage.reply(),
    }
}

/// A reply to CLUSTER SLOTS whose only node is this one, with ranges that may overlap or be reversed.
fn slots(rng: &mut Rng, port: u16) -> Vec<u8> {
    let bounds = [-1, 0, 1, 5_000, 8_191, 8_192, 16_383, 16_384, 70_000];
    let mut ranges = vec![range(0, 16_383, &host(rng), port)];
    for _ in 0..rng.usize(..3) {
        let [first, last] = [0; 2].map(|_| rng.choice(bounds).unwrap_or_default());
        ranges.push(range(first, last, &host(rng), port));
    }
    rng.shuffle(&mut ranges);
    format!("*{}\r\n{}", ranges.len(), ranges.concat()).into_bytes()
}

fn host(rng: &mut Rng) -> String {
    rng.choice(["$9\r\n127.0.0.1", "$0\r\n", "$-1", "$1\r\n?"]).unwrap_or_default().to_owned()
}

fn range(first: i32, last: i32, host: &str, port: u16) -> String {
    format!("*3\r\n:{first}\r\n:{last}\r\n*2\r\n{host}\r\n:{port}\r\n")
}

/// Returns whether redis-rs 1.8 panics: on a blocking connection if a node replies with MOVED or READONLY to what is
/// sent to all primaries, since the slots are borrowed twice.
fn redis_rs_panics(kind: &str, name: &str) -> bool {
    kind == "blocking" && name.contains("scan_keys")
}

#[test]
fn garbage_of_a_cluster_makes_nothing_panic() {
    let seed = seed();
    let node = Mutex::new((Rng::with_seed(seed), Garbage::new(seed)));
    let (replies, panics) = (Arc::new(AtomicU64::new(0)), count_panics());
    let (port, is_hostile) = (Arc::new(OnceLock::new()), Arc::new(AtomicBool::new(false)));
    let server = FakeServer::start({
        let (port, is_hostile, replies) = (Arc::clone(&port), Arc::clone(&is_hostile), Arc::clone(&replies));
        move |words| {
            let port = *port.get().expect("the server has started");
            if is_hostile.load(Ordering::Relaxed) {
                replies.fetch_add(1, Ordering::Relaxed);
                let (rng, garbage) = &mut *node.lock().expect("it does not panic");
                return node_garbage(rng, garbage, words, port);
            }
            match words[0].as_slice() {
                b"CLUSTER" => format!("*1\r\n{}", range(0, 16_383, "$9\r\n127.0.0.1", port)).into_bytes(),
                _ => b"+PONG\r\n".to_vec(),
            }
        }
    });
    port.set(server.port()).expect("it is set once");
    for (kind, connect) in [
        ("blocking", Con::fake_blocking_cluster as fn(&str, ProtocolVersion) -> Con),
        ("asynchronous", Con::fake_async_cluster),
        ("nodes", Con::fake_nodes),
    ] {
        for protocol in [ProtocolVersion::RESP2, ProtocolVersion::RESP3] {
            for (name, call) in CALLS {
                if redis_rs_panics(kind, name) {
                    continue;
                }
                println!("{kind}: {name}");
                is_hostile.store(false, Ordering::Relaxed);
                let mut con = connect(&server.url(), protocol);
                is_hostile.store(true, Ordering::Relaxed);
                (0..10).for_each(|id| call(&mut con, id));
                assert_eq!(panics.load(Ordering::Relaxed), 0, "{kind}: {name}");
            }
        }
    }
    println!("soak: {} replies", replies.load(Ordering::Relaxed));
}

#[test]
fn counts_that_are_too_large_together_are_an_error() {
    let server = FakeServer::start(|_| b":9223372036854775807\r\n".to_vec());
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed] {
        let error = connect(&server.url()).error(Hot { id: 1 }.exists());
        assert_eq!((error.kind(), error.sent()), (ErrorKind::UnexpectedReply, SendStatus::Yes));
    }
}
