//! `blpop brpop bzpopmin bzpopmax`.

use std::time::{Duration, Instant};

use redis_keys::command::Blocking;
use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};

use super::keys::{HOUR, JOBS, JOBS_KEY, MINUTE, RANKS};
use super::waiter::{Waiter, on_both};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

#[test]
fn existing_items_are_popped_without_waiting() {
    on_both(|waiter, con| {
        con.ok(JOBS.rpush_many([1, 2, 3]));
        let _: bool = con.raw(&["EXPIRE", JOBS_KEY, "60"]);
        assert_eq!((waiter.ok(JOBS.blpop(LONG)), waiter.ok(JOBS.brpop(LONG))), (Some(1), Some(3)));
        con.assert_left(JOBS_KEY, MINUTE);
        con.ok(RANKS.zadd_many([(1, 1.5), (2, 2.5), (3, 3.5)]));
        assert_eq!(waiter.ok(RANKS.bzpopmin(LONG)), Some((1, 1.5)));
        assert_eq!(waiter.ok(RANKS.bzpopmax(LONG)), Some((3, 3.5)));
        assert_eq!(con.ok(JOBS.lrange(0..9)), [2]);
    });
}

#[test]
fn a_pop_waits_for_an_item() {
    on_both(|waiter, con| {
        for pop in [JOBS.blpop(LONG), JOBS.brpop(LONG)] {
            let found = waiter.meanwhile(pop, con, |con| _ = con.ok(JOBS.rpush(&7)));
            assert_eq!(found.expect("the pop succeeds"), Some(7));
            assert!(!con.ok(JOBS.exists()));
        }
        for pop in [RANKS.bzpopmin(LONG), RANKS.bzpopmax(LONG)] {
            let found = waiter.meanwhile(pop, con, |con| _ = con.ok(RANKS.zadd(&7, 0.5)));
            assert_eq!(found.expect("the pop succeeds"), Some((7, 0.5)));
        }
        // One item is popped, and the others keep their expiry.
        let found = waiter.meanwhile(JOBS.blpop(LONG), con, |con| _ = con.ok(JOBS.rpush_many([1, 2])));
        assert_eq!(found.expect("the pop succeeds"), Some(1));
        con.assert_left(JOBS_KEY, HOUR);
    });
}

#[test]
fn a_pop_without_items_times_out() {
    fn assert_passes<T>(waiter: &mut Waiter, blocking: Blocking<T>) {
        let started = Instant::now();
        assert!(waiter.ok(blocking).is_none());
        assert!(started.elapsed() >= SHORT / 2, "{:?}", started.elapsed());
    }
    on_both(|waiter, con| {
        for _ in 0..3 {
            assert_passes(waiter, JOBS.blpop(SHORT));
            assert_passes(waiter, JOBS.brpop(SHORT));
            assert_passes(waiter, RANKS.bzpopmin(SHORT));
            assert_passes(waiter, RANKS.bzpopmax(SHORT));
        }
        assert!(waiter.ok(JOBS.blpop(Duration::from_nanos(1))).is_none(), "the shortest wait ends");
        con.ok(JOBS.rpush(&1));
        assert_eq!(waiter.ok(JOBS.blpop(SHORT)), Some(1));
    });
}

#[test]
fn a_pop_may_wait_longer_than_the_timeouts_of_the_client() {
    on_both(|waiter, con| {
        if let Waiter::Blocking(con) = waiter {
            con.set_read_timeout(Some(Duration::from_millis(10))).expect("the duration is valid");
        }
        let late = |con: &mut redis_keys_tests::Con| {
            // Longer than the half second after which asynchronous connections of redis-rs time out.
            std::thread::sleep(Duration::from_millis(700));
            con.ok(JOBS.rpush(&7));
        };
        assert_eq!(waiter.meanwhile(JOBS.blpop(LONG), con, late).expect("the pop succeeds"), Some(7));
    });
}

#[test]
fn the_read_timeout_is_set_after_the_wait() {
    on_both(|waiter, con| {
        let Waiter::Blocking(sync) = waiter else { return };
        con.ok(JOBS.rpush_many([1, 2]));
        let slow = |sync: &mut redis::Connection| {
            redis::cmd("BLPOP").arg(&["nothing", "0.3"]).query::<Option<[String; 2]>>(sync)
        };
        assert_eq!(JOBS.blpop(SHORT).query(sync).expect("the pop succeeds"), Some(1));
        assert_eq!(slow(sync).expect("there is no timeout"), None);
        assert_eq!(JOBS.blpop(SHORT).with_read_timeout(SHORT).query(sync).expect("the pop succeeds"), Some(2));
        assert!(slow(sync).expect_err("the timeout is set").is_timeout());
    });
}

#[test]
fn an_unbounded_wait_is_rejected() {
    on_both(|waiter, con| {
        for wait in [Duration::ZERO, Duration::from_secs(3601)] {
            let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
            let error = waiter.run(JOBS.blpop(wait)).expect_err("the command is rejected");
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
            assert!(!con.info("commandstats").contains("blpop"));
        }
    });
}

#[test]
fn wrong_types_and_undecodable_items_are_errors() {
    on_both(|waiter, con| {
        let _: String = con.raw(&["SET", JOBS_KEY, "hidden", "EX", "60"]);
        let error = waiter.run(JOBS.blpop(LONG)).expect_err("the key is not a list");
        assert!(error.to_string().contains("holds a string, but a list is declared"), "{error}");
        let _: u64 = con.raw(&["DEL", JOBS_KEY]);
        let _: u64 = con.raw(&["RPUSH", JOBS_KEY, "secret"]);
        let error = waiter.run(JOBS.brpop(LONG)).expect_err("the item is not a number");
        assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(JOBS_KEY)));
        assert!(!con.ok(JOBS.exists()), "the item is removed");
        con.ok(JOBS.rpush(&1));
        assert_eq!(waiter.ok(JOBS.blpop(LONG)), Some(1), "the connection can still be used");
    });
}
