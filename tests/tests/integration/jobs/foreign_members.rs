//! Queues into which other programs have written, and keys of other types.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{errors, everywhere, on_every_connection};

use super::keys::{HOUR, NUMBERS, assert_counts, pass, stored, text, values, zadd};

/// A member as a push writes it.
fn member(payload: &str) -> String {
    format!("00064a2b3c4d5e00000000002aabcdef{payload}")
}

#[test]
fn a_job_that_does_not_decode_is_taken_beside_the_others() {
    everywhere(|con| {
        con.ok(NUMBERS.push(&1));
        zadd(con, &NUMBERS, "0", &member("secret"));
        zadd(con, &NUMBERS, "0", "short");
        zadd(con, &NUMBERS, "0", "");
        con.ok(NUMBERS.push(&2));
        let taken = con.ok(NUMBERS.take(10)).jobs;
        assert_eq!(taken.len(), 5);
        let (wrong, right): (Vec<_>, Vec<_>) = taken.into_iter().partition(|job| job.value.is_err());
        assert_eq!(values(&right), [1, 2]);
        for job in &wrong {
            let Err(error) = &job.value else { continue };
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Decode, SendStatus::Yes), "{error}");
            assert_eq!(error.key(), Some(&*text(&NUMBERS)));
            assert!(!format!("{error}{error:?}{job:?}").contains("secret"), "{error:?}");
        }
        // They are tried again as all jobs are, and can be buried and removed.
        assert!(con.ok(NUMBERS.bury(&wrong[0])));
        assert!(con.ok(NUMBERS.ack(&wrong[1])));
        let dead = con.ok(NUMBERS.dead(..10));
        assert_eq!(dead.len(), 1);
        assert!(dead[0].value.is_err());
        assert!(con.ok(NUMBERS.ack(&dead[0])));
        pass(con, &NUMBERS, 2 * HOUR);
        assert_eq!(con.ok(NUMBERS.take(10)).jobs.len(), 3);
    });
}

/// Scores that no push writes, and whether the job is due or dead.
const SCORES: [(&str, [u64; 3]); 15] = [
    ("-inf", [1, 0, 0]),
    ("-1e300", [1, 0, 0]),
    ("-64.5", [1, 0, 0]),
    ("-1", [1, 0, 0]),
    ("-0.0", [1, 0, 0]),
    ("0.5", [1, 0, 0]),
    ("1", [1, 0, 0]),
    ("63.9", [1, 0, 0]),
    ("1700000000", [1, 0, 0]),
    ("4503599627370495", [0, 1, 0]),
    ("4503599627370495.5", [0, 1, 0]),
    ("4503599627370496", [0, 0, 1]),
    ("9007199254740993", [0, 0, 1]),
    ("1e300", [0, 0, 1]),
    ("+inf", [0, 0, 1]),
];

#[test]
fn no_score_blocks_a_queue() {
    everywhere(|con| {
        for (score, counts) in SCORES {
            println!("{score}");
            con.ok(NUMBERS.unlink());
            zadd(con, &NUMBERS, score, &member("1"));
            assert_counts(con, &NUMBERS, counts);
            let taken = con.ok(NUMBERS.take(10));
            let [due, later, dead] = counts;
            assert_eq!(taken.jobs.len() as u64 + taken.died, due);
            assert_eq!(taken.next_due.is_some(), !taken.jobs.is_empty() || later > 0);
            assert!(taken.jobs.iter().all(|job| (1..=3).contains(&job.tries())), "{:?}", taken.jobs);
            // A job that died was, by its score, taken far too often.
            assert_counts(con, &NUMBERS, [0, taken.jobs.len() as u64 + later, dead + taken.died]);
            for job in &taken.jobs {
                assert!(con.ok(NUMBERS.extend(job)));
                assert!(con.ok(NUMBERS.ack(job)));
            }
            for job in con.ok(NUMBERS.dead(..10)) {
                assert!(con.ok(NUMBERS.revive(&job)));
                assert_counts(con, &NUMBERS, [1, 0, 0]);
                let job = con.ok(NUMBERS.take(1)).jobs.remove(0);
                assert_eq!((values(std::slice::from_ref(&job)), job.tries()), (vec![1], 1));
                assert!(con.ok(NUMBERS.bury(&job)));
                let dead = con.ok(NUMBERS.dead(..10));
                assert!(con.ok(NUMBERS.ack(&dead[0])));
            }
            // One that is due later than any job stays where it is, and other jobs pass it.
            con.ok(NUMBERS.push(&2));
            assert_eq!(values(&con.ok(NUMBERS.take(10)).jobs), [2]);
        }
    });
}

#[test]
fn a_dead_job_with_any_score_can_be_removed() {
    on_every_connection(|con| {
        for score in ["4503599627370496", "9007199254740993", "1e300", "+inf"] {
            zadd(con, &NUMBERS, score, &member("1"));
            let dead = con.ok(NUMBERS.dead(..10));
            assert!(con.ok(NUMBERS.ack(&dead[0])), "{score}");
        }
        assert!(!con.ok(NUMBERS.exists()));
    });
}

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    everywhere(|con| {
        con.ok(NUMBERS.push_many([1, 2]));
        let jobs = con.ok(NUMBERS.take(2)).jobs;
        con.ok(NUMBERS.bury(&jobs[1]));
        let dead = con.ok(NUMBERS.dead(..1)).remove(0);
        con.ok(NUMBERS.unlink());
        let _: u64 = con.raw(&["LPUSH", &text(&NUMBERS), "hidden"]);
        let _: bool = con.raw(&["EXPIRE", &text(&NUMBERS), "60"]);
        let errors = errors!(con, run: [
            NUMBERS.push(&1),
            NUMBERS.push(&1).delay(HOUR),
            NUMBERS.push_many([1, 2]),
            NUMBERS.take(10),
            NUMBERS.ack(&jobs[0]),
            NUMBERS.ack_many(&jobs),
            NUMBERS.retry(&jobs[0], Duration::ZERO),
            NUMBERS.extend(&jobs[0]),
            NUMBERS.bury(&jobs[0]),
            NUMBERS.revive(&dead),
            NUMBERS.dead(0..10),
            NUMBERS.counts(),
        ]);
        errors.assert_kind(ErrorKind::WrongType).assert_sent(&[SendStatus::Yes]).assert_key(&text(&NUMBERS));
        errors.assert_message("holds a list, but a zset is declared");
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", &text(&NUMBERS), "0", "9"]), ["hidden"]);
        con.assert_left(&text(&NUMBERS), 60_000);
    });
}

/// The texts of scores are the same on all servers, whatever their versions: later versions of the library compare
/// them.
#[test]
fn a_score_has_sixteen_digits_at_most() {
    on_every_connection(|con| {
        con.ok(NUMBERS.push_many([1, 2, 3]));
        con.ok(NUMBERS.push(&4).delay(HOUR));
        let jobs = con.ok(NUMBERS.take(2)).jobs;
        con.ok(NUMBERS.bury(&jobs[0]));
        let texts: Vec<_> = stored(con, &NUMBERS).into_iter().map(|(_, score)| score).collect();
        let digits = |text: &String| text.bytes().all(|digit| digit.is_ascii_digit());
        assert!(texts.iter().all(digits), "{texts:?}");
        assert_eq!(texts.iter().map(String::len).collect::<Vec<_>>(), [15, 15, 15, 16], "{texts:?}");
    });
}
