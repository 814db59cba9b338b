//! Calls of `acquire` that arrive late: after their token was released, by clients that are gone.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redis_keys::ErrorKind;
use redis_keys::lock::{Acquisition, Token};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, everywhere, on_every_connection, until, wait_until};

use super::keys::{Brisk, Hasty, MINUTE, MY_TOKEN, ORDER, THEIR_TOKEN, content, mine, text, theirs, write};
use super::{PATIENCE, locks};
use crate::proxy::{CUT, LateCommand, Proxy};

const BRISK: Brisk = Brisk { id: 1 };

/// Asserts that a call of a released token does not acquire a lock.
#[track_caller]
fn assert_refused(con: &mut Con, token: &Token) {
    let before = content(con, &ORDER);
    match con.run(ORDER.acquire(token)) {
        Ok(acquired) => panic!("a released token has {acquired:?}"),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Argument);
            assert!(error.to_string().contains("the token was released"), "{error}");
        }
    }
    assert_eq!(content(con, &ORDER), before);
}

#[track_caller]
fn assert_acquired(con: &mut Con, token: &Token) -> u64 {
    let acquired = con.ok(ORDER.acquire(token));
    let Acquisition::Held { fence } = acquired else { panic!("{acquired:?}") };
    fence
}

#[test]
fn a_call_that_arrives_after_its_release_does_not_acquire_the_lock() {
    everywhere(|con| {
        assert!(!con.ok(ORDER.release(&mine())), "the call has not arrived yet");
        con.assert_left(&text(&ORDER), MINUTE);
        assert_refused(con, &mine());
        assert!(!con.ok(ORDER.is_held()));
        // Nor while another caller has the lock, or after that.
        let fence = assert_acquired(con, &theirs());
        assert_refused(con, &mine());
        assert!(con.ok(ORDER.renew(&theirs())) && con.ok(ORDER.release(&theirs())));
        assert_refused(con, &mine());
        assert_refused(con, &theirs());
        assert!(!con.ok(ORDER.renew(&mine())) && !con.ok(ORDER.release(&mine())));
        assert!(assert_acquired(con, &Token::random()) > fence);
    });
}

#[test]
fn a_call_that_arrives_twice_does_not_acquire_a_released_lock() {
    everywhere(|con| {
        let fence = assert_acquired(con, &mine());
        assert_eq!(assert_acquired(con, &mine()), fence);
        let _: bool = con.raw(&["PEXPIRE", &text(&ORDER), "10000"]);
        assert!(con.ok(ORDER.release(&mine())));
        con.assert_left(&text(&ORDER), MINUTE);
        assert_refused(con, &mine());
        assert_eq!(content(con, &ORDER), Some(format!(" {fence} {MY_TOKEN}")));
    });
}

#[test]
fn a_release_while_others_hold_the_lock_takes_nothing_from_them() {
    everywhere(|con| {
        let fence = assert_acquired(con, &theirs());
        let _: bool = con.raw(&["PEXPIRE", &text(&ORDER), "30000"]);
        for _ in 0..2 {
            assert!(!con.ok(ORDER.release(&mine())));
            assert_eq!(content(con, &ORDER), Some(format!("{THEIR_TOKEN} {fence} {MY_TOKEN}")));
            con.assert_left(&text(&ORDER), MINUTE / 2);
        }
        assert!(con.ok(ORDER.is_held()) && con.ok(ORDER.renew(&theirs())));
        assert_eq!(assert_acquired(con, &theirs()), fence);
        assert!(con.ok(ORDER.release(&theirs())));
        assert_refused(con, &mine());
    });
}

#[test]
fn the_last_released_tokens_are_refused() {
    on_every_connection(|con| {
        let tokens: Vec<_> = (0..40_u8).map(|number| Token::from([number; 16])).collect();
        for (number, token) in tokens.iter().enumerate() {
            if number % 2 == 0 {
                assert_acquired(con, token);
            }
            assert_eq!(con.ok(ORDER.release(token)), number % 2 == 0);
        }
        let fence_digits = 16;
        assert_eq!(content(con, &ORDER).map(|content| content.len()), Some(1 + fence_digits + 32 * 33));
        tokens[8..].iter().for_each(|token| assert_refused(con, token));
        assert_acquired(con, &tokens[7]);
    });
}

