//! This crate's connection where something else than its server ends, hangs or changes: a runtime, a failover, a
//! connection that is slow to open.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use futures_util::future::join_all;
use redis::Client;
use redis_keys::testing::Server;
use redis_keys::{ConnectOptions, Connection, ErrorKind, SendStatus, StringKey as _, connect, connect_with};
use redis_keys_tests::{Con, FakeServer};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, timeout};

use super::block_on;
use super::commands::Clicks;
use super::server_away::{PATIENCE, SHORT, Wire, connect_short, failure, incr};

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

/// Runs commands, one after the other, until one succeeds.
async fn until_one_succeeds(con: &Connection) -> u64 {
    let end = Instant::now() + PATIENCE;
    loop {
        match incr(con, 1).await {
            Ok(count) => return count,
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn commands_that_begin_together_after_a_restart_succeed() {
    let other = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    for runtime in [current_thread(), other] {
        runtime.block_on(async {
            let mut server = Server::start().expect("a server starts");
            let (port, con) = (server.port(), connect(server.url()).expect("the address is valid"));
            for _ in 0..5 {
                let found = join_all((0..8).map(|id| incr(&con, id))).await;
                for result in found {
                    assert_eq!(result.expect("the server replies"), 1);
                }
                drop(server);
                server = Server::start_on(port).expect("a server starts");
            }
        });
    }
}

#[test]
fn a_runtime_that_ended_while_it_asked_a_dead_connection_keeps_nothing_back() {
    let server = Server::start().expect("a server starts");
    let wire = Wire::to(&server);
    block_on(async {
        let con = connect_short(&wire.url());
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        wire.swallow(true);
        let quick = con.with_time_limit(SHORT / 10);
        let other = quick.clone();
        thread::spawn(move || current_thread().block_on(failure(&other))).join().expect("no panic");
        let (accepted, end) = (wire.accepted(), Instant::now() + PATIENCE);
        while wire.accepted() == accepted {
            assert!(Instant::now() < end, "the connection is still in use");
            failure(&quick).await;
        }
    });
}

#[test]
fn a_runtime_that_is_not_run_any_more_keeps_no_other_from_connecting() {
    let server = Server::start().expect("a server starts");
    let (port, con) = (server.port(), connect_short(&server.url()));
    drop(server);
    let paused = current_thread();
    paused.block_on(failure(&con));
    let _server = Server::start_on(port).expect("a server starts");
    assert_eq!(current_thread().block_on(until_one_succeeds(&con)), 1);
    drop(paused);
}

#[test]
fn a_command_in_a_runtime_that_has_shut_down_fails() {
    let con = connect("redis://127.0.0.1:1/").expect("the address is valid");
    let runtime = Runtime::new().expect("a runtime starts");
    let handle = runtime.handle().clone();
    runtime.shutdown_background();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let command = Clicks { id: 1 }.incr();
        sender.send(handle.block_on(command.query_async(&mut con.clone())))
    });
    let error = receiver.recv_timeout(PATIENCE).expect("it ends").expect_err("nothing can be opened");
    assert_eq!(error.sent(), SendStatus::No, "{error}");
}

#[test]
fn a_runtime_without_sockets_is_an_error() {
    let server = Server::start().expect("a server starts");
    let con = connect(server.url()).expect("the address is valid");
    let runtime = Builder::new_current_thread().build().expect("a runtime starts");
    let command = Clicks { id: 1 }.incr();
    let error = runtime.block_on(command.query_async(&mut con.clone())).expect_err("it has no sockets");
    assert_eq!(error.sent(), SendStatus::No);
    assert!(error.to_string().contains("runtime of tokio"), "{error}");
}

#[test]
fn a_pipeline_with_half_a_transaction_is_rejected() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let mut con = connect(server.url()).expect("the address is valid");
        for words in [&["MULTI", "PING"][..], &["PING", "EXEC"], &["MULTI", "EXEC", "MULTI"], &["EXEC", "MULTI"]] {
            let mut pipeline = redis::pipe();
            for word in words {
                pipeline.cmd(word);
            }
            let error = pipeline.exec_async(&mut con).await.expect_err("others would be part of it");
            assert!(error.to_string().contains("all clones share it"), "{words:?}: {error}");
            assert!(incr(&con, 1).await.is_ok(), "{words:?}");
        }
        let mut whole = redis::pipe();
        whole.cmd("MULTI").cmd("PING").cmd("EXEC").cmd("PING").cmd("MULTI").cmd("EXEC");
        whole.exec_async(&mut con).await.expect("the server replies");
        assert!(incr(&con, 1).await.is_ok());
    });
}

