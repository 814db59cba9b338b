//! Waits that time out lose nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use redis_keys::command::Blocking;
use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, wait_until};

use super::keys::{JOBS, RANKS, TAKEN};
use super::waiter::{Waiter, on_both, waiting};

const WAIT: Duration = Duration::from_millis(12);
const ITEMS: u32 = 60;

/// Pushes each item at about the moment when a wait times out, and asserts that every item was taken or is left.
fn assert_nothing_is_lost<T: Send>(
    waiter: &mut Waiter,
    con: &mut Con,
    take: fn(Duration) -> Blocking<T>,
    number: fn(T) -> u32,
    push: fn(&mut Con, u32),
    rest: fn(&mut Con) -> Vec<u32>,
) {
    // The number of times per second that the server checks for timeouts.
    let _: String = con.raw(&["CONFIG", "SET", "hz", "500"]);
    let stop = AtomicBool::new(false);
    let (mut taken, passed) = std::thread::scope(|scope| {
        let taking = scope.spawn(|| {
            let (mut taken, mut passed) = (Vec::new(), 0);
            while !stop.load(Ordering::Relaxed) {
                match waiter.ok(take(WAIT)) {
                    Some(found) => taken.push(number(found)),
                    None => passed += 1,
                }
            }
            (taken, passed)
        });
        for item in 0..ITEMS {
            wait_until("a client waits", || waiting(con) == 1);
            let delay = WAIT.mul_f64(0.7 + 0.5 * f64::from(item) / f64::from(ITEMS));
            let started = Instant::now();
            while started.elapsed() < delay {}
            push(con, item);
        }
        stop.store(true, Ordering::Relaxed);
        taking.join().expect("the thread does not panic")
    });
    println!("{} taken, {passed} waits timed out", taken.len());
    assert!(taken.len() > 10 && passed > 0, "{} taken, {passed} waits timed out", taken.len());
    taken.extend(rest(con));
    taken.sort_unstable();
    assert_eq!(taken, (0..ITEMS).collect::<Vec<_>>());
}

#[test]
fn pops_that_time_out_lose_no_items() {
    on_both(|waiter, con| {
        let rest = |con: &mut Con| con.ok(JOBS.lpop_many(500));
        let push = |con: &mut Con, item: u32| _ = con.ok(JOBS.rpush(&item));
        assert_nothing_is_lost(waiter, con, |wait| JOBS.blpop(wait), |item| item, push, rest);
        assert_nothing_is_lost(waiter, con, |wait| JOBS.brpop(wait), |item| item, push, rest);
    });
}

#[test]
fn pops_that_time_out_lose_no_members() {
    on_both(|waiter, con| {
        let rest = |con: &mut Con| con.ok(RANKS.zpopmin_many(500)).into_iter().map(|(member, _)| member).collect();
        let push = |con: &mut Con, item: u32| _ = con.ok(RANKS.zadd(&item, 1.0));
        assert_nothing_is_lost(waiter, con, |wait| RANKS.bzpopmin(wait), |(item, _)| item, push, rest);
        assert_nothing_is_lost(waiter, con, |wait| RANKS.bzpopmax(wait), |(item, _)| item, push, rest);
    });
}

#[test]
fn moves_that_time_out_lose_no_items() {
    on_both(|waiter, con| {
        let push = |con: &mut Con, item: u32| _ = con.ok(JOBS.rpush(&item));
        let blmove = |wait| JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, wait);
        assert_nothing_is_lost(waiter, con, blmove, |item| item, push, |con| con.ok(JOBS.lpop_many(500)));
        let mut moved = con.ok(TAKEN.lpop_many(500));
        moved.dedup();
        assert!(moved.len() > 10, "every item is moved once");
    });
}

/// The client gives up and closes the connection, so that no later item is popped for it.
#[test]
fn a_pop_gives_up_on_an_unresponsive_server() {
    on_both(|waiter, con| {
        let Waiter::Asynchronous(..) = waiter else { return };
        assert_eq!(waiter.ok(JOBS.blpop(WAIT)), None, "the connection is open");
        let _: String = con.raw(&["CLIENT", "PAUSE", "2500", "ALL"]);
        let started = Instant::now();
        let error = waiter.run(JOBS.blpop(WAIT)).expect_err("the server is paused");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe), "{error}");
        assert!(error.to_string().contains("no reply in time"), "{error}");
        // The server must not pop an item after the client gave up.
        let silent = started.elapsed();
        assert!(silent > WAIT + Duration::from_millis(900) && silent < Duration::from_millis(2400), "{silent:?}");
        wait_until("no client waits", || waiting(con) == 0);
        con.ok(JOBS.rpush(&7));
        assert_eq!(con.ok(JOBS.lrange(0..9)), [7]);
        assert_eq!(waiter.ok(JOBS.blpop(WAIT)), Some(7), "the next wait opens another connection");
    });
}

/// The server receives the command and the item at the same time.
#[test]
fn a_move_on_an_unresponsive_server_loses_nothing() {
    on_both(|waiter, con| {
        let blmove = || JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, WAIT);
        assert_eq!(waiter.ok(blmove()), None);
        let _: String = con.raw(&["CLIENT", "PAUSE", "1500", "ALL"]);
        let error = waiter.run(blmove()).expect_err("the server is paused");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe), "{error}");
        con.ok(JOBS.rpush(&7));
        wait_until("no client waits", || waiting(con) == 0);
        assert_eq!([con.ok(JOBS.lrange(0..9)), con.ok(TAKEN.lrange(0..9))].concat(), [7]);
    });
}

#[test]
fn a_lost_connection_is_replaced_by_the_next_wait() {
    on_both(|waiter, con| {
        let Waiter::Asynchronous(..) = waiter else { return };
        let cut = |con: &mut Con| {
            let clients: String = con.raw(&["CLIENT", "LIST"]);
            let blocked = clients.lines().find(|line| line.contains("cmd=blpop")).expect("a client waits");
            let id = blocked.split(' ').find_map(|word| word.strip_prefix("id=")).expect("every client has an ID");
            let _: u64 = con.raw(&["CLIENT", "KILL", "ID", id]);
        };
        let error =
            waiter.meanwhile(JOBS.blpop(Duration::from_secs(60)), con, cut).expect_err("the connection is closed");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe), "{error}");
        con.ok(JOBS.rpush(&7));
        assert_eq!(waiter.ok(JOBS.blpop(WAIT)), Some(7), "the next wait opens another connection");
    });
}

#[test]
fn an_unreachable_server_is_a_connection_error() {
    let mut waiter = Waiter::asynchronous("redis://127.0.0.1:1/");
    let error = waiter.run(JOBS.blpop(WAIT)).expect_err("no server listens");
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::No), "{error}");
}
