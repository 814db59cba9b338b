//! Jobs that were taken: for how long, and what can be done with them.

use std::time::Duration;

use redis_keys::jobs::{Receipt, RetryOutcome, TakenJob};
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection, wait_until};

use super::keys::{
    HOUR, Hasty, MAILS, MINUTE, assert_counts, pass, receipts, score, stored, take, take_one, text, values,
};

#[test]
fn a_job_that_was_taken_is_nobody_elses_until_its_lease_is_over() {
    everywhere(|con| {
        con.ok(MAILS.push("a"));
        let first = take_one(con, &MAILS);
        assert!(take(con, &MAILS).is_empty());
        pass(con, &MAILS, 59 * MINUTE);
        assert!(take(con, &MAILS).is_empty());
        pass(con, &MAILS, 2 * MINUTE);
        let second = take_one(con, &MAILS);
        assert_eq!((first.id(), first.tries(), second.tries()), (second.id(), 1, 2));
        assert_eq!(second.value.as_deref().ok(), Some("a"));
        assert!(take(con, &MAILS).is_empty());
    });
}

#[test]
fn a_lease_takes_its_time_by_the_clock_of_the_server() {
    on_every_connection(|con| {
        let queue = Hasty { id: 1 };
        con.ok(queue.push(&1));
        let micros = |con: &mut Con| {
            let (seconds, micros): (u64, u64) = con.raw(&["TIME"]);
            seconds * 1_000_000 + micros
        };
        let before = micros(con);
        let first = con.ok(queue.take(1));
        let due = score(con, &queue) / 64 * 1000;
        assert!(due >= before + 1_000_000, "the lease is not rounded down");
        wait_until("the lease is over", || con.ok(queue.take(1)).jobs.iter().any(|job| job.tries() == 2));
        assert!(micros(con) >= due);
        assert!(!con.ok(queue.ack(&first.jobs[0])));
    });
}

#[test]
fn a_job_that_is_done_is_gone() {
    everywhere(|con| {
        con.ok(MAILS.push_many(["a", "b"]));
        let jobs = take(con, &MAILS);
        assert!(con.ok(MAILS.ack(&jobs[0])));
        assert!(!con.ok(MAILS.ack(&jobs[0])), "it was done already");
        // Its receipt alone is enough.
        assert!(con.ok(MAILS.ack(&jobs[1].receipt)));
        assert!(!con.ok(MAILS.exists()));
    });
}

#[test]
fn a_job_whose_lease_is_over_is_its_workers_until_somebody_takes_it() {
    on_every_connection(|con| {
        con.ok(MAILS.push_many(["a", "b", "c"]));
        let jobs = take(con, &MAILS);
        pass(con, &MAILS, 2 * HOUR);
        assert_counts(con, &MAILS, [3, 0, 0]);
        assert!(con.ok(MAILS.extend(&jobs[0])));
        assert_eq!(con.ok(MAILS.retry(&jobs[1], HOUR)), RetryOutcome::Later);
        assert!(con.ok(MAILS.bury(&jobs[2])));
        assert_counts(con, &MAILS, [0, 2, 1]);
        pass(con, &MAILS, 2 * HOUR);
        assert!(con.ok(MAILS.ack(&jobs[0])));
    });
}

#[test]
fn a_retry_lets_the_job_be_taken_again_after_a_time() {
    everywhere(|con| {
        con.ok(MAILS.push_many(["a", "b"]));
        let jobs = take(con, &MAILS);
        assert_eq!(con.ok(MAILS.retry(&jobs[0], 10 * MINUTE)), RetryOutcome::Later);
        assert_eq!(con.ok(MAILS.retry(&jobs[1], Duration::ZERO)), RetryOutcome::Later);
        let second = take_one(con, &MAILS);
        assert_eq!((second.id(), second.tries()), (jobs[1].id(), 2));
        assert!(con.ok(MAILS.ack(&second)));
        pass(con, &MAILS, 9 * MINUTE);
        assert!(take(con, &MAILS).is_empty());
        pass(con, &MAILS, 2 * MINUTE);
        let first = take_one(con, &MAILS);
        assert_eq!((first.id(), first.tries()), (jobs[0].id(), 2));
    });
}

#[test]
fn a_retry_or_an_extension_whose_reply_was_lost_can_be_repeated() {
    on_every_connection(|con| {
        con.ok(MAILS.push("a"));
        let job = take_one(con, &MAILS);
        assert!(con.ok(MAILS.extend(&job)) && con.ok(MAILS.extend(&job)));
        let retry = || MAILS.retry(&job, MINUTE);
        assert_eq!((con.ok(retry()), con.ok(retry())), (RetryOutcome::Later, RetryOutcome::Later));
        assert_counts(con, &MAILS, [0, 1, 0]);
    });
}

#[test]
fn an_extension_starts_the_lease_again() {
    everywhere(|con| {
        con.ok(MAILS.push("a"));
        let job = take_one(con, &MAILS);
        for _ in 0..5 {
            pass(con, &MAILS, 40 * MINUTE);
            assert!(take(con, &MAILS).is_empty());
            assert!(con.ok(MAILS.extend(&job)));
        }
        pass(con, &MAILS, 61 * MINUTE);
        assert_eq!(take_one(con, &MAILS).tries(), 2, "an extension is no try");
        assert!(!con.ok(MAILS.extend(&job)));
    });
}

