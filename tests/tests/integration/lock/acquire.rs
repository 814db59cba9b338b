//! `Locks::acquire`: waiting, giving up, and calls that are cancelled or have no reply.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use redis::aio::ConnectionManager;
use redis_keys::lock::Locks;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, StoppedServer, until, wait_until};

use super::keys::{Hasty, MY_TOKEN, NamedLock, ORDER, Order, THEIR_TOKEN, content, is_released, text, theirs, write};
use super::{PATIENCE, locks};
use crate::proxy::{CUT, Proxy};

const ZERO: Duration = Duration::ZERO;

#[tokio::test]
async fn a_lock_is_held_until_it_is_released() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&ORDER).await.expect("the lock is free");
    assert!(guard.is_held());
    let held = content(&mut con, &ORDER).expect("the key exists");
    assert!(held.ends_with(&format!(" {}", guard.fence())), "{held}");
    assert_eq!(held.len(), MY_TOKEN.len() + " 1767225600000000".len());
    let first = guard.fence();
    assert!(guard.release().await.expect("the server replies"));
    assert_eq!(content(&mut con, &ORDER), Some(format!(" {first}")));
    let guard = locks.acquire(&ORDER).with_time_limit(ZERO).await.expect("the lock is free");
    assert!(guard.fence() > first);
    let shown = format!("{guard:?}{locks:?}");
    assert!(shown.contains("lock:order:{id}:string") && !shown.contains("lock:order:1"), "{shown}");
}

#[tokio::test]
async fn who_waits_gets_the_lock_when_it_is_released() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    con.ok(ORDER.acquire(&theirs()));
    let waiting = tokio::spawn({
        let locks = locks.clone();
        async move { locks.acquire(&ORDER).with_time_limit(PATIENCE).await }
    });
    proxy.wait_for("lock", 5).await;
    assert!(!waiting.is_finished());
    con.ok(ORDER.release(&theirs()));
    let guard = waiting.await.expect("the task does not panic").expect("the lock is free");
    assert!(guard.is_held());
}

#[tokio::test]
async fn who_waits_gets_the_lock_when_it_expires() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    let lock = Hasty { id: 1 };
    con.ok(lock.acquire(&theirs()));
    assert!(locks.acquire(&lock).with_time_limit(PATIENCE).await.expect("the lock expires").is_held());
}

#[tokio::test]
async fn who_waits_longer_than_allowed_gets_an_error() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    con.ok(ORDER.acquire(&theirs()));
    let held = content(&mut con, &ORDER);
    let error =
        locks.acquire(&ORDER).with_time_limit(Duration::from_millis(50)).await.expect_err("others hold the lock");
    assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::TimedOut, SendStatus::Yes, Some(&*text(&ORDER))));
    assert_eq!(error.to_string(), "lock `Order` (lock:order:1:string) was not acquired within 50ms: others held it");
    let attempts = proxy.count("lock");
    assert!((2..60).contains(&attempts), "{attempts} attempts");
    assert_eq!(content(&mut con, &ORDER), held);
    assert_releases_nothing(&locks, &proxy, &mut con).await;
}

/// Asserts that no task releases what was not acquired.
async fn assert_releases_nothing(locks: &Locks<ConnectionManager>, proxy: &Proxy, con: &mut Con) {
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
    let guard = locks.acquire(&Order { id: 3 }).await.expect("the lock is free");
    // The release of a task that was started before is sent before this one.
    assert!(guard.release().await.expect("the server replies"));
    assert_eq!(proxy.count("unlock"), 1, "{:?}", proxy.commands());
}

#[tokio::test]
async fn without_time_to_wait_a_lock_is_asked_for_once() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    con.ok(ORDER.acquire(&theirs()));
    let error = locks.acquire(&ORDER).with_time_limit(ZERO).await.expect_err("others hold the lock");
    assert_eq!((error.kind(), proxy.count("lock")), (ErrorKind::TimedOut, 1));
}

#[tokio::test]
async fn an_error_that_does_not_pass_is_returned_at_once() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let name = NamedLock { name: "not a name".to_owned() };
    let error = locks.acquire(&name).with_time_limit(Duration::MAX).await.expect_err("the key is invalid");
    assert_eq!((error.kind(), error.sent(), proxy.count("lock")), (ErrorKind::Parameter, SendStatus::No, 0));
    let _: u64 = con.raw(&["LPUSH", &text(&ORDER), "hidden"]);
    let _: bool = con.raw(&["EXPIRE", &text(&ORDER), "60"]);
    let error = locks.acquire(&ORDER).with_time_limit(Duration::MAX).await.expect_err("the key is a list");
    assert_eq!(error.kind(), ErrorKind::WrongType);
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    let error = locks.acquire(&Order { id: 2 }).with_time_limit(Duration::MAX).await.expect_err("the server is full");
    assert_eq!(error.kind(), ErrorKind::Server);
    assert_releases_nothing(&locks, &proxy, &mut con).await;
}

/// A proxy that runs the first commands of this name and then closes the connection instead of replying.
fn cutting(server: &Server, name: &'static str, times: usize) -> Proxy {
    let cuts = AtomicUsize::new(times);
    Proxy::start_with(server, move |call| {
        let reply = call.forward();
        let is_cut = call.name == name && cuts.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_cut { CUT } else { reply }
    })
}

