//! Values that have expired, and are kept in case their loader fails.

use std::time::Duration;

use redis_keys::cache::Claim;
use redis_keys::command::TimeLeft;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, wait_until};

use super::keys::{Bytes as _, FAR, Kept, MINUTE, MY_LEASE, PASSED, kept, mine, refreshed, theirs};

const KEPT: Kept = Kept { id: 1 };

/// The time that the key has left when its value expires.
const EXPIRED_AT: u32 = 1_800_000;

fn write(con: &mut Con, content: &[u8], left: i64) {
    KEPT.write(con, content);
    let _: bool = con.raw(&["PEXPIRE", &KEPT.text(), &left.to_string()]);
}

fn found(value: &str) -> Claim<String> {
    Claim::Found(value.to_owned())
}

/// A content that the caller loads, without its deadline.
fn is_claimed(con: &mut Con, by: &[u8], rest: &[u8]) -> bool {
    let content = KEPT.bytes(con).unwrap_or_default();
    content.starts_with(&[b"\xC1r", by].concat()) && content.get(31..) == Some(rest)
}

#[test]
fn a_key_expires_later_than_its_value() {
    everywhere(|con| {
        con.ok(KEPT.set("Ada"));
        KEPT.assert_bytes(con, &kept(EXPIRED_AT, "Ada"));
        assert!((90 * MINUTE - 5_000..=100 * MINUTE).contains(&con.pttl(&KEPT.text())));
        let left = con.ok(KEPT.ttl());
        assert!(matches!(left, TimeLeft::Left(left) if left > Duration::from_mins(59)), "{left:?}");
        con.ok(KEPT.unlink());
        assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Mine);
        assert!(con.ok(KEPT.fill(&mine(), Some("Ada"))));
        KEPT.assert_bytes(con, &kept(EXPIRED_AT, "Ada"));
        assert!((90 * MINUTE - 5_000..=100 * MINUTE).contains(&con.pttl(&KEPT.text())));
        assert!(con.ok(KEPT.expire_in(Duration::from_secs(60))));
        con.assert_left(&KEPT.text(), 31 * MINUTE);
        assert_eq!(con.ok(KEPT.get()).as_deref(), Some("Ada"));
    });
}

#[test]
fn a_value_expires_by_the_clock_of_the_server() {
    everywhere(|con| {
        for content in [kept(EXPIRED_AT, "Ada"), refreshed(FAR, &kept(EXPIRED_AT, "Ada"))] {
            write(con, &content, i64::from(EXPIRED_AT) + 300);
            let mut was_read = false;
            loop {
                let before = con.pttl(&KEPT.text());
                let (value, exists) = (con.ok(KEPT.get()), con.ok(KEPT.exists()));
                let many = con.ok(Kept::get_many([KEPT]));
                let after = con.pttl(&KEPT.text());
                let is_fresh = after > i64::from(EXPIRED_AT);
                was_read |= value.is_some();
                // `exists` is asked later than `get`, and `get_many` later than both.
                assert!(value.is_some() || !exists, "{before} {after}");
                assert!(exists || many == [None], "{before} {after}");
                if is_fresh {
                    assert_eq!((value.as_deref(), many[0].as_deref()), (Some("Ada"), Some("Ada")));
                }
                if before <= i64::from(EXPIRED_AT) {
                    assert_eq!((value, many, exists), (None, vec![None], false));
                    break;
                }
            }
            assert!(was_read);
            let left = con.ok(KEPT.ttl());
            assert!(matches!(left, TimeLeft::Stale(left) if left > Duration::from_mins(29)), "{left:?}");
            assert!(!con.ok(KEPT.expire()), "it has expired");
            assert!(!con.ok(KEPT.claim_refresh(&mine())));
            assert!(con.ok(KEPT.unlink()), "the key is there");
        }
    });
}

#[test]
fn a_claim_of_an_expired_value_keeps_it() {
    everywhere(|con| {
        write(con, &kept(EXPIRED_AT, "Ada"), 20 * MINUTE);
        assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Mine);
        assert!(is_claimed(con, b"mine567890abcdef", &kept(EXPIRED_AT, "Ada")));
        con.assert_left(&KEPT.text(), 20 * MINUTE);
        assert_eq!(con.ok(KEPT.claim(&theirs())), Claim::Theirs(mine()));
        assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Mine, "it is repeated");
        assert_eq!(con.ok(KEPT.get()), None);
        assert!(!con.ok(KEPT.fill(&theirs(), Some("Eve"))));
        assert!(con.ok(KEPT.fill(&mine(), Some("Bob"))));
        KEPT.assert_bytes(con, &kept(EXPIRED_AT, "Bob"));
        assert_eq!(con.ok(KEPT.claim(&theirs())), found("Bob"));
        // A claim whose lease has ended.
        write(con, &refreshed(PASSED, &kept(EXPIRED_AT, "Ada")), 20 * MINUTE);
        assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Mine);
        assert!(!con.ok(KEPT.fill(&theirs(), Some("Eve"))));
    });
}

