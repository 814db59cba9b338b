//! This crate's connection, while its server is away and after its return.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;
use std::time::Duration;

use redis::Client;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ConnectOptions, Connection, Error, ErrorKind, SendStatus, batch_iter, connect, connect_with};
use redis_keys_tests::{Con, StoppedServer, until};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::block_on;
use super::commands::{Clicks, Name, run_all};

/// Far more than any command may take here.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// The time limit where a command has to wait for it.
pub(super) const SHORT: Duration = Duration::from_millis(400);

pub(super) fn connect_short(url: &str) -> Connection {
    let client = Client::open(url).expect("the address is valid");
    connect_with(client, ConnectOptions::new().with_time_limit(SHORT)).expect("it is supported")
}

pub(super) async fn incr(con: &Connection, id: u64) -> Result<u64, Error> {
    let mut con = con.clone();
    let command = Clicks { id }.incr();
    timeout(PATIENCE, command.query_async(&mut con)).await.expect("it has a result within its time limit")
}

pub(super) async fn failure(con: &Connection) -> Error {
    let error = incr(con, 1).await.expect_err("the server is away");
    assert_eq!(error.kind(), ErrorKind::Connection, "{error}");
    error
}

/// Ends a server, and returns when its clients can see that. On a busy machine that can be later than its end: the
/// connection that this opens is the last one that the server has, and is closed last.
fn end(server: Server) {
    let mut last = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port())).expect("the server is there");
    last.write_all(b"PING\r\n").and_then(|()| last.read_exact(&mut [0; 7])).expect("the server replies");
    drop(server);
    // Reset, or at its end.
    _ = last.read(&mut [0]);
}

/// Between a client and a server. What it swallows never arrives.
pub(super) struct Wire {
    port: u16,
    swallows: Arc<AtomicBool>,
    accepted: Arc<AtomicU64>,
}

impl Wire {
    pub(super) fn to(server: &Server) -> Self {
        Self::to_port(server.port())
    }

    pub(super) fn to_port(server: u16) -> Self {
        Self::listen(0, server)
    }

    /// Listens on this port, or on any free one for 0.
    pub(super) fn listen(port: u16, server: u16) -> Self {
        Self::of(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("the port is free"), server)
    }

    pub(super) fn of(listener: TcpListener, server: u16) -> Self {
        let port = listener.local_addr().expect("it is bound").port();
        let wire = Self { port, swallows: Arc::default(), accepted: Arc::default() };
        let (swallows, accepted) = (Arc::clone(&wire.swallows), Arc::clone(&wire.accepted));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                accepted.fetch_add(1, SeqCst);
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else { continue };
                pass(&client, &server, &swallows);
                pass(&server, &client, &swallows);
            }
        });
        wire
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Returns how many connections it has accepted.
    pub(super) fn accepted(&self) -> u64 {
        self.accepted.load(SeqCst)
    }

    pub(super) fn swallow(&self, swallows: bool) {
        self.swallows.store(swallows, SeqCst);
    }
}

fn pass(from: &TcpStream, to: &TcpStream, swallows: &Arc<AtomicBool>) {
    let (mut from, mut to) = (from.try_clone().expect("it is open"), to.try_clone().expect("it is open"));
    let swallows = Arc::clone(swallows);
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        // What was swallowed once is missing: the connection can never be used again.
        let mut is_dead = false;
        while let Ok(len @ 1..) = from.read(&mut bytes) {
            is_dead |= swallows.load(SeqCst);
            if !is_dead && to.write_all(&bytes[..len]).is_err() {
                break;
            }
        }
        _ = to.shutdown(Shutdown::Both);
    });
}

#[test]
fn the_first_command_after_a_restart_succeeds() {
    // Nobody looks at the connection while the thread of the only worker starts the server.
    let busy = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let other = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime starts");
    for runtime in [busy, other] {
        runtime.block_on(async {
            let mut server = Server::start().expect("a server starts");
            let (port, con) = (server.port(), connect_short(&server.url()));
            for _ in 0..5 {
                assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
                end(server);
                server = Server::start_on(port).expect("a server starts");
                // The new server is empty.
                assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
                end(server);
                assert_eq!(failure(&con).await.sent(), SendStatus::No);
                server = Server::start_on(port).expect("a server starts");
            }
        });
    }
}