#[test]
fn a_late_call_is_refused_until_32_others_are_released() {
    on_every_connection(|con| {
        assert!(!con.ok(ORDER.release(&mine())), "the call has not arrived yet");
        for _ in 0..31 {
            let token = Token::random();
            assert_acquired(con, &token);
            assert!(con.ok(ORDER.release(&token)));
        }
        assert_refused(con, &mine());
        assert!(!con.ok(ORDER.release(&theirs())));
        assert_acquired(con, &mine());
        con.assert_left(&text(&ORDER), MINUTE);
    });
}

#[test]
fn a_released_token_is_forgotten_when_the_ttl_ends() {
    on_every_connection(|con| {
        let lock = Hasty { id: 1 };
        assert!(!con.ok(lock.release(&mine())));
        wait_until("the key expires", || !con.ok(lock.exists()));
        assert!(matches!(con.ok(lock.acquire(&mine())), Acquisition::Held { .. }));
    });
}

#[test]
fn locks_of_earlier_versions_can_be_read() {
    everywhere(|con| {
        write(con, &ORDER, &format!("{MY_TOKEN} 5"));
        assert!(con.ok(ORDER.is_held()) && con.ok(ORDER.renew(&mine())));
        assert_eq!(assert_acquired(con, &mine()), 5);
        assert!(!con.ok(ORDER.release(&theirs())) && con.ok(ORDER.release(&mine())));
        write(con, &ORDER, " 5");
        assert!(!con.ok(ORDER.is_held()) && !con.ok(ORDER.release(&mine())));
        assert_refused(con, &mine());
        write(con, &ORDER, " 5");
        assert!(assert_acquired(con, &mine()) > 5);
    });
}

/// A proxy that keeps the first call of `acquire` back, and closes its connection.
fn delaying(server: &Server) -> (Proxy, Arc<Mutex<Option<LateCommand>>>) {
    let late = Arc::<Mutex<Option<LateCommand>>>::default();
    let (kept, is_first) = (Arc::clone(&late), AtomicBool::new(true));
    let proxy = Proxy::start_with(server, move |call| {
        if call.name == "lock" && is_first.swap(false, Relaxed) {
            *kept.lock().expect("no thread panics") = Some(call.later());
            return CUT;
        }
        call.forward()
    });
    (proxy, late)
}

#[tokio::test]
async fn a_call_that_was_given_up_does_not_acquire_the_lock_when_it_arrives() {
    let server = Server::start().expect("a server starts");
    let (proxy, late) = delaying(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let error = locks.acquire(&ORDER).with_time_limit(Duration::ZERO).await.expect_err("there is no reply");
    assert_eq!(error.kind(), ErrorKind::Connection);
    until("the token is released", || content(&mut con, &ORDER).is_some()).await;
    let late = late.lock().expect("no thread panics").take().expect("the call was kept back");
    assert_eq!(late(), b":-3\r\n");
    assert!(!con.ok(ORDER.is_held()));
    assert!(locks.acquire(&ORDER).with_time_limit(Duration::ZERO).await.expect("the lock is free").is_held());
}

#[tokio::test]
async fn a_call_that_was_repeated_does_not_acquire_the_lock_again_when_it_arrives() {
    let server = Server::start().expect("a server starts");
    let (proxy, late) = delaying(&server);
    let (locks, mut con) = (locks(&proxy.url()).await, Con::blocking(&server.url()));
    let guard = locks.acquire(&BRISK).with_time_limit(PATIENCE).await.expect("the lock is free");
    assert!(guard.release().await.expect("the server replies"));
    // Others can have had it meanwhile.
    let other = locks.acquire(&BRISK).with_time_limit(PATIENCE).await.expect("the lock is free");
    assert!(other.release().await.expect("the server replies"));
    let late = late.lock().expect("no thread panics").take().expect("the call was kept back");
    assert_eq!(late(), b":-3\r\n");
    assert!(!con.ok(BRISK.is_held()));
}

/// Otherwise the tokens of a busy lock would soon replace those of which a call can still arrive.
#[tokio::test]
async fn a_guard_whose_calls_were_all_answered_leaves_no_token() {
    let server = Server::start().expect("a server starts");
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    assert!(!con.ok(ORDER.release(&mine())));
    for _ in 0..50 {
        let guard = locks.acquire(&ORDER).await.expect("the lock is free");
        let fence = guard.fence();
        assert!(guard.release().await.expect("the server replies"));
        assert_eq!(content(&mut con, &ORDER), Some(format!(" {fence} {MY_TOKEN}")));
    }
    assert_refused(&mut con, &mine());
}
