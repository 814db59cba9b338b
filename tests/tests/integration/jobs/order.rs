//! In which order jobs are taken, and when.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use redis_keys::Command;
use redis_keys::jobs::{Job, JobId, RetryOutcome};
use redis_keys::prelude::*;
use redis_keys::testing::{Server, fix_jitter};
use redis_keys_tests::{Con, everywhere, on_every_connection, wait_until};

use super::keys::{
    HOUR, Hasty, MAILS, MINUTE, Mails, assert_counts, pass, score, stored, take, take_one, text, values,
};

#[test]
fn jobs_are_taken_in_the_order_in_which_they_were_pushed() {
    everywhere(|con| {
        con.forget_scripts();
        let texts: Vec<_> = (0..30).map(|n| format!("job {n}")).collect();
        let ids: Vec<_> = texts.iter().map(|text| con.ok(MAILS.push(text))).collect();
        let jobs = take(con, &MAILS);
        assert_eq!(values(&jobs), texts);
        assert_eq!(jobs.iter().map(Job::id).collect::<Vec<_>>(), ids);
        assert!(jobs.iter().all(|job| job.tries() == 1));
    });
}

#[test]
fn jobs_that_are_pushed_together_keep_their_order() {
    everywhere(|con| {
        let texts: Vec<_> = (0..500).map(|n| format!("{:03}", 499 - n)).collect();
        let ids = con.ok(MAILS.push_many(texts.clone()));
        let taken: Vec<_> = (0..5).flat_map(|_| take(con, &MAILS)).collect();
        assert_eq!(values(&taken), texts);
        assert_eq!(taken.iter().map(Job::id).collect::<Vec<_>>(), ids);
    });
}

#[test]
fn ids_are_unique_and_sorted_by_time() {
    on_every_connection(|con| {
        let mut ids = con.ok(MAILS.push_many(vec!["same"; 500]));
        ids.extend((0..500).map(|_| con.ok(MAILS.push("same"))));
        ids.extend(con.batch((0..500).map(|_| MAILS.push("same")).collect::<Vec<_>>()).expect("they succeed"));
        assert!(ids.is_sorted(), "{ids:?}");
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 1500);
        let now = SystemTime::now();
        let pushed = ids[0].pushed_at();
        assert!(pushed <= now && pushed + MINUTE > now, "{pushed:?}");
    });
}

/// The server's time is the same for all of them, from Redis 7 on.
#[test]
fn jobs_of_one_transaction_are_taken_in_its_order() {
    everywhere(|con| {
        if !con.has_pipelines() {
            return;
        }
        for _ in 0..50 {
            let group = (MAILS.push("d"), MAILS.push_many(["c", "b"]), [MAILS.push("b"), MAILS.push("a")]);
            let (first, many, last) = con.atomic(group).expect("the group succeeds");
            let taken = take(con, &MAILS);
            assert_eq!(values(&taken), ["d", "c", "b", "b", "a"]);
            let ids: Vec<_> = [first].into_iter().chain(many).chain(last).collect();
            assert_eq!(taken.iter().map(Job::id).collect::<Vec<_>>(), ids);
            con.ok(MAILS.ack_many(&taken));
        }
        // Whichever was built first.
        let second = MAILS.push("second");
        con.atomic((MAILS.push("first"), second)).expect("the group succeeds");
        assert_eq!(values(&take(con, &MAILS)), ["first", "second"]);
    });
}

#[test]
fn no_job_of_a_transaction_is_lost() {
    everywhere(|con| {
        if !con.has_pipelines() {
            return;
        }
        let pushes: Vec<_> = (0..1000).map(|_| MAILS.push("same")).collect();
        let ids: HashSet<_> = con.atomic(pushes).expect("the group succeeds").into_iter().collect();
        assert_eq!(ids.len(), 1000);
        assert_counts(con, &MAILS, [1000, 0, 0]);
        // Numbers that are the same, as those of a process that is a copy of another one could be.
        let push = || {
            let _from_zero = fix_jitter(0.0);
            (Command::from(MAILS.push("same")), Command::from(MAILS.push_many(["same", "other"])))
        };
        let ids = con.atomic([push(), push(), push()]).expect("the group succeeds");
        let ids: HashSet<_> = ids.into_iter().flat_map(|(id, ids)| ids.into_iter().chain([id])).collect();
        assert_eq!(ids.len(), 9);
        assert_counts(con, &MAILS, [1009, 0, 0]);
    });
}