#[test]
fn everything_runs_after_a_restart() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    block_on(async {
        let mut con = connect(server.url()).expect("the address is valid");
        run_all(&mut con).await.expect("every command succeeds");
        end(server);
        let _server = Server::start_on(port).expect("a server starts");
        run_all(&mut con).await.expect("every command succeeds");
    });
}

#[test]
fn a_connection_opens_when_its_server_is_there() {
    let server = Server::start().expect("a server starts");
    let (port, url) = (server.port(), server.url());
    drop(server);
    block_on(async {
        let con = connect(url.as_str()).expect("the address is valid");
        let error = failure(&con).await;
        assert_eq!(error.sent(), SendStatus::No);
        assert!(error.to_string().contains("connection refused"), "{error}");
        // This one has not seen how long the server has been away.
        let client = Client::open(url).expect("the address is valid");
        let patient = connect_with(client, ConnectOptions::new().with_time_limit(PATIENCE)).expect("it is supported");
        let waiting = tokio::spawn(async move { incr(&patient, 1).await });
        let _server = Server::start_on(port).expect("a server starts");
        assert_eq!(waiting.await.expect("no panic").expect("the server has come"), 1);
    });
}

#[test]
fn commands_wait_for_a_short_absence_and_fail_fast_in_a_long_one() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    block_on(async {
        let con = connect_short(&server.url());
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        end(server);
        assert_eq!(failure(&con).await.sent(), SendStatus::No);
        // A hundred of them take less than a hundred times the limit.
        let start = Instant::now();
        for _ in 0..100 {
            let error = failure(&con).await;
            assert_eq!(error.sent(), SendStatus::No);
            assert!(error.to_string().contains("refused"), "{error}");
        }
        assert!(start.elapsed() < SHORT * 50);
        let patient = con.with_time_limit(PATIENCE);
        drop(patient);
        let _server = Server::start_on(port).expect("a server starts");
        assert_eq!(incr(&con, 1).await.expect("the server is back"), 1);
    });
}

#[test]
fn a_server_that_stops_costs_each_command_its_time_limit() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let con = connect_short(&server.url());
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        let stopped = StoppedServer::new(&server);
        assert_eq!(failure(&con).await.sent(), SendStatus::Maybe);
        // The second one would go over another connection, which does not open.
        assert_eq!(failure(&con).await.sent(), SendStatus::No);
        let many = batch_iter((0..100).map(|id| Clicks { id }.incr())).query_each_async(&mut con.clone()).await;
        assert!(many.iter().all(|result| result.as_ref().is_err_and(|error| error.sent() == SendStatus::No)));
        drop(stopped);
        // The first was executed late, and those that were not sent were not.
        assert!([2, 3].contains(&incr(&con, 1).await.expect("the server is back")));
        until("what was late is there", || {
            let mut con = Con::blocking(&server.url());
            con.ok(Clicks { id: 1 }.get()) == Some(3)
        })
        .await;
    });
}

#[test]
fn bytes_that_vanish_cost_a_connection() {
    let server = Server::start().expect("a server starts");
    let wire = Wire::to(&server);
    block_on(async {
        let con = connect_short(&wire.url());
        for round in 1..4 {
            assert_eq!(incr(&con, 1).await.expect("the server replies"), round * 2 - 1);
            wire.swallow(true);
            assert_eq!(failure(&con).await.sent(), SendStatus::Maybe);
            // Attempts to connect are in flight when the wire is whole again, and none of them will succeed.
            let mut late = JoinSet::new();
            for _ in 0..20 {
                let con = con.clone();
                late.spawn(async move { incr(&con, 2).await });
                tokio::time::sleep(SHORT / 20).await;
            }
            wire.swallow(false);
            assert_eq!(incr(&con, 1).await.expect("the wire is whole"), round * 2);
            late.abort_all();
        }
    });
}

#[test]
fn commands_that_nobody_waits_for_reveal_a_dead_connection() {
    let server = Server::start().expect("a server starts");
    let wire = Wire::to(&server);
    block_on(async {
        let con = connect_short(&wire.url());
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        wire.swallow(true);
        let accepted = wire.accepted();
        let end = Instant::now() + PATIENCE;
        // Each of them is dropped before its time limit.
        while wire.accepted() == accepted {
            assert!(Instant::now() < end, "the connection is still in use");
            _ = timeout(SHORT / 10, con.clone().send_ping()).await;
        }
        wire.swallow(false);
        assert_eq!(incr(&con, 1).await.expect("the wire is whole"), 2);
    });
}