#[test]
fn no_retry_is_rounded_down() {
    on_every_connection(|con| {
        con.ok(MAILS.push("a"));
        let job = take_one(con, &MAILS);
        for ns in [1, 1_000_000, 1_000_001, 90_000_000_000] {
            let (seconds, micros): (u64, u64) = con.raw(&["TIME"]);
            con.ok(MAILS.retry(&job, Duration::from_nanos(ns)));
            let due = score(con, &MAILS) / 64 * 1000;
            assert!(due >= seconds * 1_000_000 + micros + ns.div_ceil(1000), "{ns} ns");
        }
    });
}

/// A way to take a job from its worker.
type Loss = (&'static str, fn(&mut Con, &Receipt));

const LOSSES: &[Loss] = &[
    ("another take", |con, _| {
        pass(con, &MAILS, 2 * HOUR);
        assert_eq!(take(con, &MAILS).len(), 1);
    }),
    ("another take and a retry", |con, _| {
        pass(con, &MAILS, 2 * HOUR);
        let other = take_one(con, &MAILS);
        assert_eq!(con.ok(MAILS.retry(&other, Duration::ZERO)), RetryOutcome::Later);
    }),
    ("all other takes", |con, _| {
        for _ in 0..3 {
            pass(con, &MAILS, 2 * HOUR);
            take(con, &MAILS);
        }
        assert_counts(con, &MAILS, [0, 0, 1]);
    }),
    ("bury", |con, job| assert!(con.ok(MAILS.bury(job)))),
    ("bury and revive", |con, job| {
        assert!(con.ok(MAILS.bury(job)));
        let dead = con.ok(MAILS.dead(0..1)).remove(0);
        assert!(con.ok(MAILS.revive(&dead)));
    }),
    ("ack", |con, job| assert!(con.ok(MAILS.ack(job)))),
    ("unlink", |con, _| assert!(con.ok(MAILS.unlink()))),
    ("expiry", |con, _| {
        let _: bool = con.raw(&["PEXPIRE", &text(&MAILS), "1"]);
        wait_until("the queue has expired", || !con.ok(MAILS.exists()));
    }),
];

#[test]
fn nothing_can_be_done_with_a_job_that_is_not_held_any_more() {
    everywhere(|con| {
        for (what, lose) in LOSSES {
            println!("{what}");
            con.ok(MAILS.unlink());
            con.ok(MAILS.push("a"));
            let job = take_one(con, &MAILS).receipt;
            lose(con, &job);
            let before = stored(con, &MAILS);
            assert!(!con.ok(MAILS.ack(&job)));
            assert_eq!(con.ok(MAILS.ack_many([&job])), [false]);
            assert!(!con.ok(MAILS.extend(&job)));
            assert!(!con.ok(MAILS.bury(&job)));
            assert!(!con.ok(MAILS.revive(&job)));
            assert_eq!(con.ok(MAILS.retry(&job, Duration::ZERO)), RetryOutcome::Lost);
            assert_eq!(stored(con, &MAILS), before, "{what}");
        }
    });
}

#[test]
fn many_jobs_are_acknowledged_at_once() {
    everywhere(|con| {
        con.ok(MAILS.push_many(["done", "retried", "taken again", "buried", "done too"]));
        let jobs = take(con, &MAILS);
        con.ok(MAILS.ack(&jobs[0]));
        con.ok(MAILS.retry(&jobs[1], HOUR));
        con.ok(MAILS.retry(&jobs[2], Duration::ZERO));
        let again = take_one(con, &MAILS);
        con.ok(MAILS.bury(&jobs[3]));
        assert_eq!(con.ok(MAILS.ack_many(&jobs)), [false, true, false, false, true]);
        assert_counts(con, &MAILS, [0, 1, 1]);
        assert_eq!(con.ok(MAILS.ack_many([&again, &again])), [true, true]);
        let dead = con.ok(MAILS.dead(0..10));
        assert_eq!(con.ok(MAILS.ack_many(&dead)), [true]);
        assert!(!con.ok(MAILS.exists()));
    });
}

#[test]
fn up_to_500_jobs_are_acknowledged_at_once() {
    on_every_connection(|con| {
        con.ok(MAILS.push_many(vec!["a"; 500]));
        con.ok(MAILS.push("one more"));
        let jobs: Vec<_> = (0..6).flat_map(|_| receipts(take(con, &MAILS))).collect();
        let error = con.refused(MAILS.ack_many(&jobs));
        assert!(error.to_string().contains("limit of 500 elements"), "{error}");
        assert_eq!(con.ok(MAILS.ack_many(&jobs[1..])), [true; 500]);
        assert_eq!(con.ok(MAILS.ack_many::<[Receipt; 0]>([])), [false; 0]);
        assert_counts(con, &MAILS, [0, 1, 0]);
    });
}

#[test]
fn workers_that_take_at_the_same_time_get_different_jobs() {
    everywhere(|con| {
        con.ok(MAILS.push_many((0..90).map(|n| n.to_string())));
        let taken = con.batch((0..10).map(|_| MAILS.take(10)).collect::<Vec<_>>()).expect("they succeed");
        let taken: Vec<TakenJob<_>> = taken.into_iter().flat_map(|taken| taken.jobs).collect();
        assert_eq!(values(&taken), (0..90).map(|n| n.to_string()).collect::<Vec<_>>());
    });
}
