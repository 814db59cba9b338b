//! `max_len`, `max_member_bytes`, and delays that exceed the `ttl`.

use std::time::Duration;

use redis_keys::jobs::JobId;
use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{errors, everywhere, on_every_connection};

use super::keys::{HOUR, Hasty, MAILS, MINUTE, Small, assert_counts, pass, stored, take_one, values};

#[test]
fn a_full_queue_rejects_jobs() {
    everywhere(|con| {
        let queue = Small { id: 1 };
        con.ok(queue.push_many([*b"a", *b"b"]));
        let before = stored(con, &queue);
        let error = con.error(queue.push_many([*b"c", *b"d"]));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements, at most 3"), "{error}");
        assert_eq!(stored(con, &queue), before, "all or none of the jobs are pushed");
        con.ok(queue.push(b"c"));
        let errors = errors!(con, run: [queue.push(b"d"), queue.push(b"d").delay(MINUTE), queue.push_many([*b"d"])]);
        errors.assert_kind(ErrorKind::CollectionSize).assert_message("4 elements, at most 3");
        assert_counts(con, &queue, [3, 0, 0]);
    });
}

#[test]
fn jobs_count_towards_max_len_until_they_are_acknowledged() {
    everywhere(|con| {
        let queue = Small { id: 1 };
        con.ok(queue.push_many([*b"a", *b"b", *b"c"]));
        let taken = con.ok(queue.take(2)).jobs;
        assert_eq!(con.error(queue.push(b"d")).kind(), ErrorKind::CollectionSize);
        con.ok(queue.bury(&taken[0]));
        pass(con, &queue, HOUR);
        assert_eq!(con.error(queue.push(b"d")).kind(), ErrorKind::CollectionSize);
        assert_eq!(con.ok(queue.take(2)).died, 1);
        assert_eq!(con.error(queue.push(b"d")).kind(), ErrorKind::CollectionSize, "dead jobs count");
        let dead = con.ok(queue.dead(..10));
        assert_eq!(con.ok(queue.ack_many(&dead)), [true, true]);
        con.ok(queue.push_many([*b"d", *b"e"]));
    });
}

#[test]
fn a_job_has_any_bytes_up_to_a_size() {
    let jobs = [&b""[..], b"\0", b"0123456789", b"\r\n\xFF\xC1", b"+inf"];
    everywhere(|con| {
        let queue = Small { id: 1 };
        for job in jobs {
            con.ok(queue.push(job));
            let taken = con.ok(queue.take(1)).jobs;
            assert_eq!(values(&taken), [job]);
            assert!(con.ok(queue.ack(&taken[0])));
        }
        let error = con.refused(queue.push(b"0123456789a"));
        assert_eq!(error.kind(), ErrorKind::ValueSize, "{error}");
        let error = con.refused(queue.push_many([&b"a"[..], b"0123456789a"]));
        assert_eq!(error.kind(), ErrorKind::ValueSize, "{error}");
        assert!(!con.ok(queue.exists()));
    });
}

#[test]
fn a_job_that_could_expire_before_its_last_try_is_rejected() {
    on_every_connection(|con| {
        // 3 tries of an hour each, and 7 days.
        let most = 165 * HOUR;
        let over = most + Duration::from_nanos(1);
        con.ok(MAILS.push("a").delay(most));
        con.ok(MAILS.unlink());
        con.ok(MAILS.push("a"));
        let job = take_one(con, &MAILS);
        let errors = errors!(con, run: [
            MAILS.push("hidden").delay(over),
            MAILS.push("hidden").delay(Duration::MAX),
            MAILS.push("hidden").at(std::time::SystemTime::now() + 8 * 24 * HOUR),
            MAILS.push_many(["hidden"]).delay(over),
            MAILS.retry(&job, over),
            MAILS.retry(&job, Duration::MAX),
        ]);
        errors.assert_kind(ErrorKind::Argument).assert_sent(&[SendStatus::No]).assert_key("jobs:mail:7:zset");
        errors.assert_message("the delay and all tries exceed the `ttl`");
        con.refused(MAILS.push("a").delay(over));
        con.ok(MAILS.retry(&job, most));
        assert_counts(con, &MAILS, [0, 1, 0]);
        // The last delay counts.
        let id: JobId = con.ok(MAILS.push("b").delay(over).delay(Duration::ZERO));
        assert_eq!(take_one(con, &MAILS).id(), id);
        con.refused(Hasty { id: 1 }.push(&1).delay(HOUR));
    });
}

#[test]
fn counts_follow_the_jobs() {
    everywhere(|con| {
        assert_counts(con, &MAILS, [0, 0, 0]);
        con.ok(MAILS.push_many(["a", "b", "c"]));
        con.ok(MAILS.push("later").delay(5 * HOUR));
        assert_counts(con, &MAILS, [3, 1, 0]);
        let taken = con.ok(MAILS.take(2)).jobs;
        assert_counts(con, &MAILS, [1, 3, 0]);
        con.ok(MAILS.ack(&taken[0]));
        assert_counts(con, &MAILS, [1, 2, 0]);
        con.ok(MAILS.bury(&taken[1]));
        assert_counts(con, &MAILS, [1, 1, 1]);
        pass(con, &MAILS, 6 * HOUR);
        assert_counts(con, &MAILS, [2, 0, 1]);
        let dead = con.ok(MAILS.dead(..1));
        con.ok(MAILS.revive(&dead[0]));
        assert_counts(con, &MAILS, [3, 0, 0]);
    });
}
