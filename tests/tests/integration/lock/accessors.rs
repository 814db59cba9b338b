//! `acquire`, `renew`, `release` and `is_held`.

use std::time::Duration;

use redis_keys::command::TimeLeft;
use redis_keys::lock::{Acquisition, Token};
use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, errors, everywhere, on_every_connection, wait_until};

use super::keys::{
    Hasty, MINUTE, MY_TOKEN, ORDER, Order, THEIR_TOKEN, content, mine, server_time, text, theirs, write,
};

/// Acquires a lock, which must succeed, and returns its fence.
#[track_caller]
fn fence(con: &mut Con, lock: &impl LockKey, token: &Token) -> u64 {
    match con.ok(lock.acquire(token)) {
        Acquisition::Held { fence } => fence,
        busy @ Acquisition::Busy(_) => panic!("{busy:?}"),
    }
}

/// Asserts that another caller has a lock for about this time.
#[track_caller]
fn assert_busy(con: &mut Con, lock: &impl LockKey, ms: u64) {
    let Acquisition::Busy(TimeLeft::Left(left)) = con.ok(lock.acquire(&mine())) else { panic!("the lock is not busy") };
    assert!((Duration::from_millis(ms.saturating_sub(5_000))..=Duration::from_millis(ms)).contains(&left), "{left:?}");
}

#[test]
fn a_lock_has_one_holder_for_the_time_of_its_ttl() {
    everywhere(|con| {
        assert!(!con.ok(ORDER.is_held()));
        let before = server_time(con);
        let fence = fence(con, &ORDER, &theirs());
        assert!((before..=server_time(con)).contains(&fence), "{fence} is not the time of the server");
        assert_eq!(content(con, &ORDER), Some(format!("{THEIR_TOKEN} {fence}")));
        con.assert_left(&text(&ORDER), MINUTE);
        assert_busy(con, &ORDER, 60_000);
        assert!(con.ok(ORDER.is_held()));
        assert_eq!(content(con, &ORDER), Some(format!("{THEIR_TOKEN} {fence}")));
        assert!(self::fence(con, &Order { id: 2 }, &mine()) > fence, "another lock is free");
    });
}

#[test]
fn one_of_many_callers_acquires_a_lock() {
    everywhere(|con| {
        let tokens: Vec<Token> = (10..60_u8).map(|n| [n; 16].into()).collect();
        let calls: Vec<_> = tokens.iter().map(|token| ORDER.acquire(token)).collect();
        let acquired = con.batch(calls).expect("they succeed");
        let holders = acquired.iter().filter(|acquired| matches!(acquired, Acquisition::Held { .. }));
        assert_eq!(holders.count(), 1);
    });
}

#[test]
fn a_call_that_is_repeated_returns_the_same_fence_and_restarts_the_expiry() {
    everywhere(|con| {
        let first = fence(con, &ORDER, &mine());
        let _: bool = con.raw(&["PEXPIRE", &text(&ORDER), "30000"]);
        assert_eq!(fence(con, &ORDER, &mine()), first);
        con.assert_left(&text(&ORDER), MINUTE);
        assert_eq!(content(con, &ORDER), Some(format!("{MY_TOKEN} {first}")));
    });
}

#[test]
fn a_holder_renews_its_lock_and_nobody_else_does() {
    everywhere(|con| {
        assert!(!con.ok(ORDER.renew(&mine())));
        fence(con, &ORDER, &mine());
        let _: bool = con.raw(&["PEXPIRE", &text(&ORDER), "30000"]);
        assert!(!con.ok(ORDER.renew(&theirs())));
        con.assert_left(&text(&ORDER), MINUTE / 2);
        assert!(con.ok(ORDER.renew(&mine())));
        con.assert_left(&text(&ORDER), MINUTE);
        con.ok(ORDER.release(&mine()));
        assert!(!con.ok(ORDER.renew(&mine())), "it has been released");
    });
}

