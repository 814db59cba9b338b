//! Clients of other languages, which push jobs that a worker runs, and take from a limit from which Rust takes too.

use std::io::Write as _;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use redis_keys::jobs::{Job, Worker};
use redis_keys::prelude::*;
use redis_keys::redis::Client;
use redis_keys::testing::Server;
use serde_json::{Value as Json, json};

use super::generated;
use super::keys::{Batches, Requests};

#[test]
fn ioredis_shares_queues_and_limits() {
    // Earlier versions of node cannot run TypeScript.
    check(
        "ioredis",
        "clients.ts",
        "node",
        ["-e", "process.exit(process.features.typescript && require('ioredis') ? 0 : 1)"],
    );
}

#[test]
fn redis_py_shares_queues_and_limits() {
    check("redis-py", "clients.py", "python3", ["-c", "import redis"]);
}

/// Runs a client between takes from a limit, and then the jobs that it has pushed. `probe` ends well if the program has
/// the client.
fn check(client: &str, file: &str, program: &str, probe: [&str; 2]) {
    if !Command::new(program).args(probe).output().is_ok_and(|output| output.status.success()) {
        // Not `println`, which is shown only if a test fails.
        writeln!(std::io::stderr(), "not run: no {client}").unwrap();
        return;
    }
    let server = Server::start().unwrap();
    let mut con = Client::open(server.url()).unwrap().get_connection().unwrap();
    let limit = Requests { id: 42 };
    assert!(limit.take(10).query(&mut con).unwrap().allowed);

    let output = Command::new(program).arg(generated(file)).arg(server.url()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["taken"], json!([[true, 9], [true, 0], [false, 0]]));
    assert!(!limit.take(1).query(&mut con).unwrap().allowed);

    // The 1,001st job of a queue.
    assert_eq!(printed["isFull"], json!([false, false, true]));
    let (ids, values): (Vec<_>, Vec<_>) = jobs(&server).into_iter().unzip();
    assert_eq!(printed["ids"], json!(ids));
    assert_eq!(values, ["first", "é", "later"]);
}

/// The ids and the values of three jobs, as a worker gets them.
fn jobs(server: &Server) -> Vec<(String, String)> {
    let queue = Batches { shop: 7, id: "67e55044-10b1-426f-9247-bb680e5fe0c8".parse().unwrap() };
    let (done, started) = (Arc::new(Mutex::new(Vec::new())), Instant::now());
    let seen = Arc::clone(&done);
    let handler = move |job: Job<String>| {
        seen.lock().unwrap().push((job.id().to_string(), job.value));
        std::future::ready(Ok::<_, redis_keys::Error>(()))
    };
    let are_done = async || {
        while done.lock().unwrap().len() < 3 && started.elapsed() < Duration::from_secs(30) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let worker = Worker::new(redis_keys::connect(server.url()).unwrap(), queue).with_concurrency(1);
        worker.run(handler).until(are_done()).await.unwrap();
    });
    let done = done.lock().unwrap();
    done.clone()
}