trait Ping {
    async fn send_ping(self);
}

impl Ping for Connection {
    async fn send_ping(mut self) {
        _ = redis::cmd("PING").exec_async(&mut self).await;
    }
}

#[test]
fn nothing_is_sent_twice() {
    let server = Server::start().expect("a server starts");
    let mut plain = Con::blocking(&server.url());
    block_on(async {
        let con = connect(server.url()).expect("the address is valid");
        let ends = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        for _ in 0..16 {
            let (con, ends) = (con.clone(), Arc::clone(&ends));
            tasks.spawn(async move {
                let (mut done, mut unclear) = (0, 0);
                while !ends.load(SeqCst) {
                    match incr(&con, 1).await {
                        Ok(_) => done += 1,
                        Err(error) if error.sent() == SendStatus::Maybe => unclear += 1,
                        Err(error) => assert_eq!(error.sent(), SendStatus::No, "{error}"),
                    }
                }
                (done, unclear)
            });
        }
        let kill = redis::cmd("CLIENT").arg(&["KILL", "TYPE", "normal", "SKIPME", "yes"]).clone();
        let client = Client::open(server.url()).expect("the address is valid");
        let mut killer = client.get_connection().expect("the server replies");
        for _ in 0..300 {
            kill.query::<u64>(&mut killer).expect("the server replies");
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        ends.store(true, SeqCst);
        let counts = tasks.join_all().await;
        let (done, unclear) = counts.iter().fold((0, 0), |sum: (u64, u64), part| (sum.0 + part.0, sum.1 + part.1));
        plain = Con::blocking(&server.url());
        let found = plain.ok(Clicks { id: 1 }.get()).expect("it was counted");
        assert!((done..=done + unclear).contains(&found), "{found} of {done} and perhaps {unclear}");
        assert!(unclear > 0);
    });
}

#[test]
fn only_some_commands_wait() {
    let server = Server::start().expect("a server starts");
    let wire = Wire::to(&server);
    wire.swallow(true);
    block_on(async {
        let client = Client::open(wire.url()).expect("the address is valid");
        let options = ConnectOptions::new().with_max_waiting(3).with_time_limit(PATIENCE);
        let con = connect_with(client, options).expect("it is supported");
        let mut waiting = JoinSet::new();
        for _ in 0..5 {
            let con = con.clone();
            waiting.spawn(async move { incr(&con, 1).await });
        }
        for _ in 0..2 {
            let error = waiting.join_next().await.expect("five run").expect("no panic").expect_err("none is open");
            assert_eq!(error.sent(), SendStatus::No);
            assert!(error.to_string().contains("3 commands wait for a connection already"), "{error}");
        }
        // Their time limits do not depend on each other.
        let quick = con.with_time_limit(Duration::from_millis(50));
        waiting.abort_all();
        while waiting.join_next().await.is_some() {}
        assert!(failure(&quick).await.to_string().contains("no connection within 50ms"));
    });
}

#[test]
fn a_wrong_password_is_tried_once_a_second() {
    let server = Server::start().expect("a server starts");
    let mut plain = Con::blocking(&server.url());
    let _: String = plain.raw(&["CONFIG", "SET", "requirepass", "sesame"]);
    let url = |password: &str| format!("redis://:{password}@127.0.0.1:{}/", server.port());
    let connections = |plain: &mut Con| {
        let info = plain.info("stats");
        let total = info.lines().find_map(|line| line.strip_prefix("total_connections_received:"));
        total.and_then(|total| total.parse::<u64>().ok()).expect("the server says so")
    };
    block_on(async {
        let con = connect(url("wrong")).expect("the address is valid");
        let (before, start) = (connections(&mut plain), Instant::now());
        for _ in 0..1_000 {
            let error = failure(&con).await;
            assert_eq!(error.sent(), SendStatus::No);
            assert!(!error.to_string().contains("wrong@"), "{error}");
        }
        let attempts = connections(&mut plain) - before;
        assert!(attempts <= start.elapsed().as_secs() + 1, "{attempts}");
        let right = connect(url("sesame")).expect("the address is valid");
        assert_eq!(incr(&right, 1).await.expect("the server replies"), 1);
    });
}

#[test]
fn a_clone_can_be_less_patient() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let con = connect(server.url()).expect("the address is valid").with_time_limit(PATIENCE);
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        let quick = con.with_time_limit(Duration::from_millis(20));
        let stopped = StoppedServer::new(&server);
        let slow = tokio::spawn({
            let con = con.clone();
            async move { incr(&con, 2).await }
        });
        for _ in 0..3 {
            let error = failure(&quick).await;
            assert_eq!(error.sent(), SendStatus::Maybe);
            assert!(error.to_string().contains("no reply in time"), "{error}");
        }
        let batch = batch_iter((10..20).map(|id| Clicks { id }.incr())).query_async(&mut quick.clone()).await;
        assert_eq!(batch.expect_err("the server is stopped").sent(), SendStatus::Maybe);
        drop(stopped);
        // On the same connection: the late replies were dropped, and none was taken for another.
        assert_eq!(slow.await.expect("no panic").expect("the server is back"), 1);
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 5);
    });
}

