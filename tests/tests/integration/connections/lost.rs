//! Lost connections, and servers that do not reply in time.

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClient;
use redis::{Client, Connection};
use redis_keys::command::Many;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, Server};
use redis_keys::{Command, Error, ErrorKind, SendStatus, batch, batch_iter};
use redis_keys_tests::wait_until;
use tokio::time::sleep;

use super::block_on;
use super::commands::{Clicks, Name, run_all};

fn plain(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect("the server replies")
}

/// Enough for a reply on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Opens a connection manager with few retries.
async fn manager(server: &Server, response: Duration) -> ConnectionManager {
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(2)))
        .set_response_timeout(Some(response))
        .set_number_of_retries(1)
        .set_min_delay(Duration::from_millis(10));
    let client = Client::open(server.url()).expect("the address is valid");
    client.get_connection_manager_with_config(config).await.expect("the server replies")
}

/// Blocks the writes of a server's clients until it is dropped.
struct PauseGuard(Connection);

impl PauseGuard {
    fn new(url: &str) -> Self {
        let mut con = plain(url);
        let _: String = ask(&mut con, &["CLIENT", "PAUSE", "60000", "WRITE"]);
        Self(con)
    }

    /// Waits until this many clients are blocked.
    fn wait_for(&mut self, clients: usize) {
        let line = format!("blocked_clients:{clients}\r\n");
        let con = std::cell::RefCell::new(&mut self.0);
        wait_until("the clients are blocked", || {
            ask::<String>(&mut con.borrow_mut(), &["INFO", "clients"]).contains(&line)
        });
    }
}

impl Drop for PauseGuard {
    fn drop(&mut self) {
        // The server may be gone.
        let _ = redis::cmd("CLIENT").arg("UNPAUSE").exec(&mut self.0);
    }
}

fn ask<T: redis::FromRedisValue>(con: &mut Connection, words: &[&str]) -> T {
    redis::Cmd::new().arg(words).query(con).expect("the server replies")
}

#[test]
fn a_manager_reconnects_to_a_restarted_server() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    block_on(async {
        let mut con = manager(&server, Duration::from_secs(5)).await;
        run_all(&mut con).await.expect("every command succeeds");
        drop(server);
        // The first command finds the connection broken, the following ones cannot connect.
        for tries in 0.. {
            assert!(tries < 1_000, "the connection is still there");
            let error = Clicks { id: 1 }.incr().query_async(&mut con).await.expect_err("the server is gone");
            assert_eq!(error.kind(), ErrorKind::Connection, "{error}");
            assert_ne!(error.sent(), SendStatus::Yes, "{error}");
            if error.sent() == SendStatus::No {
                break;
            }
        }
        for error in batch_iter((0..120).map(|id| Clicks { id }.incr())).query_each_async(&mut con).await {
            let error = error.expect_err("the server is gone");
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::No), "{error}");
        }
        let server = Server::start_on(port).expect("a server starts");
        // The same manager reconnects to a server without keys and scripts.
        let mut tries = 0;
        while let Err(error) = (Name { id: 7 }).get().query_async(&mut con).await {
            assert_eq!(error.kind(), ErrorKind::Connection, "{error}");
            tries += 1;
            assert!(tries < 1_000, "{error}");
            sleep(Duration::from_millis(20)).await;
        }
        run_all(&mut con).await.expect("every command succeeds");
        drop(server);
    });
}

fn assert_timed_out(error: &Error) {
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe), "{error}");
    assert!(error.to_string().contains("no reply in time; it may have been executed"), "{error}");
}

fn three_counts() -> Many<[Command<u64>; 3]> {
    batch([1, 2, 3].map(|id| Clicks { id }.incr()))
}

#[test]
fn a_command_without_a_reply_in_time_may_have_been_executed() {
    let server = Server::start().expect("a server starts");
    block_on(async {
        let mut con = manager(&server, TIMEOUT).await;
        assert_eq!(Clicks { id: 1 }.incr().query_async(&mut con).await.expect("the server replies"), 1);
        let paused = PauseGuard::new(&server.url());
        assert_timed_out(&Clicks { id: 1 }.incr().query_async(&mut con).await.expect_err("the server is paused"));
        for error in three_counts().query_each_async(&mut con).await {
            assert_timed_out(&error.expect_err("the server is paused"));
        }
        drop(paused);
        // The commands are executed now, in order, and their late replies are discarded.
        assert_eq!(three_counts().query_async(&mut con).await.expect("the server replies"), [4, 2, 2]);
    });
}

#[test]
fn a_command_after_a_read_timeout_may_have_been_executed() {
    let server = Server::start().expect("a server starts");
    let mut con = plain(&server.url());
    con.set_read_timeout(Some(TIMEOUT)).expect("the duration is valid");
    assert_eq!(Clicks { id: 1 }.incr().query(&mut con).expect("the server replies"), 1);
    let paused = PauseGuard::new(&server.url());
    assert_timed_out(&Clicks { id: 1 }.incr().query(&mut con).expect_err("the server is paused"));
    for error in three_counts().query_each(&mut con) {
        assert_timed_out(&error.expect_err("the server is paused"));
    }
    drop(paused);
    assert_eq!(three_counts().query(&mut con).expect("the server replies"), [4, 2, 2]);
}

/// A connection to a cluster retries, and reports only the last attempt.
#[test]
fn a_command_in_flight_is_never_reported_as_unsent() {
    let mut cluster = Cluster::start().expect("a cluster starts");
    let key = Clicks { id: 1 };
    let primary = cluster.primary_of(key.key().expect("the key is valid").as_str()).expect("the cluster replies");
    let client = ClusterClient::builder(cluster.urls()).retries(2).min_retry_wait(10).build();
    let client = client.expect("the addresses are valid");
    let incr = || -> Command<u64> { Clicks { id: 1 }.incr() };
    block_on(async {
        let mut con = client.get_async_connection().await.expect("the cluster replies");
        let mut blocking = client.get_connection().expect("the cluster replies");
        incr().query_async(&mut con).await.expect("the server replies");
        incr().query(&mut blocking).expect("the server replies");

        let mut paused = PauseGuard::new(&primary.url());
        let single = tokio::spawn({
            let mut con = con.clone();
            async move { incr().query_async(&mut con).await.map(|_| ()) }
        });
        let batched = tokio::spawn(async move { batch_iter([incr(), incr()]).query_async(&mut con).await.map(|_| ()) });
        let blocking = std::thread::spawn(move || incr().query(&mut blocking).map(|_| ()));
        paused.wait_for(2);
        cluster.kill(primary.port()).expect("the process can be killed");
        let found = [
            single.await.expect("the thread does not panic"),
            batched.await.expect("the thread does not panic"),
            blocking.join().expect("the thread does not panic"),
        ];
        for error in found.map(|found| found.expect_err("there is no replica")) {
            assert_ne!(error.sent(), SendStatus::No, "{error}");
        }
    });
}
