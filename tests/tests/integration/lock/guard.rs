//! `Guard`: renewal, loss, and drop.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use redis_keys::ErrorKind;
use redis_keys::lock::Guard;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, StoppedServer, until};
use tokio::time::timeout;

use super::keys::{Brisk, Hasty, ORDER, content, is_released, text, theirs, write};
use super::{PATIENCE, locks};
use crate::proxy::{CUT, Call, Proxy};

const BRISK: Brisk = Brisk { id: 1 };

async fn assert_lost(guard: &Guard) {
    timeout(PATIENCE, guard.lost()).await.expect("the loss is noticed");
    assert!(!guard.is_held());
}

#[tokio::test]
async fn a_lock_is_renewed_as_long_as_it_is_held() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&BRISK).await.expect("the lock is free");
    let held = content(&mut con, &BRISK);
    // The `ttl` ends after three of them.
    tokio::select! {
        () = guard.lost() => panic!("the lock is lost"),
        () = proxy.wait_for("lock_renew", 5) => {}
    }
    assert!(guard.is_held());
    assert_eq!(content(&mut con, &BRISK), held);
    assert!(guard.release().await.expect("the server replies"));
    let renewals = proxy.count("lock_renew");
    let other = locks.acquire(&BRISK).await.expect("the lock is free");
    proxy.wait_for("lock_renew", renewals + 1).await;
    assert!(other.is_held());
}

#[tokio::test]
async fn a_renewal_that_fails_is_tried_again() {
    let server = Server::start().expect("a server starts");
    let is_cut = AtomicBool::new(false);
    let proxy = Proxy::start_with(&server, move |call| {
        // Each second one.
        if call.name == "lock_renew" && !is_cut.fetch_xor(true, Relaxed) { CUT } else { call.forward() }
    });
    let guard = locks(&proxy.url()).await.acquire(&BRISK).await.expect("the lock is free");
    tokio::select! {
        () = guard.lost() => panic!("the lock is lost"),
        () = proxy.wait_for("lock_renew", 8) => {}
    }
    assert!(guard.release().await.expect("the server replies"));
}

#[tokio::test]
async fn a_guard_that_is_dropped_releases_its_lock() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    drop(locks.acquire(&ORDER).await.expect("the lock is free"));
    until("the lock is released", || is_released(&mut con, &ORDER)).await;

    let guard = locks.acquire(&ORDER).await.expect("the lock is free");
    thread::spawn(move || drop(guard)).join().expect("a thread without a runtime can drop it");
    until("the lock is released", || is_released(&mut con, &ORDER)).await;
}

#[test]
fn without_its_runtime_a_lock_is_not_released_and_expires() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let guard = runtime.block_on(async { locks(&server.url()).await.acquire(&ORDER).await }).expect("the lock is free");
    drop(runtime);
    assert!(guard.is_held());
    drop(guard);
    assert!(con.ok(ORDER.is_held()));
    con.assert_left(&text(&ORDER), 60_000);
}

#[tokio::test]
async fn a_lock_that_is_removed_is_lost_and_nothing_more_is_sent() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    for number in 0..3 {
        let guard = locks.acquire(&BRISK).await.expect("the lock is free");
        con.ok(BRISK.unlink());
        write(&mut con, &BRISK, "others have it");
        assert_lost(&guard).await;
        assert_lost(&guard).await;
        assert_eq!(proxy.take().iter().filter(|name| *name == "lock_renew").count(), 1, "the first one notices it");
        match number {
            0 => assert!(!guard.release().await.expect("nothing is sent that could fail")),
            1 => drop(guard),
            _ => tokio::time::sleep(Duration::from_secs(1)).await,
        }
        con.ok(BRISK.unlink());
        locks.acquire(&BRISK).await.expect("the lock is free").release().await.expect("the server replies");
        assert_eq!(proxy.take(), ["lock", "unlock"]);
    }
}