/// Passes connections on to the port that was set when they began.
struct Switch {
    port: u16,
    target: Arc<AtomicU16>,
}

impl Switch {
    fn to(server: &Server) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let switch = Self { port, target: Arc::new(AtomicU16::new(server.port())) };
        let target = Arc::clone(&switch.target);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect((Ipv4Addr::LOCALHOST, target.load(SeqCst))).expect("it accepts");
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (mut from, mut to) =
                        (from.try_clone().expect("it is open"), to.try_clone().expect("it is open"));
                    thread::spawn(move || std::io::copy(&mut from, &mut to));
                }
            }
        });
        switch
    }
}

#[test]
fn after_a_failover_another_connection_leads_to_the_primary() {
    let [old, new] = [(); 2].map(|()| Server::start().expect("a server starts"));
    let switch = Switch::to(&old);
    block_on(async {
        let con = connect(format!("redis://127.0.0.1:{}/", switch.port)).expect("the address is valid");
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        switch.target.store(new.port(), SeqCst);
        let mut demoted = Con::blocking(&old.url());
        let _: String = demoted.raw(&["REPLICAOF", "127.0.0.1", &new.port().to_string()]);
        let error = incr(&con, 1).await.expect_err("replicas do not accept writes");
        assert_eq!(error.kind(), ErrorKind::Server, "{error}");
        until_one_succeeds(&con).await;
    });
}