#[test]
fn a_holder_releases_its_lock_and_nobody_else_does() {
    everywhere(|con| {
        let first = fence(con, &ORDER, &mine());
        assert!(!con.ok(ORDER.release(&theirs())));
        assert_eq!(fence(con, &ORDER, &mine()), first);
        let _: bool = con.raw(&["PEXPIRE", &text(&ORDER), "30000"]);
        assert!(con.ok(ORDER.release(&mine())));
        assert_eq!(content(con, &ORDER), Some(format!(" {first} {MY_TOKEN} {THEIR_TOKEN}")));
        con.assert_left(&text(&ORDER), MINUTE);
        assert!(con.ok(ORDER.exists()), "its fence is there until it expires");
        assert!(!con.ok(ORDER.is_held()));
        assert!(!con.ok(ORDER.release(&mine())), "it has been released");
        let other = Token::random();
        assert!(fence(con, &ORDER, &other) > first);
        con.assert_left(&text(&ORDER), MINUTE);
        assert!(!con.ok(ORDER.release(&mine())) && con.ok(ORDER.renew(&other)));
    });
}

#[test]
fn fences_rise_after_a_release_an_end_and_a_removal() {
    on_every_connection(|con| {
        let (lock, mut last) = (Hasty { id: 1 }, 0);
        for number in 0..30_u8 {
            let token = Token::from([number; 16]);
            let fence = fence(con, &lock, &token);
            assert!(fence > last, "{fence} after {last}");
            last = fence;
            match number % 3 {
                0 => assert!(con.ok(lock.release(&token))),
                1 => assert!(con.ok(lock.unlink())),
                _ => wait_until("the lock expires", || !con.ok(lock.exists())),
            }
        }
    });
}

/// The clock of a server was set back by a day, or that of the replica that took over is late.
#[test]
fn a_fence_that_is_ahead_of_the_clock_rises_by_one() {
    everywhere(|con| {
        let ahead = server_time(con) + 86_400_000_000;
        write(con, &ORDER, &format!(" {ahead}"));
        for number in 1..5 {
            let token = Token::random();
            assert_eq!(fence(con, &ORDER, &token), ahead + number);
            assert!(con.ok(ORDER.release(&token)));
        }
        assert!(content(con, &ORDER).is_some_and(|content| content.starts_with(&format!(" {} ", ahead + 4))));
    });
}

/// Set-backs of the clock add up: if it is further behind the fence than the `ttl`, the key expires first.
#[test]
fn a_fence_that_is_ahead_by_more_than_the_ttl_is_forgotten_with_the_key() {
    on_every_connection(|con| {
        let lock = Hasty { id: 1 };
        let ahead = server_time(con) + 86_400_000_000;
        write(con, &lock, &format!(" {ahead}"));
        let token = Token::random();
        assert_eq!(fence(con, &lock, &token), ahead + 1);
        assert!(con.ok(lock.release(&token)));
        wait_until("the key expires", || !con.ok(lock.exists()));
        assert!(fence(con, &lock, &Token::random()) < ahead);
    });
}

#[test]
fn fences_are_exact_as_long_as_they_can_be_counted() {
    on_every_connection(|con| {
        let largest = (1_u64 << 53) - 1;
        write(con, &ORDER, &format!(" {}", largest - 2));
        for expected in [largest - 1, largest] {
            let token = Token::random();
            assert_eq!(fence(con, &ORDER, &token), expected);
            assert!(con.ok(ORDER.release(&token)));
        }
        // No fence is larger, so the lock cannot be acquired as long as that fence is known.
        for last in [largest, largest + 1, largest + 2, u64::MAX] {
            write(con, &ORDER, &format!(" {last}"));
            assert_busy(con, &ORDER, 3_600_000);
            assert_eq!(content(con, &ORDER), Some(format!(" {last}")));
        }
        write(con, &ORDER, &format!(" {}", "9".repeat(400)));
        assert_busy(con, &ORDER, 3_600_000);
        write(con, &ORDER, &format!("{MY_TOKEN} {}", u64::MAX));
        assert_eq!(fence(con, &ORDER, &mine()), u64::MAX);
        write(con, &ORDER, &format!("{MY_TOKEN} 18446744073709551616"));
        errors!(con, run: [ORDER.acquire(&mine())]).assert_kind(ErrorKind::UnexpectedReply);
    });
}

