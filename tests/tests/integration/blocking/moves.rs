//! `blmove`.

use std::time::{Duration, Instant};

use redis_keys::ErrorKind;
use redis_keys::command::Blocking;
use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;
use redis_keys_tests::Con;

use super::keys::{Few, HOUR, JOBS, JOBS_KEY, Last, MINUTE, TAKEN, TAKEN_KEY};
use super::waiter::{Waiter, on_both, waiting};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

fn blmove(wait: Duration) -> Blocking<u32> {
    JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, wait)
}

#[test]
fn an_existing_item_is_moved_without_waiting() {
    on_both(|waiter, con| {
        con.forget_scripts();
        con.ok(JOBS.rpush_many([1, 2, 3]));
        let _: bool = con.raw(&["EXPIRE", JOBS_KEY, "60"]);
        assert_eq!(waiter.ok(blmove(LONG)), Some(1));
        assert_eq!(waiter.ok(JOBS.blmove(&TAKEN, ListEnd::Right, ListEnd::Left, LONG)), Some(3));
        assert_eq!((con.ok(JOBS.lrange(0..9)), con.ok(TAKEN.lrange(0..9))), (vec![2], vec![3, 1]));
        con.assert_left(JOBS_KEY, MINUTE);
        con.assert_left(TAKEN_KEY, 2 * HOUR);
        let _: bool = con.raw(&["EXPIRE", TAKEN_KEY, "60"]);
        assert_eq!(waiter.ok(blmove(LONG)), Some(2));
        con.assert_left(TAKEN_KEY, MINUTE);
    });
}

#[test]
fn a_move_waits_for_an_item() {
    on_both(|waiter, con| {
        for len in 1..4 {
            con.forget_scripts();
            let found = waiter.meanwhile(blmove(LONG), con, |con| _ = con.ok(JOBS.rpush(&7)));
            assert_eq!(found.expect("the move succeeds"), Some(7));
            assert_eq!((con.ok(JOBS.llen()), con.ok(TAKEN.llen())), (0, len));
            con.assert_left(TAKEN_KEY, 2 * HOUR);
        }
    });
}

#[test]
fn waiting_changes_neither_items_nor_expiry() {
    on_both(|_, con| {
        // The command that waits, on a list of one item and on one of several.
        for items in [vec![1], vec![1, 2, 3]] {
            let mut pusher = con.new_connection();
            let mut other = con.new_connection();
            let _: String = con.raw(&["FLUSHALL"]);
            let rotate = ["BLMOVE", JOBS_KEY, JOBS_KEY, "LEFT", "LEFT", "60.000"];
            let found: String = std::thread::scope(|scope| {
                let waiting_thread = scope.spawn(|| other.raw(&rotate));
                redis_keys_tests::wait_until("a client waits", || waiting(con) == 1);
                pusher.ok(JOBS.rpush_many(&items));
                waiting_thread.join().expect("the thread does not panic")
            });
            assert_eq!(found, "1");
            for _ in 0..2 {
                assert_eq!(pusher.ok(JOBS.lrange(0..9)), items);
                pusher.assert_left(JOBS_KEY, HOUR);
                assert_eq!(other.raw::<String>(&rotate), "1", "nor does the command without a wait");
            }
            let _: String = con.raw(&["FLUSHALL"]);
        }
    });
}

#[test]
fn a_move_without_items_times_out() {
    on_both(|waiter, con| {
        let started = Instant::now();
        assert_eq!(waiter.ok(blmove(SHORT)), None);
        assert!(started.elapsed() >= SHORT / 2, "{:?}", started.elapsed());
        assert!(!con.ok(TAKEN.exists()) && !con.ok(JOBS.exists()));
    });
}

#[test]
fn the_destination_keeps_its_limits() {
    on_both(|waiter, con| {
        let (few, last) = (Few { id: 1 }, Last { id: 1 });
        con.ok(JOBS.rpush_many([1, 2, 3, 4, 5]));
        let to_few = || JOBS.blmove(&few, ListEnd::Left, ListEnd::Right, LONG);
        assert_eq!(waiter.ok(to_few()), Some(1));
        let error = waiter.run(to_few()).expect_err("the destination is full");
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert_eq!(con.ok(JOBS.llen()), 4);
        for job in [2, 3, 4] {
            assert_eq!(waiter.ok(JOBS.blmove(&last, ListEnd::Left, ListEnd::Right, LONG)), Some(job));
        }
        assert_eq!(con.ok(last.lrange(0..9)), [3, 4]);
    });
}

#[test]
fn the_key_of_another_type_is_named() {
    on_both(|waiter, con| {
        let _: String = con.raw(&["SET", TAKEN_KEY, "hidden", "EX", "60"]);
        con.ok(JOBS.rpush(&1));
        let error = waiter.run(blmove(LONG)).expect_err("the key is not a list");
        assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(TAKEN_KEY)), "{error}");
        assert_eq!(con.ok(JOBS.llen()), 1);
        let _: u64 = con.raw(&["DEL", TAKEN_KEY, JOBS_KEY]);
        let _: String = con.raw(&["SET", JOBS_KEY, "hidden", "EX", "60"]);
        let error = waiter.run(blmove(LONG)).expect_err("the key is not a list");
        assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(JOBS_KEY)), "{error}");
    });
}

#[test]
fn several_waiting_clients_share_the_items() {
    const JOB_COUNT: u32 = 200;
    on_both(|waiter, con| {
        let url = con.url().to_owned();
        let connect = if matches!(waiter, Waiter::Blocking(_)) { Waiter::blocking } else { Waiter::asynchronous };
        let mut moved: Vec<u32> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| {
                    let url = &url;
                    scope.spawn(move || {
                        let mut waiter = connect(url);
                        std::iter::from_fn(|| waiter.ok(blmove(LONG)).filter(|job| *job < JOB_COUNT))
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            // The last four stop the workers.
            (0..JOB_COUNT + 4).for_each(|job| _ = con.ok(JOBS.rpush(&job)));
            workers.into_iter().flat_map(|worker| worker.join().expect("the thread does not panic")).collect()
        });
        moved.sort_unstable();
        assert_eq!(moved, (0..JOB_COUNT).collect::<Vec<_>>());
        assert_eq!((con.ok(JOBS.llen()), con.ok(TAKEN.llen())), (0, u64::from(JOB_COUNT) + 4));
        assert_every_job_moved(con, JOB_COUNT + 4);
    });
}

fn assert_every_job_moved(con: &mut Con, len: u32) {
    let mut all = con.ok(TAKEN.lrange(0..len));
    all.sort_unstable();
    assert_eq!(all, (0..len).collect::<Vec<_>>());
}