#[test]
fn a_replica_is_not_asked_over_ever_new_connections() {
    let server = FakeServer::start(|_| b"-READONLY You can't write against a read only replica.\r\n".to_vec());
    let wire = Wire::to_port(server.port());
    block_on(async {
        let (con, start) = (connect(wire.url()).expect("the address is valid"), Instant::now());
        for _ in 0..200 {
            assert!(incr(&con, 1).await.is_err());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let most = start.elapsed().as_secs() + 2;
        assert!(wire.accepted() <= most, "{} connections", wire.accepted());
    });
}

/// A server that opens connections at once, and later slowly: with these bytes as the reply to each command that opens
/// one.
struct SlowServer {
    port: u16,
    is_slow: Arc<AtomicBool>,
    accepted: Arc<AtomicU64>,
}

impl SlowServer {
    fn start(delay: Duration, slow_reply: &'static [u8]) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let server = Self { port, is_slow: Arc::default(), accepted: Arc::default() };
        let (is_slow, accepted) = (Arc::clone(&server.is_slow), Arc::clone(&server.accepted));
        thread::spawn(move || {
            for mut client in listener.incoming().map_while(Result::ok) {
                accepted.fetch_add(1, SeqCst);
                let is_slow = Arc::clone(&is_slow);
                thread::spawn(move || {
                    let (was_slow, mut bytes, mut is_first) = (is_slow.load(SeqCst), [0; 4096], true);
                    while let Ok(len @ 1..) = client.read(&mut bytes) {
                        // A connection that was opened before ends.
                        if is_slow.load(SeqCst) && !was_slow {
                            return;
                        }
                        // What opens a connection comes in one piece.
                        let reply = match (std::mem::take(&mut is_first), was_slow) {
                            (true, true) => {
                                thread::sleep(delay);
                                slow_reply
                            }
                            (true, false) => b"+OK\r\n",
                            (false, _) => b":1\r\n",
                        };
                        let commands = bytes[..len].split(|byte| *byte == b'*').skip(1).count();
                        if client.write_all(&reply.repeat(commands)).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        server
    }

    fn url(&self, user: &str) -> String {
        format!("redis://{user}127.0.0.1:{}/", self.port)
    }
}

#[test]
fn a_connection_that_is_slow_to_open_opens_although_few_wait_for_it() {
    let server = SlowServer::start(Duration::from_millis(300), b":1\r\n");
    block_on(async {
        let con = connect(server.url("")).expect("the address is valid");
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        server.is_slow.store(true, SeqCst);
        let quick = con.with_time_limit(Duration::from_millis(50));
        let end = Instant::now() + PATIENCE;
        while incr(&quick, 1).await.is_err() {
            assert!(Instant::now() < end, "no connection was opened");
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        // Nor does an attempt end with the time limit of commands.
        let client = Client::open(server.url("")).expect("the address is valid");
        let options = ConnectOptions::new().with_time_limit(Duration::from_millis(50));
        until_one_succeeds(&connect_with(client, options).expect("it is supported")).await;
    });
}

#[test]
fn a_wrong_password_is_tried_once_a_second_if_the_server_is_slow() {
    let server = SlowServer::start(Duration::from_millis(300), b"-WRONGPASS invalid\r\n");
    block_on(async {
        let con = connect(server.url(":sesame@")).expect("the address is valid");
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        server.is_slow.store(true, SeqCst);
        let (before, start) = (server.accepted.load(SeqCst), Instant::now());
        while start.elapsed() < Duration::from_secs(4) {
            failure(&con).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let attempts = server.accepted.load(SeqCst) - before;
        // Until the first reply is there, a second attempt can begin every 80 ms.
        assert!(attempts <= 4 * 5, "{attempts}");
    });
}

#[test]
fn no_option_keeps_the_connection_from_opening() {
    let server = Server::start().expect("a server starts");
    let with_time_limit = |limit| ConnectOptions::new().with_time_limit(limit);
    let limits = [Duration::ZERO, Duration::from_nanos(1), Duration::MAX].map(with_time_limit);
    block_on(async {
        for options in limits.into_iter().chain([ConnectOptions::new().with_max_waiting(0)]) {
            let client = Client::open(server.url()).expect("the address is valid");
            let con = connect_with(client, options).expect("it is supported");
            until_one_succeeds(&con).await;
        }
    });
}

#[test]
fn a_server_with_too_many_clients_is_used_when_it_has_room() {
    let server = Server::start().expect("a server starts");
    let mut plain = Con::blocking(&server.url());
    let _: String = plain.raw(&["CONFIG", "SET", "maxclients", "1"]);
    block_on(async {
        let con = connect_short(&server.url());
        for _ in 0..20 {
            let error = incr(&con, 1).await.expect_err("there is no room");
            assert_ne!(error.sent(), SendStatus::Maybe, "{error}");
        }
        let _: String = plain.raw(&["CONFIG", "SET", "maxclients", "100"]);
        assert_eq!(until_one_succeeds(&con).await, 1);
    });
}

#[test]
fn errors_of_the_server_cost_no_connection() {
    let number = Arc::new(AtomicU64::new(0));
    let errors = ["LOADING x", "MASTERDOWN x", "NOAUTH x", "BUSY x", "OOM x", "NOPERM x", "ERR x", "NEWCODE x"];
    let server = FakeServer::start({
        let number = Arc::clone(&number);
        move |_| {
            let index = usize::try_from(number.fetch_add(1, SeqCst)).expect("it is small");
            format!("-{}\r\n", errors[index % errors.len()]).into_bytes()
        }
    });
    let wire = Wire::to_port(server.port());
    block_on(async {
        let con = connect(wire.url()).expect("the address is valid");
        for _ in 0..errors.len() {
            assert_eq!(incr(&con, 1).await.expect_err("it is an error").kind(), ErrorKind::Server);
        }
        assert_eq!(wire.accepted(), 1);
    });
}

#[test]
fn messages_that_no_command_asked_for_are_no_replies() {
    let server = FakeServer::start(|_| {
        b">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\na\r\n:7\r\n>3\r\n+message\r\n+a\r\n+b\r\n".to_vec()
    });
    block_on(async {
        let con = connect(format!("{}?protocol=resp3", server.url())).expect("the address is valid");
        for _ in 0..20 {
            assert_eq!(incr(&con, 1).await.expect("the server replies"), 7);
        }
    });
}

#[test]
fn commands_that_are_cancelled_leave_no_reply_to_others() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let con = connect(server.url()).expect("the address is valid");
        let tasks = (0..32_u64).map(|id| {
            let con = con.clone();
            tokio::spawn(async move {
                let mut last = 0;
                for round in 0..300_u64 {
                    let limit = Duration::from_micros((id * 7 + round * 13) % 600);
                    if let Ok(count) = timeout(limit, incr(&con, id)).await {
                        let count = count.expect("the server replies");
                        assert!(count > last && count <= round + 1, "{count} after {last}");
                        last = count;
                    }
                }
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.expect("no panic");
        }
    });
}
