//! This crate's connection to a cluster until a node has answered for the first time.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use futures_util::future::join_all;
use redis::Client;
use redis_keys::cluster::{self, Connection};
use redis_keys::prelude::*;
use redis_keys::subscriber::Subscriber;
use redis_keys::testing::Server;
use redis_keys::{ConnectOptions, Error, ErrorKind, SendStatus, atomic, batch};
use redis_keys_tests::{FakeServer, shared_cluster};

use super::block_on;
use super::commands::{Clicks, run_all};
use super::server_away::{PATIENCE, SHORT, Wire};

fn connect<const N: usize>(urls: [String; N], options: ConnectOptions) -> Connection {
    let clients = urls.map(|url| Client::open(url).expect("the address is valid"));
    cluster::connect_with(clients, options).expect("it is a host and a port")
}

fn within(time: Duration) -> ConnectOptions {
    ConnectOptions::new().with_time_limit(time)
}

/// A port that nothing listens on.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

fn url(port: u16) -> String {
    format!("redis://127.0.0.1:{port}/")
}

/// A node that accepts connections and never replies.
fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    (listener, url(port))
}

#[track_caller]
fn assert_unsent(error: &Error, why: &str) {
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::No), "{error}");
    assert!(error.to_string().contains(&format!("cannot connect to the cluster: {why}")), "{error}");
}

#[test]
fn a_connection_is_opened_before_its_nodes_run() {
    let cluster = shared_cluster();
    let port = free_port();
    let con = connect([url(port)], within(SHORT));
    block_on(async {
        let start = Instant::now();
        assert_unsent(&Clicks { id: 1 }.incr().run(&con).await.expect_err("nothing listens"), "connection refused");
        assert!(start.elapsed() >= SHORT / 2, "it has waited: {:?}", start.elapsed());

        let _wire = Wire::listen(port, cluster.nodes().expect("the cluster is whole")[0].port());
        run_all(&mut con.clone()).await.expect("every command succeeds");
    });
}

#[test]
fn commands_wait_for_the_first_node() {
    let cluster = shared_cluster();
    let port = free_port();
    let con = connect([url(port)], within(PATIENCE));
    block_on(async {
        let commands = join_all((0..100).map(|id| Clicks { id }.incr().run(&con)));
        // It is polled after the commands have begun to wait.
        let starts = async { Wire::listen(port, cluster.nodes().expect("the cluster is whole")[0].port()) };
        let (counts, wire) = futures_util::future::join(commands, starts).await;
        assert!(counts.into_iter().all(|count| count.expect("the node has come") == 1));
        assert_eq!(wire.accepted(), 1, "the other nodes are reached directly");
    });
}

#[test]
fn all_kinds_of_commands_report_a_cluster_that_is_away() {
    let con = connect([url(free_port()), url(free_port())], within(SHORT));
    block_on(async {
        let incr = |id| Clicks { id }.incr();
        let (first, second) = batch((incr(1), incr(2))).run_each(&con).await;
        for error in [first, second].map(|count| count.expect_err("nothing listens")) {
            assert_unsent(&error, "connection refused");
        }
        let error = atomic((incr(1), incr(1))).run(&con).await.expect_err("nothing listens");
        assert_unsent(&error, "connection refused");
        let found = Clicks::scan().stream(&con).map_ok(|_| ()).try_collect::<Vec<_>>().await;
        let error = found.expect_err("nothing listens");
        assert!(error.to_string().contains("cannot connect to the cluster: connection refused"), "{error}");

        // There is nothing to wait for.
        let nothing: Vec<u64> = batch(Vec::<redis_keys::Command<u64>>::new()).run(&con).await.expect("nothing is sent");
        assert!(nothing.is_empty());
        let error = redis::cmd("PING").exec_async(&mut con.clone()).await.expect_err("nothing listens");
        assert!(error.is_connection_refusal(), "{error}");
        let error = redis::pipe().get("a").get("b").exec_async(&mut con.clone()).await.expect_err("nothing listens");
        assert!(error.is_connection_refusal(), "{error}");
        let error = Subscriber::connect(&con, [Changes]).await.expect_err("nothing listens");
        assert_eq!(error.kind(), ErrorKind::Connection, "{error}");
    });
}