#[test]
fn what_another_program_has_written_is_a_lock_that_it_holds() {
    let longer = format!("{MY_TOKEN}1 5");
    let released = format!(" 5 {THEIR_TOKEN} 1");
    on_every_connection(|con| {
        for foreign in [
            "1", "", " ", "  5", "5 ", " 5 ", " -5", " 0x5", "held 5", "\u{ff}", MY_TOKEN, &longer, "1 5", " 5\n",
            " 5 1", &released,
        ] {
            write(con, &ORDER, foreign);
            assert_busy(con, &ORDER, 3_600_000);
            assert!(!con.ok(ORDER.renew(&mine())));
            assert!(!con.ok(ORDER.release(&mine())), "{foreign:?}");
            assert_eq!(content(con, &ORDER).as_deref(), Some(foreign));
            con.assert_left(&text(&ORDER), 60 * MINUTE);
        }
        let _: String = con.raw(&["SET", &text(&ORDER), "hidden"]);
        assert_eq!(con.ok(ORDER.acquire(&mine())), Acquisition::Busy(TimeLeft::Never));
        con.ok(ORDER.unlink());
    });
}

/// Only another program, such as PERSIST, removes the expiry of a lock.
#[test]
fn a_lock_without_an_expiry_gets_one_again() {
    everywhere(|con| {
        for call in [
            |con: &mut Con| _ = fence(con, &ORDER, &mine()),
            |con: &mut Con| assert!(con.ok(ORDER.renew(&mine()))),
            |con: &mut Con| assert!(con.ok(ORDER.release(&mine()))),
        ] {
            let _: String = con.raw(&["SET", &text(&ORDER), &format!("{MY_TOKEN} 5")]);
            call(con);
            assert_ne!(con.pttl(&text(&ORDER)), -1);
        }
        let _: String = con.raw(&["SET", &text(&ORDER), " 5"]);
        fence(con, &ORDER, &mine());
        con.assert_left(&text(&ORDER), MINUTE);
    });
}

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    everywhere(|con| {
        let _: u64 = con.raw(&["LPUSH", &text(&ORDER), "hidden"]);
        let _: bool = con.raw(&["EXPIRE", &text(&ORDER), "30"]);
        let errors = errors!(con, run: [
            ORDER.acquire(&mine()),
            ORDER.renew(&mine()),
            ORDER.release(&mine()),
            ORDER.is_held(),
        ]);
        errors.assert_kind(ErrorKind::WrongType).assert_sent(&[SendStatus::Yes]).assert_key(&text(&ORDER));
        errors.assert_message("holds a list, but a string is declared");
        con.assert_left(&text(&ORDER), MINUTE / 2);
    });
}

#[test]
fn a_lock_on_a_server_without_memory_is_renewed_and_released() {
    everywhere(|con| {
        let first = fence(con, &ORDER, &theirs());
        con.without_memory(|con| {
            errors!(con, run: [Order { id: 2 }.acquire(&mine())]).assert_kind(ErrorKind::Server).assert_message("OOM");
            assert_busy(con, &ORDER, 60_000);
            let _: bool = con.raw(&["PEXPIRE", &text(&ORDER), "30000"]);
            assert!(con.ok(ORDER.renew(&theirs())));
            con.assert_left(&text(&ORDER), MINUTE);
            assert!(con.ok(ORDER.release(&theirs())));
            assert!(!con.ok(ORDER.is_held()));
            con.assert_left(&text(&ORDER), MINUTE);
        });
        assert_eq!(content(con, &Order { id: 2 }), None);
        assert!(fence(con, &ORDER, &mine()) > first);
    });
}

/// The releases arrive in the moment in which the locks expire.
#[test]
fn a_lock_that_expires_during_its_release_does_not_stay() {
    everywhere(|con| {
        for round in 0..20 {
            let locks: Vec<_> = (0..8).map(|id| Hasty { id: 8 * round + id }).collect();
            for (lock, ms) in locks.iter().zip(1..) {
                let content = format!("{MY_TOKEN} 5");
                let _: String = con.raw(&["SET", &text(lock), &content, "PX", &i32::to_string(&ms)]);
            }
            for token in [theirs(), mine()] {
                con.batch(locks.iter().map(|lock| lock.release(&token)).collect::<Vec<_>>()).expect("they succeed");
            }
            let token = Token::random();
            con.batch(locks.iter().map(|lock| lock.acquire(&token)).collect::<Vec<_>>()).expect("they succeed");
            let stays = locks.iter().any(|lock| con.pttl(&text(lock)) == -1);
            assert!(!stays, "a lock lost its expiry");
        }
    });
}
