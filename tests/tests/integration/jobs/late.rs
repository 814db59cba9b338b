//! Commands that arrive late: after others have revived the job, or after its worker has put it off.

use std::time::Duration;

use redis_keys::jobs::{Receipt, RetryOutcome};
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{
    HOUR, MAILS, MINUTE, assert_counts, pass, receipts, score, stored, take, take_one, text, values, zadd,
};

/// A member as a push writes it.
const MEMBER: &str = "06474846204000000000000000000000a";

/// What can be done with a receipt, and whether it was done.
type Use = (&'static str, fn(&mut Con, &Receipt) -> bool);

const USES: [Use; 6] = [
    ("extend", |con, receipt| con.ok(MAILS.extend(receipt))),
    ("retry", |con, receipt| con.ok(MAILS.retry(receipt, Duration::ZERO)) != RetryOutcome::Lost),
    ("bury", |con, receipt| con.ok(MAILS.bury(receipt))),
    ("ack", |con, receipt| con.ok(MAILS.ack(receipt))),
    ("ack_many", |con, receipt| con.ok(MAILS.ack_many([receipt])) == [true]),
    ("revive", |con, receipt| con.ok(MAILS.revive(receipt))),
];

/// Asserts that nothing can be done with a job by this receipt.
#[track_caller]
fn assert_refused(con: &mut Con, receipt: &Receipt) {
    let before = stored(con, &MAILS);
    for (name, run) in USES {
        assert!(!run(con, receipt), "{name}");
    }
    assert_eq!(stored(con, &MAILS), before);
}

/// Buries the only job that is due, and revives it. Returns the receipts of both.
fn bury_and_revive(con: &mut Con) -> [Receipt; 2] {
    let job = take_one(con, &MAILS).receipt;
    assert!(con.ok(MAILS.bury(&job)));
    let dead = con.ok(MAILS.dead(..1)).remove(0).receipt;
    assert!(con.ok(MAILS.revive(&dead)));
    [job, dead]
}

#[test]
fn the_receipt_of_a_worker_that_lost_its_job_does_not_fit_after_a_revival() {
    everywhere(|con| {
        let mut fitting = Vec::new();
        for (name, run) in USES {
            con.ok(MAILS.unlink());
            con.ok(MAILS.push("a"));
            let stopped = take_one(con, &MAILS).receipt;
            pass(con, &MAILS, 2 * HOUR);
            bury_and_revive(con);
            let current = take_one(con, &MAILS);
            assert_eq!((current.tries(), current.id()), (stopped.tries(), stopped.id()));
            let before = stored(con, &MAILS);
            if run(con, &stopped) || stored(con, &MAILS) != before {
                fitting.push(name);
            } else {
                assert!(con.ok(MAILS.extend(&current)) && con.ok(MAILS.ack(&current)));
            }
        }
        assert_eq!(fitting, [""; 0]);
    });
}

/// As many as the number of tries has values, and more.
#[test]
fn no_receipt_fits_after_any_number_of_revivals() {
    on_every_connection(|con| {
        con.ok(MAILS.push("a"));
        let old: Vec<_> = (0..70).flat_map(|_| bury_and_revive(con)).collect();
        let current = take_one(con, &MAILS);
        for receipt in &old {
            assert_eq!(receipt.id(), current.id());
            assert_refused(con, receipt);
        }
        assert!(con.ok(MAILS.bury(&current)));
        for receipt in &old {
            assert_refused(con, receipt);
        }
        assert_counts(con, &MAILS, [0, 0, 1]);
    });
}

#[test]
fn jobs_of_earlier_versions_can_be_read() {
    everywhere(|con| {
        for member in [MEMBER, "r1:06474846204000000000000000000000a"] {
            con.ok(MAILS.unlink());
            // It has been taken once, and is due since 2026; or it is dead.
            zadd(con, &MAILS, "113102442240001", member);
            let job = take_one(con, &MAILS);
            assert_eq!((job.id().as_str(), job.tries()), (&MEMBER[..32], 2));
            assert!(con.ok(MAILS.ack(&job)));
            zadd(con, &MAILS, "4616702065770497", member);
            let dead = con.ok(MAILS.dead(..1));
            assert_eq!(
                (dead[0].id().as_str(), dead[0].tries(), values(&dead)),
                (&MEMBER[..32], 1, vec!["a".to_owned()])
            );
            assert!(con.ok(MAILS.revive(&dead[0])));
            assert_refused(con, &dead[0].receipt);
            let job = take_one(con, &MAILS);
            assert_eq!((job.id().as_str(), job.tries(), job.value.as_deref().ok()), (&MEMBER[..32], 1, Some("a")));
        }
        assert_eq!(stored(con, &MAILS)[0].0, b"r2:06474846204000000000000000000000a");
    });
}

#[test]
fn an_extension_that_arrives_after_a_retry_does_not_move_the_job() {
    everywhere(|con| {
        // Before and after the lease, which is an hour, would end.
        for wait in [Duration::ZERO, 15 * MINUTE, 5 * HOUR] {
            con.ok(MAILS.unlink());
            con.ok(MAILS.push("a"));
            let job = take_one(con, &MAILS);
            assert_eq!(con.ok(MAILS.retry(&job, wait)), RetryOutcome::Later);
            let before = stored(con, &MAILS);
            assert!(!con.ok(MAILS.extend(&job)));
            assert_eq!(stored(con, &MAILS), before, "{wait:?}");
            // A retry whose reply was lost is repeated, though.
            assert_eq!(con.ok(MAILS.retry(&job, wait)), RetryOutcome::Later);
            assert!(!con.ok(MAILS.extend(&job)));
            pass(con, &MAILS, wait + MINUTE);
            let again = take_one(con, &MAILS);
            assert_eq!(again.tries(), 2);
            assert!(!con.ok(MAILS.extend(&job)) && con.ok(MAILS.extend(&again)));
        }
    });
}

/// The clock of the server was set back, or an earlier version of the program has declared a longer lease.
#[test]
fn an_extension_never_makes_a_job_due_sooner() {
    on_every_connection(|con| {
        con.ok(MAILS.push("a"));
        let job = take_one(con, &MAILS);
        let (member, _) = stored(con, &MAILS).remove(0);
        let member = String::from_utf8(member).expect("the payload is text");
        let later = (64 * 7_200_000).to_string();
        let _: String = con.raw(&["ZINCRBY", &text(&MAILS), &later, &member]);
        let before = score(con, &MAILS);
        assert!(con.ok(MAILS.extend(&job)));
        assert_eq!(score(con, &MAILS), before);
        pass(con, &MAILS, 2 * HOUR);
        assert!(take(con, &MAILS).is_empty());
        pass(con, &MAILS, 2 * HOUR);
        assert_eq!(receipts(take(con, &MAILS)).len(), 1);
    });
}