#[tokio::test]
async fn a_release_that_comes_too_late_says_so() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&ORDER).await.expect("the lock is free");
    con.ok(ORDER.unlink());
    con.ok(ORDER.acquire(&theirs()));
    let held = content(&mut con, &ORDER);
    assert!(guard.is_held(), "no renewal has noticed it yet");
    assert!(!guard.release().await.expect("the server replies"));
    assert_eq!(content(&mut con, &ORDER), held);
}

#[tokio::test]
async fn a_release_that_fails_is_tried_again_in_the_background() {
    let server = Server::start().expect("a server starts");
    let cuts = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&cuts);
    let proxy =
        Proxy::start_with(
            &server,
            move |call| {
                if call.name == "unlock" && flag.load(Relaxed) { CUT } else { call.forward() }
            },
        );
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&ORDER).await.expect("the lock is free");
    assert!(guard.release().await.is_err());
    proxy.wait_for("unlock", 2).await;
    assert!(con.ok(ORDER.is_held()));
    cuts.store(false, Relaxed);
    until("the lock is released", || is_released(&mut con, &ORDER)).await;
}

#[tokio::test]
async fn a_guard_releases_its_lock_on_a_server_without_memory() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    let released = locks.acquire(&ORDER).await.expect("the lock is free");
    let dropped = locks.acquire(&BRISK).await.expect("the lock is free");
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    assert!(released.release().await.expect("the server replies"));
    drop(dropped);
    until("the lock is released", || is_released(&mut con, &BRISK)).await;
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
    locks
        .acquire(&ORDER)
        .with_time_limit(Duration::ZERO)
        .await
        .expect("the lock is free")
        .release()
        .await
        .expect("it replies");
}

#[tokio::test]
async fn a_release_that_is_refused_is_tried_again_in_the_background() {
    let server = Server::start().expect("a server starts");
    let is_full = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&is_full);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name == "unlock" && flag.load(Relaxed) { b"-OOM no memory\r\n".to_vec() } else { call.forward() }
    });
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&BRISK).await.expect("the lock is free");
    assert_eq!(guard.release().await.expect_err("the server is full").kind(), ErrorKind::Server);
    proxy.wait_for("unlock", 3).await;
    is_full.store(false, Relaxed);
    until("the lock is released", || is_released(&mut con, &BRISK)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_on_a_server_that_does_not_answer_is_lost_when_it_expires() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&Hasty { id: 1 }).await.expect("the lock is free");
    let stopped = StoppedServer::new(&server);
    assert_lost(&guard).await;
    assert!(!guard.release().await.expect("nothing is sent that could fail"));
    drop(stopped);
    // A command from before the loss comes too late.
    until("the lock expires", || content(&mut con, &Hasty { id: 1 }).is_none()).await;
}

/// Acquires a lock through a proxy, and asserts that it is lost before it has expired in the server.
async fn assert_lost_in_time(reply: impl Fn(&Call<'_>) -> Vec<u8> + Send + Sync + 'static) {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start_with(&server, reply);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&BRISK).with_time_limit(PATIENCE).await.expect("the lock is free");
    while guard.is_held() {
        let has_expired = content(&mut con, &BRISK).is_none();
        assert!(!(has_expired && guard.is_held()), "the lock expired before its holder noticed");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Late, but not so late that the command is given up.
const LATE: Duration = Duration::from_millis(500);

#[tokio::test]
async fn a_lock_whose_acquisition_was_answered_late_is_lost_in_time() {
    assert_lost_in_time(|call| {
        let reply = if call.name == "lock_renew" { CUT } else { call.forward() };
        if call.name == "lock" {
            thread::sleep(LATE);
        }
        reply
    })
    .await;
}

#[tokio::test]
async fn a_lock_whose_renewal_was_answered_late_is_lost_in_time() {
    let is_renewed = AtomicBool::new(false);
    assert_lost_in_time(move |call| {
        if call.name != "lock_renew" {
            return call.forward();
        }
        if is_renewed.swap(true, Relaxed) {
            return CUT;
        }
        let reply = call.forward();
        thread::sleep(LATE);
        reply
    })
    .await;
}
