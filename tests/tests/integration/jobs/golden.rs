//! Members and scores of queues, which no later version may change: workers of two versions share queues during an
//! update. The scripts get their time from the tests: the beginning of 2026.

use std::time::{Duration, SystemTime};

use redis::Value;
use redis_keys_tests::{Con, everywhere};

use super::keys::{MAILS, assert_counts, stored, take_one, text, zadd};
use redis_keys::prelude::*;

const TIME: &str = "{ '1767225600', '0' }";
const WEEK: &str = "604800000";
const LEASE: &str = "3600000";
const TRIES: &str = "3";

const MEMBER: &str = "06474846204000000000000005abcdefAda";
const REVIVED_MEMBER: &str = "r1:06474846204000000000000005abcdefAda";

const PUSHED: &str = "113102438400000";
const DELAYED: &str = "113102438464064";
const TAKEN: &str = "113102668800065";
const PUT_OFF: &str = "113102438400001.5";
const DEAD: &str = "4616702065770497";

const PUSH: &str = include_str!("../../../../redis-keys-core/src/lua/job_push.lua");
const TAKE: &str = include_str!("../../../../redis-keys/src/lua/job_take.lua");
const RESCHEDULE: &str = include_str!("../../../../redis-keys/src/lua/job_reschedule.lua");

/// Runs a script on the queue at [`TIME`].
fn run(con: &mut Con, script: &str, arguments: &[&str]) {
    let at_time = script.replace("redis.call('TIME')", TIME);
    assert_ne!(at_time, script);
    let _: Value = con.raw(&[&["EVAL", &at_time, "1", &text(&MAILS)], arguments].concat());
}

/// Asserts that the queue has one job.
#[track_caller]
fn assert_stored(con: &mut Con, member: &str, score: &str) {
    assert_eq!(stored(con, &MAILS), [(member.as_bytes().to_vec(), score.to_owned())]);
}

#[test]
fn jobs_are_stored_as_before() {
    everywhere(|con| {
        run(con, PUSH, &[WEEK, "5000", "Ada", "1000", "5", "abcdef"]);
        assert_stored(con, MEMBER, DELAYED);
        con.ok(MAILS.unlink());
        run(con, PUSH, &[WEEK, "5000", "Ada", "0", "5", "abcdef"]);
        assert_stored(con, MEMBER, PUSHED);
        run(con, TAKE, &[WEEK, "1", LEASE, TRIES]);
        assert_stored(con, MEMBER, TAKEN);
        run(con, RESCHEDULE, &[WEEK, TAKEN, MEMBER, "retry", "0", TRIES]);
        assert_stored(con, MEMBER, PUT_OFF);
        run(con, RESCHEDULE, &[WEEK, TAKEN, MEMBER, "bury", "0", TRIES]);
        assert_stored(con, MEMBER, DEAD);
        run(con, RESCHEDULE, &[WEEK, DEAD, MEMBER, "revive", "0", TRIES]);
        assert_stored(con, REVIVED_MEMBER, PUSHED);
    });
}

#[test]
fn jobs_of_earlier_versions_are_taken() {
    everywhere(|con| {
        for (member, score, tries) in [
            (MEMBER, PUSHED, 1),
            (MEMBER, DELAYED, 1),
            (MEMBER, TAKEN, 2),
            (MEMBER, PUT_OFF, 2),
            (REVIVED_MEMBER, PUSHED, 1),
        ] {
            zadd(con, &MAILS, score, member);
            let job = take_one(con, &MAILS);
            assert_eq!((job.id().as_str(), job.tries()), (&MEMBER[..32], tries), "{score}");
            assert_eq!(job.id().pushed_at(), SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600));
            assert_eq!(job.value.as_deref().ok(), Some("Ada"));
            assert!(con.ok(MAILS.ack(&job.receipt)));
        }
        zadd(con, &MAILS, DEAD, MEMBER);
        assert_counts(con, &MAILS, [0, 0, 1]);
        assert_eq!(con.ok(MAILS.dead(..1))[0].tries(), 1);
    });
}