#[tokio::test]
async fn a_call_whose_reply_is_lost_is_repeated_and_has_the_same_fence() {
    let server = Server::start().expect("a server starts");
    let proxy = cutting(&server, "lock", 3);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&ORDER).with_time_limit(PATIENCE).await.expect("the lock is free");
    assert!(proxy.count("lock") >= 4);
    let held = content(&mut con, &ORDER).expect("the key exists");
    assert!(held.ends_with(&format!(" {}", guard.fence())), "{held}");
    assert!(guard.release().await.expect("the server replies"));
    assert_eq!(proxy.count("unlock"), 1);
}

#[tokio::test]
async fn a_lock_that_may_have_been_acquired_is_released() {
    let server = Server::start().expect("a server starts");
    let proxy = cutting(&server, "lock", 1);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let error = locks.acquire(&ORDER).with_time_limit(ZERO).await.expect_err("the reply is lost");
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe));
    until("the lock is released", || is_released(&mut con, &ORDER)).await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_releases_what_it_may_have_acquired() {
    let server = Server::start().expect("a server starts");
    let (reply, may_reply) = std::sync::mpsc::channel::<()>();
    let may_reply = std::sync::Mutex::new(may_reply);
    let proxy = Proxy::start_with(&server, move |call| {
        let reply = call.forward();
        if call.name == "lock" {
            _ = may_reply.lock().expect("no thread panics").recv();
        }
        reply
    });
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let waiting = tokio::spawn(async move { locks.acquire(&ORDER).await });
    until("the lock is acquired", || content(&mut con, &ORDER).is_some()).await;
    waiting.abort();
    assert!(waiting.await.expect_err("the task is cancelled").is_cancelled());
    drop(reply);
    until("the lock is released", || is_released(&mut con, &ORDER)).await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_others_hold_the_lock_releases_nothing() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    write(&mut con, &ORDER, &format!("{THEIR_TOKEN} 5"));
    let waits = async {
        // It is in a pause between two attempts when it is cancelled.
        tokio::select! {
            biased;
            _ = locks.acquire(&ORDER) => panic!("others hold the lock"),
            () = proxy.wait_for("lock", 3) => {}
        }
    };
    waits.await;
    con.ok(ORDER.unlink());
    let guard = locks.acquire(&ORDER).await.expect("the lock is free");
    assert!(guard.release().await.expect("the server replies"));
    assert!(proxy.count("unlock") <= 2, "{:?}", proxy.commands());
    assert!(is_released(&mut con, &ORDER));
}

#[tokio::test]
async fn a_server_that_is_away_is_an_error_when_the_time_is_over() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    let locks = locks(&server.url()).await;
    drop(server);
    for within in [0, 1, 100].map(Duration::from_millis) {
        let error = locks.acquire(&ORDER).with_time_limit(within).await.expect_err("there is no server");
        assert_eq!(error.kind(), ErrorKind::Connection);
    }
    let waiting = tokio::spawn(async move { locks.acquire(&ORDER).with_time_limit(PATIENCE).await });
    let _server = Server::start_on(port).expect("a server starts");
    assert!(waiting.await.expect("the task does not panic").expect("the lock is free").is_held());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_is_an_error_when_the_time_is_over() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (Arc::new(locks(&server.url()).await), Con::blocking(&server.url()));
    let stopped = StoppedServer::new(&server);
    for within in [0, 1, 100].map(Duration::from_millis) {
        let error = tokio::time::timeout(PATIENCE, locks.acquire(&ORDER).with_time_limit(within)).await;
        let error = error.expect("it does not wait for the server").expect_err("there is no reply");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe));
        assert!(error.to_string().contains("no reply in time; it may have been executed"), "{error}");
    }
    let waiting = tokio::spawn(async move { locks.acquire(&ORDER).with_time_limit(PATIENCE).await });
    drop(stopped);
    let guard = waiting.await.expect("the task does not panic").expect("those who gave up release the lock");
    assert!(guard.release().await.expect("the server replies"));
    wait_until("the lock is released", || is_released(&mut con, &ORDER));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_task_at_a_time_holds_a_lock() {
    const TASKS: usize = 20;
    const TURNS: usize = 20;
    let server = Server::start().expect("a server starts");
    let locks = locks(&server.url()).await;
    let (holders, total) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let (locks, holders, total) = (locks.clone(), Arc::clone(&holders), Arc::clone(&total));
            tokio::spawn(async move {
                for _ in 0..TURNS {
                    let guard =
                        locks.acquire(&ORDER).with_time_limit(PATIENCE).await.expect("the lock is free in the end");
                    assert_eq!(holders.fetch_add(1, Relaxed), 0);
                    tokio::task::yield_now().await;
                    total.fetch_add(1, Relaxed);
                    assert_eq!(holders.fetch_sub(1, Relaxed), 1);
                    // Some are dropped instead.
                    if guard.fence() % 2 == 0 {
                        assert!(guard.release().await.expect("the server replies"));
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    assert_eq!(total.load(Relaxed), TASKS * TURNS);
}