#[derive(RedisKey, Clone)]
#[redis_key(click:changes:channel, value = u64)]
struct Changes;

#[test]
fn a_server_without_a_cluster_is_refused_at_once() {
    let server = Server::start().expect("a server starts");
    let con = connect([server.url()], within(Duration::MAX));
    block_on(async {
        for result in join_all((0..20).map(|id| Clicks { id }.incr().run(&con))).await {
            assert_unsent(&result.expect_err("it is no cluster"), "the server is not part of a cluster");
        }
    });
}

#[test]
fn a_silent_node_does_not_delay_the_others() {
    let cluster = shared_cluster();
    let (_listener, silent) = silent();
    let con = connect([silent, url(free_port()), cluster.urls().remove(0)], within(PATIENCE));
    block_on(async {
        let start = Instant::now();
        Clicks { id: 1 }.incr().run(&con).await.expect("the third node answers");
        assert!(start.elapsed() < PATIENCE / 2, "it did not wait for the first one: {:?}", start.elapsed());
    });
}

#[test]
fn more_commands_than_may_wait_fail_at_once() {
    let cluster = shared_cluster();
    let (listener, silent) = silent();
    let node = cluster.nodes().expect("the cluster is whole")[0].port();
    let con = connect([silent], within(PATIENCE).with_max_waiting(1));
    block_on(async {
        let first = async { Clicks { id: 1 }.incr().run(&con).await };
        let second = async {
            let error = Clicks { id: 2 }.incr().run(&con).await.expect_err("one waits already");
            assert_eq!(error.sent(), SendStatus::No);
            assert!(error.to_string().contains("1 commands wait for a connection already"), "{error}");
            // From here on the node replies.
            Wire::of(listener, node)
        };
        let (count, _wire) = futures_util::future::join(first, second).await;
        count.expect("the node replies in the end");
        let counts = join_all((0..100).map(|id| Clicks { id }.incr().run(&con))).await;
        assert!(counts.iter().all(Result::is_ok), "any number may wait for the nodes that are known: {counts:?}");
    });
}

#[test]
fn a_silent_node_is_given_up_after_the_time_limit() {
    let (_listener, silent) = silent();
    let con = connect([silent], within(SHORT));
    block_on(async {
        let error = Clicks { id: 1 }.incr().run(&con).await.expect_err("nothing replies");
        assert_unsent(&error, "no node has answered within 400ms");
    });
}

/// The reply to CLUSTER SLOTS of a cluster with one node.
fn all_slots(port: u16) -> Vec<u8> {
    format!("*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:{port}\r\n").into_bytes()
}

#[test]
fn of_many_commands_one_asks_and_another_one_if_it_is_dropped() {
    let asked = Arc::new(AtomicU64::new(0));
    let port = Arc::new(AtomicU64::new(0));
    let (counts, own_port) = (Arc::clone(&asked), Arc::clone(&port));
    let node = FakeServer::start(move |words| match words[0].as_slice() {
        b"CLUSTER" => {
            counts.fetch_add(1, SeqCst);
            all_slots(u16::try_from(own_port.load(SeqCst)).expect("it is a port"))
        }
        _ => b":1\r\n".to_vec(),
    });
    port.store(node.port().into(), SeqCst);
    block_on(async {
        for drops_first in [false, true] {
            asked.store(0, SeqCst);
            let con = connect([node.url()], within(PATIENCE));
            let start = Instant::now();
            let mut first = Box::pin(Clicks { id: 0 }.incr().run(&con));
            assert!(futures_util::poll!(&mut first).is_pending());
            let others = join_all((1..100).map(|id| Clicks { id }.incr().run(&con)));
            let counts = if drops_first {
                drop(first);
                others.await
            } else {
                futures_util::future::join(first, others).await.1
            };
            assert!(counts.iter().all(Result::is_ok), "{counts:?}");
            assert!(start.elapsed() < PATIENCE / 2, "{:?}", start.elapsed());
            assert!(asked.load(SeqCst) <= 1 + u64::from(drops_first));
        }
    });
}