#[test]
fn a_value_that_has_not_expired_is_found() {
    everywhere(|con| {
        for content in [kept(EXPIRED_AT, "Ada"), kept(9, "Ada"), refreshed(FAR, &kept(EXPIRED_AT, "Ada"))] {
            write(con, &content, 40 * MINUTE);
            assert_eq!(con.ok(KEPT.claim(&mine())), found("Ada"));
            assert_eq!(con.ok(KEPT.get()).as_deref(), Some("Ada"));
            KEPT.assert_bytes(con, &content);
        }
        let _: bool = con.raw(&["PERSIST", &KEPT.text()]);
        assert_eq!(con.ok(KEPT.claim(&mine())), found("Ada"), "another program has removed the expiry");
        assert_eq!(con.ok(KEPT.ttl()), TimeLeft::Never);
        con.ok(KEPT.unlink());
    });
}

#[test]
fn an_expired_value_is_not_kept_longer_than_its_key_for_a_claim() {
    everywhere(|con| {
        write(con, &kept(EXPIRED_AT, "Ada"), 9_000);
        assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Mine);
        KEPT.assert_bytes(con, MY_LEASE);
        con.assert_left(&KEPT.text(), 10_000);
        assert_eq!(con.ok(KEPT.fail(&mine())), None);
        KEPT.assert_bytes(con, MY_LEASE);
    });
}

#[test]
fn after_a_failed_load_all_get_the_expired_value_until_one_tries_again() {
    everywhere(|con| {
        write(con, &kept(EXPIRED_AT, "Ada"), 20 * MINUTE);
        con.ok(KEPT.claim(&mine()));
        assert_eq!(con.ok(KEPT.fail(&mine())).as_deref(), Some("Ada"));
        con.assert_left(&KEPT.text(), 20 * MINUTE);
        for _ in 0..3 {
            assert_eq!(con.ok(KEPT.claim(&theirs())), Claim::Stale("Ada".to_owned()));
            assert_eq!(con.ok(KEPT.get()), None);
        }
        // When the lease has passed.
        write(con, &kept(1_100_000, "Ada"), 1_100_000);
        assert_eq!(con.ok(KEPT.claim(&theirs())), Claim::Mine);
        assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Stale("Ada".to_owned()), "one tries again");
        assert!(con.ok(KEPT.fill(&theirs(), Some("Bob"))));
        assert_eq!(con.ok(KEPT.claim(&mine())), found("Bob"));
    });
}

#[test]
fn a_failed_load_finds_what_is_there() {
    everywhere(|con| {
        // Without the lease, it notes nothing.
        for content in [kept(EXPIRED_AT, "Ada"), refreshed(FAR, &kept(EXPIRED_AT, "Ada"))] {
            write(con, &content, 20 * MINUTE);
            assert_eq!(con.ok(KEPT.fail(&mine())).as_deref(), Some("Ada"));
            KEPT.assert_bytes(con, &content);
        }
        write(con, &kept(EXPIRED_AT, "Bob"), 40 * MINUTE);
        assert_eq!(con.ok(KEPT.fail(&mine())).as_deref(), Some("Bob"), "another caller has stored it");
        for nothing in [b"\xC1n", &b"old"[..], MY_LEASE, b"\xC1x"] {
            write(con, nothing, 20 * MINUTE);
            assert_eq!(con.ok(KEPT.fail(&mine())), None);
            KEPT.assert_bytes(con, nothing);
        }
        con.ok(KEPT.unlink());
        assert_eq!(con.ok(KEPT.fail(&mine())), None);
        assert!(!con.ok(KEPT.exists()));
    });
}

#[test]
fn a_value_whose_expiry_starts_again_has_not_failed() {
    everywhere(|con| {
        for content in [kept(1, "Ada"), refreshed(PASSED, &kept(1, "Ada"))] {
            write(con, &content, 40 * MINUTE);
            assert!(con.ok(KEPT.expire()));
            let _: bool = con.raw(&["PEXPIRE", &KEPT.text(), &(20 * MINUTE).to_string()]);
            assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Mine);
            con.ok(KEPT.unlink());
        }
    });
}

