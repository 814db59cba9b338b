//! `fill`, and what makes it write nothing.

use redis_keys::cache::Claim;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection, wait_until};

use super::keys::{
    ABSENT, Blob, Brief, Bytes as _, CORRUPT, FAR, MINE_GIVEN_UP, MINUTE, MY_LEASE, NAME, PASSED, THEIR_LEASE, mine,
    refreshed, theirs,
};

#[test]
fn a_fill_stores_the_value_with_its_expiry() {
    everywhere(|con| {
        con.ok(NAME.claim(&mine()));
        assert!(con.ok(NAME.fill(&mine(), Some("Ada"))));
        NAME.assert_bytes(con, b"Ada");
        assert!((60 * MINUTE - 5_000..=70 * MINUTE).contains(&con.pttl(&NAME.text())));
        assert_eq!(con.ok(NAME.get()), Some("Ada".to_owned()));
        assert_eq!(con.ok(NAME.claim(&theirs())), Claim::Found("Ada".to_owned()));
        assert!(!con.ok(NAME.fill(&mine(), Some("Bob"))), "the token is gone");
        NAME.assert_bytes(con, b"Ada");
    });
}

#[test]
fn a_fill_without_a_value_stores_that_there_is_none() {
    everywhere(|con| {
        con.ok(NAME.claim(&mine()));
        assert!(con.ok(NAME.fill(&mine(), None)));
        NAME.assert_bytes(con, ABSENT);
        // The jitter in proportion is 50 seconds.
        assert!((5 * MINUTE - 5_000..=5 * MINUTE + 50_000).contains(&con.pttl(&NAME.text())));
        assert_eq!(con.ok(NAME.get()), None);
        assert_eq!(con.ok(NAME.claim(&theirs())), Claim::Absent);
    });
}

#[test]
fn a_value_that_looks_like_a_marker_is_a_value() {
    let blob = Blob { id: 1 };
    everywhere(|con| {
        for value in [ABSENT, MY_LEASE, b"\xC1v", b"\xC1", &refreshed(FAR, ABSENT)] {
            con.ok(blob.unlink());
            con.ok(blob.claim(&mine()));
            assert!(con.ok(blob.fill(&mine(), Some(value))));
            blob.assert_bytes(con, &[b"\xC1v", value].concat());
            assert_eq!(con.ok(blob.claim(&theirs())), Claim::Found(value.to_vec()));
            assert!(con.ok(blob.exists()));
            con.ok(blob.set(value));
            assert_eq!(con.ok(blob.get()), Some(value.to_vec()));
        }
    });
}

/// Asserts that a fill with a token stores neither a value nor that there is none, and leaves the key as it is.
#[track_caller]
fn assert_too_late(con: &mut Con) {
    let (before, left) = (NAME.bytes(con), con.pttl(&NAME.text()));
    assert!(!con.ok(NAME.fill(&mine(), Some("old"))));
    assert!(!con.ok(NAME.fill(&mine(), None)));
    assert_eq!(NAME.bytes(con), before);
    assert!((left - 5_000..=left).contains(&con.pttl(&NAME.text())));
}

#[test]
fn whatever_replaces_or_removes_the_token_beats_a_load_that_began_before() {
    everywhere(|con| {
        assert_too_late(con);
        let invalidations: [fn(&mut Con); 7] = [
            |con| con.ok(NAME.set("new")),
            |con| assert!(con.ok(NAME.unlink())),
            |con| assert!(con.raw::<bool>(&["DEL", &NAME.text()])),
            |con| assert!(con.raw::<bool>(&["PEXPIRE", &NAME.text(), "-1"])),
            |con| con.raw(&["FLUSHALL"]),
            |con| {
                con.purge(&NAME).expect("it succeeds");
            },
            |con| {
                con.ok(NAME.unlink());
                con.ok(NAME.claim(&theirs()));
            },
        ];
        for invalidate in invalidations {
            // A load, and a refresh.
            for content in [MY_LEASE.to_vec(), [&b"\xC1rmine567890abcdef9999999999999"[..], b"old"].concat()] {
                NAME.write(con, &content);
                invalidate(con);
                assert_too_late(con);
            }
        }
    });
}

#[test]
fn only_a_marker_with_the_token_is_filled() {
    let contents = [
        b"mine567890abcdef".to_vec(),
        b"\xC1vmine567890abcdef".to_vec(),
        b"\xC1l".to_vec(),
        MY_LEASE[..17].to_vec(),
        ABSENT.to_vec(),
        THEIR_LEASE.to_vec(),
        refreshed(FAR, MY_LEASE),
        refreshed(PASSED, b"Ada"),
        MINE_GIVEN_UP.to_vec(),
    ];
    on_every_connection(|con| {
        for content in contents.iter().map(Vec::as_slice).chain(CORRUPT) {
            NAME.write(con, content);
            assert_too_late(con);
        }
    });
}

#[test]
fn a_load_that_ends_after_its_lease_is_not_stored() {
    on_every_connection(|con| {
        let brief = Brief { id: 1 };
        con.ok(brief.claim(&mine()));
        wait_until("the lease is over", || con.pttl(&brief.text()) == -2);
        assert!(!con.ok(brief.fill(&mine(), Some("old"))));
        assert_eq!(brief.bytes(con), None);
    });
}

#[test]
fn a_fill_that_does_not_fit_keeps_the_lease() {
    on_every_connection(|con| {
        con.ok(NAME.claim(&mine()));
        con.refused(NAME.fill(&mine(), Some(&"x".repeat(10_241))));
        NAME.assert_bytes(con, MY_LEASE);
        con.without_memory(|con| con.error(NAME.fill(&mine(), Some("Ada"))));
        NAME.assert_bytes(con, MY_LEASE);
        con.without_memory(|con| assert!(con.ok(NAME.abandon(&mine()))));
    });
}

/// A value with an expiry of its own is not refreshed before a time that the script stores with it.
#[test]
fn a_fill_can_put_off_the_refresh() {
    let script = include_str!("../../../../../redis-keys/src/lua/fill.lua");
    on_every_connection(|con| {
        con.ok(NAME.claim(&mine()));
        let arguments = |wait| ["EVAL", script, "1", "marked:name:1:string", "mine567890abcdef", "Ada", "60000", wait];
        assert!(con.raw::<bool>(&arguments("50000")));
        assert_eq!(con.ok(NAME.get()), Some("Ada".to_owned()));
        con.assert_left(&NAME.text(), MINUTE);
        assert!(!con.ok(NAME.claim_refresh(&theirs())));
        let content = NAME.bytes(con).unwrap_or_default();
        assert!(content.starts_with(b"\xC1rmine567890abcdef1") && content.ends_with(b"Ada"));
        assert_eq!(content.len(), 2 + 16 + 13 + 3);
        assert!(con.raw::<bool>(&arguments("0")));
        assert!(con.ok(NAME.claim_refresh(&theirs())));
    });
}