#[test]
fn a_job_is_due_after_its_delay() {
    everywhere(|con| {
        con.ok(MAILS.push("in two hours").delay(2 * HOUR));
        con.ok(MAILS.push("in an hour").delay(HOUR));
        con.ok(MAILS.push("now"));
        con.ok(MAILS.push_many(["in 90 minutes", "then"]).delay(90 * MINUTE));
        assert_eq!(values(&take(con, &MAILS)), ["now"]);
        con.ok(MAILS.unlink());
        con.ok(MAILS.push("in two hours").delay(2 * HOUR));
        con.ok(MAILS.push("in an hour").delay(HOUR));
        con.ok(MAILS.push_many(["in 90 minutes", "then"]).delay(90 * MINUTE));
        pass(con, &MAILS, 59 * MINUTE);
        assert!(take(con, &MAILS).is_empty());
        pass(con, &MAILS, 2 * HOUR);
        con.ok(MAILS.push("now"));
        assert_eq!(values(&take(con, &MAILS)), ["in an hour", "in 90 minutes", "then", "in two hours", "now"]);
    });
}

#[test]
fn a_job_can_be_due_at_a_time() {
    on_every_connection(|con| {
        let now = SystemTime::now();
        con.ok(MAILS.push("at noon").at(now + HOUR));
        con.ok(MAILS.push("late").at(now - HOUR));
        con.ok(MAILS.push("too late").at(SystemTime::UNIX_EPOCH));
        let late = take(con, &MAILS);
        assert_eq!(values(&late), ["late", "too late"]);
        con.ok(MAILS.ack_many(&late));
        pass(con, &MAILS, 59 * MINUTE);
        con.ok(MAILS.push("zero").delay(Duration::ZERO));
        let zero = take_one(con, &MAILS);
        assert!(con.ok(MAILS.ack(&zero)));
        pass(con, &MAILS, 2 * MINUTE);
        assert_eq!(values(&take(con, &MAILS)), ["at noon"]);
    });
}

/// The score of the job that is due first, and the microsecond of its push.
fn due_and_pushed(con: &mut Con, queue: &impl RedisKey) -> (u64, u64) {
    let (member, score) = stored(con, queue).remove(0);
    let time = std::str::from_utf8(&member[..14]).expect("the time is hexadecimal");
    let score: u64 = score.parse().expect("the score is a whole number");
    (score / 64 * 1000, u64::from_str_radix(time, 16).expect("the time is hexadecimal"))
}

#[test]
fn no_delay_is_rounded_down() {
    on_every_connection(|con| {
        for ns in [1, 999_999, 1_000_000, 1_000_001, 7_500_000, 3_600_000_000_000] {
            con.ok(MAILS.unlink());
            con.ok(MAILS.push("later").delay(Duration::from_nanos(ns)));
            let (due, pushed) = due_and_pushed(con, &MAILS);
            let delay = due - pushed;
            assert!((ns.div_ceil(1000)..ns.div_ceil(1000) + 3000).contains(&delay), "{ns} ns: {delay} µs");
        }
        // Without one, the job is due in the millisecond of its push.
        con.ok(MAILS.unlink());
        con.ok(MAILS.push("now"));
        let (due, pushed) = due_and_pushed(con, &MAILS);
        assert_eq!(due, pushed / 1000 * 1000);
    });
}

#[test]
fn no_job_is_taken_early_by_the_clock_of_the_server() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::multiplexed(&server.url());
    let queue = Hasty { id: 1 };
    let delays: Vec<_> = (0..200).map(|n| n * 7 % 200).collect();
    let push = |delay: &u64| queue.push(delay).delay(Duration::from_millis(*delay));
    let pushed = con.batch(delays.iter().map(push).collect::<Vec<_>>()).expect("they succeed");
    let mut taken = HashSet::new();
    wait_until("all jobs are taken", || {
        for job in con.ok(queue.take(100)).jobs {
            let (seconds, micros): (u64, u64) = con.raw(&["TIME"]);
            let now = SystemTime::UNIX_EPOCH + Duration::from_micros(seconds * 1_000_000 + micros);
            let delay = job.value.as_ref().expect("it decodes");
            let waited = now.duration_since(job.id().pushed_at()).expect("it was pushed before");
            assert!(waited >= Duration::from_millis(*delay), "{waited:?} for {delay} ms");
            assert!(con.ok(queue.ack(&job)));
            taken.insert(job.id());
        }
        taken.len() == pushed.len()
    });
}