/// Those who ask when the value expires need not wait for the end of the refresh's lease.
#[test]
fn a_refresh_that_fails_shortly_before_the_end_counts_as_a_failed_load() {
    everywhere(|con| {
        con.ok(KEPT.set("Ada"));
        let _: bool = con.raw(&["PEXPIRE", &KEPT.text(), "1805000"]);
        assert!(con.ok(KEPT.claim_refresh(&mine())));
        assert_eq!(con.ok(KEPT.fail(&mine())).as_deref(), Some("Ada"));
        assert_eq!(con.ok(KEPT.get()).as_deref(), Some("Ada"), "it has not expired");
        assert!(!con.ok(KEPT.claim_refresh(&theirs())));
        let _: bool = con.raw(&["PEXPIRE", &KEPT.text(), "1799000"]);
        assert_eq!(con.ok(KEPT.claim(&theirs())), Claim::Stale("Ada".to_owned()));
        // Long before the end it does not.
        con.ok(KEPT.set("Ada"));
        let _: bool = con.raw(&["PEXPIRE", &KEPT.text(), "1900000"]);
        assert!(con.ok(KEPT.claim_refresh(&mine())));
        assert_eq!(con.ok(KEPT.fail(&mine())).as_deref(), Some("Ada"));
        assert!(is_claimed(con, b"mine567890abcdef", &kept(EXPIRED_AT, "Ada")));
    });
}

#[test]
fn a_refresh_is_claimed_by_the_time_until_the_value_expires() {
    everywhere(|con| {
        for (minutes_left, is_due) in [(43, false), (41, true), (31, true), (29, false)] {
            write(con, &kept(EXPIRED_AT, "Ada"), minutes_left * MINUTE);
            assert_eq!(con.ok(KEPT.claim_refresh(&mine())), is_due, "{minutes_left}");
            assert_eq!(is_claimed(con, b"mine567890abcdef", &kept(EXPIRED_AT, "Ada")), is_due);
        }
    });
}

#[test]
fn a_claim_of_an_expired_value_can_be_given_up() {
    everywhere(|con| {
        for has_arrived_before in [true, false] {
            write(con, &kept(EXPIRED_AT, "Ada"), 20 * MINUTE);
            if has_arrived_before {
                con.ok(KEPT.claim(&mine()));
            }
            assert_eq!(con.ok(KEPT.abandon(&mine())), has_arrived_before);
            assert_eq!(con.ok(KEPT.claim(&mine())), Claim::Theirs(mine()), "it arrives late");
            con.assert_left(&KEPT.text(), 20 * MINUTE);
            assert_eq!(con.ok(KEPT.claim(&theirs())), Claim::Mine);
            assert!(!con.ok(KEPT.abandon(&mine())));
            assert!(is_claimed(con, b"theirs7890abcdef", &kept(EXPIRED_AT, "Ada")));
            assert_eq!(con.ok(KEPT.fail(&theirs())).as_deref(), Some("Ada"));
        }
        // The claim of a refresh stays until the value expires.
        let content = refreshed(FAR, &kept(EXPIRED_AT, "Ada"));
        write(con, &content, 40 * MINUTE);
        assert!(!con.ok(KEPT.abandon(&mine())));
        KEPT.assert_bytes(con, &content);
        write(con, &content, i64::from(EXPIRED_AT) + 2_000);
        assert!(!con.ok(KEPT.abandon(&theirs())));
        assert!(!con.ok(KEPT.claim_refresh(&mine())));
        assert_eq!(con.ok(KEPT.claim(&mine())), found("Ada"));
        while con.ok(KEPT.get()).is_some() {}
        // A server reads its clock twice, and may have been interrupted between: then the refresh ends a moment later.
        wait_until("the value is claimed", || con.ok(KEPT.claim(&mine())) == Claim::Mine);
    });
}

#[test]
fn a_full_server_still_returns_the_expired_value() {
    redis_keys_tests::on_every_connection(|con| {
        write(con, &kept(EXPIRED_AT, "Ada"), 20 * MINUTE);
        con.ok(KEPT.claim(&mine()));
        con.without_memory(|con| assert_eq!(con.ok(KEPT.fail(&mine())).as_deref(), Some("Ada")));
    });
}
