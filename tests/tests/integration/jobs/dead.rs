//! Jobs that have been taken as often as `tries` says.

use std::time::Duration;

use redis_keys::jobs::{Job, RetryOutcome};
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{DEAD, HOUR, MAILS, MINUTE, Small, assert_counts, pass, score, stored, take, take_one, text, values};

#[test]
fn a_job_is_dead_after_exactly_as_many_takes_as_tries() {
    everywhere(|con| {
        con.ok(MAILS.push("a"));
        for tries in 1..=3 {
            let taken = con.ok(MAILS.take(10));
            assert_eq!(taken.jobs.iter().map(Job::tries).collect::<Vec<_>>(), [tries]);
            assert_eq!(taken.died, 0);
            assert_counts(con, &MAILS, [0, 1, 0]);
            pass(con, &MAILS, 2 * HOUR);
            assert_counts(con, &MAILS, [1, 0, 0]);
        }
        let taken = con.ok(MAILS.take(10));
        assert_eq!((taken.jobs.len(), taken.died, taken.next_due), (0, 1, None));
        assert_counts(con, &MAILS, [0, 0, 1]);
        assert_eq!(con.ok(MAILS.take(10)).died, 0, "it is counted once");
        let dead = con.ok(MAILS.dead(0..10));
        assert_eq!((values(&dead), dead[0].tries()), (vec!["a".to_owned()], 3));
    });
}

#[test]
fn a_queue_of_one_try_takes_each_job_once() {
    on_every_connection(|con| {
        let queue = Small { id: 1 };
        con.ok(queue.push(b"a"));
        assert_eq!(con.ok(queue.take(1)).jobs.len(), 1);
        pass(con, &queue, HOUR);
        let taken = con.ok(queue.take(1));
        assert_eq!((taken.jobs.len(), taken.died), (0, 1));
    });
}

#[test]
fn a_retry_of_the_last_try_makes_the_job_dead() {
    everywhere(|con| {
        con.ok(MAILS.push("a"));
        for expected in [RetryOutcome::Later, RetryOutcome::Later, RetryOutcome::Dead] {
            let job = take_one(con, &MAILS);
            assert_eq!(con.ok(MAILS.retry(&job, MINUTE)), expected);
            pass(con, &MAILS, 2 * MINUTE);
        }
        assert_counts(con, &MAILS, [0, 0, 1]);
        assert!(take(con, &MAILS).is_empty());
    });
}

#[test]
fn a_job_can_be_buried_at_its_first_try() {
    everywhere(|con| {
        con.ok(MAILS.push("a"));
        let job = take_one(con, &MAILS);
        assert!(con.ok(MAILS.bury(&job)));
        assert_counts(con, &MAILS, [0, 0, 1]);
        let dead = con.ok(MAILS.dead(..1));
        assert_eq!((values(&dead), dead[0].id(), dead[0].tries()), (vec!["a".to_owned()], job.id(), 1));
    });
}

/// Buries a job for each text, the first one first.
fn bury_all(con: &mut Con, texts: &[String]) {
    con.ok(MAILS.push_many(texts.to_vec()));
    for job in take(con, &MAILS) {
        assert!(con.ok(MAILS.bury(&job)));
    }
}

#[test]
fn dead_jobs_are_listed_in_the_order_of_their_death() {
    let texts: Vec<_> = (0..30).map(|n| format!("job {n:02}")).collect();
    everywhere(|con| {
        assert!(con.ok(MAILS.dead(..10)).is_empty());
        bury_all(con, &texts);
        con.ok(MAILS.push("not dead"));
        for range in [0..10, 10..20, 20..30, 5..6] {
            let (start, end) = (range.start as usize, range.end as usize);
            assert_eq!(values(&con.ok(MAILS.dead(range))), texts[start..end]);
        }
        assert_eq!(values(&con.ok(MAILS.dead(25..100))), texts[25..]);
        assert_eq!(values(&con.ok(MAILS.dead(25..=27))), texts[25..28]);
        assert_eq!(values(&con.ok(MAILS.dead(..500))), texts);
        assert!(con.ok(MAILS.dead(30..100)).is_empty());
        assert!(con.ok(MAILS.dead(u32::MAX - 1..u32::MAX)).is_empty());
        #[expect(clippy::reversed_empty_ranges, reason = "it is empty")]
        let empty = MAILS.dead(7..3);
        assert!(con.ok(empty).is_empty());
        let error = con.refused(MAILS.dead(0..501));
        assert!(error.to_string().contains("limit of 500 elements"), "{error}");
    });
}

#[test]
fn a_dead_job_can_be_revived_with_all_its_tries() {
    everywhere(|con| {
        bury_all(con, &["a".to_owned(), "b".to_owned()]);
        let dead = con.ok(MAILS.dead(..10));
        assert!(con.ok(MAILS.revive(&dead[1])));
        assert!(!con.ok(MAILS.revive(&dead[1])), "it is not dead any more");
        assert_counts(con, &MAILS, [1, 0, 1]);
        for tries in 1..=3 {
            let job = take_one(con, &MAILS);
            assert_eq!((job.id(), job.tries()), (dead[1].id(), tries));
            con.ok(MAILS.retry(&job, Duration::ZERO));
        }
        assert_counts(con, &MAILS, [0, 0, 2]);
    });
}

#[test]
fn a_dead_job_can_only_be_revived_or_removed() {
    everywhere(|con| {
        bury_all(con, &["a".to_owned()]);
        let dead = con.ok(MAILS.dead(..10)).remove(0);
        let before = stored(con, &MAILS);
        assert_eq!(con.ok(MAILS.retry(&dead, Duration::ZERO)), RetryOutcome::Lost);
        assert!(!con.ok(MAILS.extend(&dead)));
        assert!(!con.ok(MAILS.bury(&dead)));
        assert_eq!(stored(con, &MAILS), before);
        assert!(con.ok(MAILS.ack(&dead)));
        assert!(!con.ok(MAILS.ack(&dead)) && !con.ok(MAILS.revive(&dead)));
        assert!(!con.ok(MAILS.exists()));
    });
}

#[test]
fn a_job_that_was_revived_meanwhile_is_not_removed_as_dead() {
    on_every_connection(|con| {
        bury_all(con, &["a".to_owned()]);
        let dead = con.ok(MAILS.dead(..10)).remove(0);
        assert!(con.ok(MAILS.revive(&dead)));
        assert!(!con.ok(MAILS.ack(&dead)));
        take_one(con, &MAILS);
        assert!(!con.ok(MAILS.ack(&dead)));
        assert_counts(con, &MAILS, [0, 1, 0]);
    });
}

#[test]
fn the_score_of_a_dead_job_is_exact() {
    on_every_connection(|con| {
        con.ok(MAILS.push("a"));
        let (seconds, _): (u64, u64) = con.raw(&["TIME"]);
        let job = take_one(con, &MAILS);
        con.ok(MAILS.bury(&job));
        let dead = score(con, &MAILS);
        assert_eq!(dead % 64, 1);
        let died = (dead - DEAD) / 64 / 1000;
        assert!((seconds..seconds + 60).contains(&died), "{died}");
        let found: u64 = con.raw(&["ZCOUNT", &text(&MAILS), &dead.to_string(), &dead.to_string()]);
        assert_eq!(found, 1);
        let (before, after) = ((dead - 1).to_string(), (dead + 1).to_string());
        assert_eq!(con.raw::<u64>(&["ZCOUNT", &text(&MAILS), "-inf", &before]), 0);
        assert_eq!(con.raw::<u64>(&["ZCOUNT", &text(&MAILS), &after, "+inf"]), 0);
    });
}
