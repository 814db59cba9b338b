//! A queue on a cluster whose slots move.

use std::time::Duration;

use redis::Client;
use redis_keys::jobs::{Job, Outcome, Worker};
use redis_keys::prelude::*;
use redis_keys::testing::Cluster;
use redis_keys::{ConnectOptions, cluster};
use redis_keys_tests::{Con, move_slots, seed};

use super::{Log, NUMBERS, Running, counts, once, push_many, until};

#[tokio::test(flavor = "multi_thread")]
async fn each_job_is_done_once_while_slots_move() {
    const JOBS: u64 = 3_000;
    let cluster = Cluster::start().expect("a cluster starts");
    let mut con = Con::blocking_cluster(&cluster, redis::ProtocolVersion::RESP3);
    let clients: Vec<_> =
        cluster.urls().into_iter().map(|url| Client::open(url).expect("the address is valid")).collect();
    let options = ConnectOptions::new().with_time_limit(Duration::from_secs(20));
    let node = cluster::connect_with(&clients, options).expect("the addresses are valid");
    let key = NUMBERS.key().expect("the key is valid").to_string();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let moving = std::thread::spawn(move || {
        move_slots(cluster, &[key], seed(), || stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty))
    });

    let worker = Worker::new(node, NUMBERS).with_concurrency(20).with_idle(Duration::from_millis(20));
    let log = Log::default();
    let running = Running::start(&worker, {
        let log = log.clone();
        move |job: Job<u64>| {
            let log = log.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(job.value % 20)).await;
                log.add(job.value);
                Outcome::Done
            }
        }
    });
    tokio::task::block_in_place(|| push_many(&mut con, &NUMBERS, JOBS));
    until("the queue is empty", || log.len() as u64 == JOBS && counts(&mut con, &NUMBERS) == [0, 0, 0]).await;
    running.stop().await;
    drop(stop);
    let moves = moving.join().expect("the slots move");
    println!("{moves} moves, {:?}", worker.stats());
    assert!(moves > 0, "{moves}");
    assert_eq!(log.runs(), once(JOBS));
    assert_eq!((worker.stats().done, worker.stats().lost), (JOBS, 0));
}