#[test]
fn a_connection_outlives_the_runtime_that_opened_it() {
    let server = Server::start().expect("a server starts");
    let con = connect(server.url()).expect("the address is valid");
    for count in 1..4 {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        assert_eq!(runtime.block_on(incr(&con, 1)).expect("the server replies"), count);
    }
}

#[test]
fn what_needs_a_connection_of_its_own_is_rejected() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let mut con = connect(server.url()).expect("the address is valid");
        for line in ["SELECT 1", "subscribe news", "MULTI", "WATCH a", "BLPOP a 1", "XREAD block 0 STREAMS a $"] {
            let mut cmd = redis::Cmd::new();
            line.split(' ').for_each(|word| _ = cmd.arg(word));
            let error = cmd.exec_async(&mut con).await.expect_err(line);
            assert!(error.to_string().contains("all clones share it"), "{error}");
        }
        // Between MULTI and EXEC a transaction is one pipeline.
        let mut transaction = redis::pipe();
        transaction.atomic().set("a", 1).ignore().incr("a", 1);
        let found: (u64,) = transaction.query_async(&mut con).await.expect("the server replies");
        assert_eq!(found, (2,));
        redis::cmd("UNLINK").arg("a").exec_async(&mut con).await.expect("the server replies");
        let found: Option<u64> = Waiting
            .brpop(Duration::from_millis(50))
            .query_async(&mut con.blocking())
            .await
            .expect("the server replies");
        assert_eq!(found, None);
        assert_eq!(Name { id: 1 }.get().query_async(&mut con).await.expect("the server replies"), None);
    });
}

#[derive(RedisKey)]
#[redis_key(mail:waiting:list, value = u64, ttl = 1h)]
struct Waiting;

#[test]
fn an_address_that_cannot_work_fails_at_once() {
    for url in ["", "127.0.0.1", "http://127.0.0.1/", "redis://127.0.0.1:port/", "redis://127.0.0.1/database"] {
        assert!(connect(url).is_err(), "{url}");
    }
}

#[test]
fn a_socket_and_a_database_are_named_by_the_url() {
    let server = Server::start().expect("a server starts");
    let folder = std::env::temp_dir().join(format!("redis-keys-socket-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be created");
    let path = folder.join("socket");
    block_on(async {
        let listener = tokio::net::UnixListener::bind(&path).expect("it can be bound");
        let port = server.port();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut server = tokio::net::TcpStream::connect(("127.0.0.1", port)).await?;
                tokio::spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
            }
            std::io::Result::Ok(())
        });
        let url = format!("redis+unix://{}?db=3&protocol=resp3", path.display());
        let con = connect(url).expect("the address is valid");
        assert_eq!(incr(&con, 1).await.expect("the server replies"), 1);
        let mut plain = Con::blocking(&format!("{}3", server.url()));
        assert_eq!(plain.ok(Clicks { id: 1 }.get()), Some(1));
    });
    std::fs::remove_dir_all(&folder).expect("it is there");
}