#[test]
fn up_to_a_hundred_jobs_are_taken_at_once() {
    everywhere(|con| {
        assert_eq!(con.ok(MAILS.push_many(vec!["a"; 250])).len(), 250);
        let error = con.refused(MAILS.take(101));
        assert!(error.to_string().contains("limit of 100 elements"), "{error}");
        let none = con.ok(MAILS.take(0));
        assert!(none.jobs.is_empty());
        assert_counts(con, &MAILS, [250, 0, 0]);
        for (left, next) in [(150, Some(Duration::ZERO)), (50, Some(Duration::ZERO))] {
            let taken = con.ok(MAILS.take(100));
            assert_eq!((taken.jobs.len(), taken.next_due, taken.died), (100, next, 0));
            assert_counts(con, &MAILS, [left, 250 - left, 0]);
        }
        assert_eq!(con.ok(MAILS.take(20)).jobs.len(), 20);
        assert_eq!(con.ok(MAILS.take(100)).jobs.len(), 30);
        assert_eq!(con.ok(MAILS.take(1)).jobs.len(), 0);
    });
}

#[test]
fn taking_says_when_the_next_job_is_due() {
    let about = |next: Option<Duration>, expected: Duration| {
        let next = next.expect("a job will be due");
        assert!(next <= expected + Duration::from_millis(2) && next + MINUTE > expected, "{next:?}");
    };
    everywhere(|con| {
        assert_eq!(con.ok(MAILS.take(1)).next_due, None, "an empty queue");
        con.ok(MAILS.push("later").delay(30 * MINUTE));
        about(con.ok(MAILS.take(1)).next_due, 30 * MINUTE);
        con.ok(MAILS.push("now"));
        let taken = con.ok(MAILS.take(10));
        about(taken.next_due, 30 * MINUTE);
        pass(con, &MAILS, 31 * MINUTE);
        // The lease of the first one.
        let last = con.ok(MAILS.take(10));
        about(last.next_due, 29 * MINUTE);
        assert!(con.ok(MAILS.ack(&taken.jobs[0])));
        about(con.ok(MAILS.take(10)).next_due, HOUR);
        assert!(con.ok(MAILS.bury(&last.jobs[0])));
        assert_eq!(con.ok(MAILS.take(10)).next_due, None, "dead jobs only");
    });
}

#[test]
fn a_batch_pushes_takes_and_acknowledges() {
    everywhere(|con| {
        let other = Mails { tenant: 8 };
        let (first, many, taken) =
            con.batch((MAILS.push("a"), MAILS.push_many(["b", "c"]), MAILS.take(2))).expect("the batch succeeds");
        assert_eq!(taken.jobs.iter().map(Job::id).collect::<Vec<_>>(), [first, many[0]]);
        let jobs: [_; 2] = taken.jobs.try_into().expect("two jobs were taken");
        let commands = (MAILS.ack(&jobs[0]), MAILS.retry(&jobs[1], HOUR), other.push("d"), MAILS.counts());
        let (acked, retried, _, counts) = con.batch(commands).expect("the batch succeeds");
        assert_eq!((acked, retried), (true, RetryOutcome::Later));
        assert_eq!((counts.due, counts.later, counts.dead), (1, 1, 0));
        assert_eq!(values(&take(con, &other)), ["d"]);
    });
}

#[test]
fn nothing_is_pushed_without_jobs() {
    on_every_connection(|con| {
        assert_eq!(con.ok(MAILS.push_many([""; 0])), Vec::<JobId>::new());
        assert_eq!(con.ok(MAILS.push_many([""; 0]).delay(HOUR)), Vec::<JobId>::new());
        assert!(!con.ok(MAILS.exists()));
        let error = con.refused(MAILS.push_many(vec!["a"; 501]));
        assert!(error.to_string().contains("limit of 500 elements"), "{error}");
    });
}

/// A clock that is set back: what was pushed before is due later than what is pushed now, and nothing is lost.
#[test]
fn jobs_of_the_future_wait_for_it() {
    on_every_connection(|con| {
        con.ok(MAILS.push("yesterday's"));
        let yesterday = take_one(con, &MAILS);
        con.ok(MAILS.push("waits"));
        // All scores are a day ahead, as if the clock had been set back by a day.
        let ahead = 64 * 24 * HOUR.as_millis();
        for (member, _) in stored(con, &MAILS) {
            let member = String::from_utf8(member).expect("it is text");
            let _: redis::Value = con.raw(&["ZINCRBY", &text(&MAILS), &ahead.to_string(), &member]);
        }
        con.ok(MAILS.push("today's"));
        let today = take_one(con, &MAILS);
        assert_eq!(values(std::slice::from_ref(&today)), ["today's"]);
        assert!(con.ok(MAILS.ack(&today)));
        // The job taken before is still held; its lease starts again by the new clock.
        assert!(con.ok(MAILS.extend(&yesterday)));
        assert!(con.ok(MAILS.ack(&yesterday)));
        assert!(take(con, &MAILS).is_empty());
        assert!(score(con, &MAILS) > 0);
        pass(con, &MAILS, 24 * HOUR);
        assert_eq!(values(&take(con, &MAILS)), ["waits"]);
    });
}
