//! `claim_refresh`: the threshold is 12 minutes for values, and one minute for the marker that there is none.

use std::time::Duration;

use redis_keys::cache::Token;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{
    ABSENT, Blob, Bytes, CORRUPT, FAR, MINUTE, MY_LEASE, NAME, Name, Once, PASSED, THEIR_LEASE, mine, refreshed, theirs,
};

/// Writes a content with this many milliseconds left.
fn write(con: &mut Con, key: &impl Bytes, content: &[u8], left: i64) {
    key.write(con, content);
    let _: bool = con.raw(&["PEXPIRE", &key.text(), &left.to_string()]);
}

/// Asserts that a content is being refreshed with my token, for about the time of the lease.
#[track_caller]
fn assert_refreshed(con: &mut Con, key: &impl Bytes, content: &[u8]) {
    let found = key.bytes(con).unwrap_or_default();
    let (head, inner) = found.split_at_checked(31).expect("the content has a marker");
    let now: (i64, i64) = con.raw(&["TIME"]);
    let deadline: i64 = str::from_utf8(&head[18..]).ok().and_then(|ms| ms.parse().ok()).expect("it is a number");
    assert!(head.starts_with(b"\xC1rmine567890abcdef"), "{}", head.escape_ascii());
    assert!((1..=10_000).contains(&(deadline - now.0 * 1000 - now.1 / 1000)), "{deadline}");
    assert!(inner == content, "{}", inner.escape_ascii());
}

#[test]
fn a_value_that_expires_soon_is_refreshed_once() {
    everywhere(|con| {
        con.ok(NAME.set("Ada").expire_in(Duration::from_secs(11 * 60)));
        assert!(con.ok(NAME.claim_refresh(&mine())));
        assert_refreshed(con, &NAME, b"Ada");
        con.assert_left(&NAME.text(), 11 * MINUTE);
        assert_eq!(con.ok(NAME.get()), Some("Ada".to_owned()));
        assert!(!con.ok(NAME.claim_refresh(&theirs())));
        assert!(!con.ok(NAME.claim_refresh(&mine())));
        assert!(!con.ok(NAME.fill(&theirs(), Some("Bob"))));
        assert_refreshed(con, &NAME, b"Ada");
        assert!(con.ok(NAME.fill(&mine(), Some("Eve"))));
        NAME.assert_bytes(con, b"Eve");
        assert!(con.pttl(&NAME.text()) > 59 * MINUTE);
    });
}

#[test]
fn one_of_many_claims_wins() {
    everywhere(|con| {
        con.ok(NAME.set("Ada").expire_in(Duration::from_secs(60)));
        let tokens: Vec<Token> = (10..60_u8).map(|n| [n; 16].into()).collect();
        let claims: Vec<_> = tokens.iter().map(|token| NAME.claim_refresh(token)).collect();
        let won = con.batch(claims).expect("they succeed");
        assert_eq!(won.iter().filter(|won| **won).count(), 1);
    });
}

#[test]
fn a_content_is_refreshed_below_its_threshold_only() {
    everywhere(|con| {
        for (content, left, is_due) in [
            (b"Ada".to_vec(), 12 * MINUTE + 5_000, false),
            (b"Ada".to_vec(), 12 * MINUTE - 1, true),
            (Vec::new(), 12 * MINUTE - 1, true),
            (b"\xC1v\xC1n".to_vec(), 12 * MINUTE + 5_000, false),
            (b"\xC1v\xC1n".to_vec(), 12 * MINUTE - 1, true),
            (ABSENT.to_vec(), MINUTE + 5_000, false),
            (ABSENT.to_vec(), MINUTE - 1, true),
            // Others have refreshed it and failed, or are refreshing it.
            (refreshed(PASSED, b"Ada"), 12 * MINUTE + 5_000, false),
            (refreshed(PASSED, b"Ada"), 12 * MINUTE - 1, true),
            (refreshed(PASSED, b""), 12 * MINUTE - 1, true),
            (refreshed(PASSED, ABSENT), MINUTE + 5_000, false),
            (refreshed(PASSED, ABSENT), MINUTE - 1, true),
            (refreshed("no time here!", b"Ada"), 12 * MINUTE - 1, true),
            (refreshed(FAR, b"Ada"), 12 * MINUTE - 1, false),
            (refreshed(FAR, ABSENT), MINUTE, false),
            // Nothing to refresh.
            (MY_LEASE.to_vec(), MINUTE, false),
            (THEIR_LEASE.to_vec(), MINUTE, false),
        ] {
            write(con, &NAME, &content, left);
            assert_eq!(con.ok(NAME.claim_refresh(&mine())), is_due, "{} with {left} ms", content.escape_ascii());
            if is_due {
                let inner = if content.starts_with(b"\xC1r") { &content[31..] } else { &content };
                assert_refreshed(con, &NAME, inner);
            } else {
                NAME.assert_bytes(con, &content);
            }
            con.assert_left(&NAME.text(), left);
        }
    });
}

#[test]
fn what_is_corrupt_stays_as_it_is() {
    on_every_connection(|con| {
        for content in CORRUPT.into_iter().filter(|content| *content != b"\xC1nn") {
            write(con, &NAME, content, 1_000);
            assert!(!con.ok(NAME.claim_refresh(&mine())), "{}", content.escape_ascii());
            NAME.assert_bytes(con, content);
        }
    });
}

#[test]
fn an_absence_is_refreshed_like_a_value() {
    everywhere(|con| {
        write(con, &NAME, ABSENT, MINUTE - 1);
        assert!(con.ok(NAME.claim_refresh(&mine())));
        assert_eq!(con.ok(NAME.get()), None);
        assert!(!con.ok(NAME.exists()));
        assert!(con.ok(NAME.fill(&mine(), Some("Ada"))));
        assert_eq!(con.ok(NAME.get()), Some("Ada".to_owned()));
    });
}

#[test]
fn a_key_that_never_expires_or_does_not_exist_is_not_refreshed() {
    everywhere(|con| {
        assert!(!con.ok(NAME.claim_refresh(&mine())));
        assert_eq!(NAME.bytes(con), None);
        let _: String = con.raw(&["SET", &NAME.text(), "Ada"]);
        assert!(!con.ok(NAME.claim_refresh(&mine())));
        NAME.assert_bytes(con, b"Ada");
        assert_eq!(con.pttl(&NAME.text()), -1);
        assert!(con.ok(NAME.expire()));
        con.ok(NAME.unlink());
    });
}

#[test]
fn a_key_without_refresh_sends_no_claim() {
    on_every_connection(|con| {
        let once = Once { id: 1 };
        con.ok(once.set("Ada").expire_in(Duration::from_secs(1)));
        let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
        assert!(!con.ok(once.claim_refresh(&mine())));
        assert!(!con.info("commandstats").contains("cmdstat_eval"));
    });
}

#[test]
fn a_failed_refresh_leaves_the_value_to_the_next_one() {
    on_every_connection(|con| {
        write(con, &NAME, b"Ada", MINUTE);
        assert!(con.ok(NAME.claim_refresh(&mine())));
        assert!(!con.ok(NAME.abandon(&mine())));
        assert!(!con.ok(NAME.claim_refresh(&theirs())));
        // The deadline has passed.
        write(con, &NAME, &refreshed(PASSED, b"Ada"), MINUTE);
        assert!(con.ok(NAME.claim_refresh(&mine())));
        assert!(!con.ok(NAME.fill(&theirs(), Some("late"))));
        assert!(con.ok(NAME.fill(&mine(), None)));
        NAME.assert_bytes(con, ABSENT);
    });
}

#[test]
fn a_value_of_1_mb_is_refreshed() {
    let blob = Blob { id: 1 };
    // It begins like a marker and is no text.
    let value = |len: usize| [&b"\xC1"[..], &b"\xFF\0\r\n".repeat(len / 4)].concat();
    everywhere(|con| {
        for len in [1_000, 100_000, (1 << 20) - 4] {
            let value = value(len);
            con.ok(blob.set(&value).expire_in(Duration::from_secs(60)));
            assert!(con.ok(blob.claim_refresh(&mine())));
            assert_refreshed(con, &blob, &[b"\xC1v", value.as_slice()].concat());
            assert!(con.ok(blob.get()).as_ref() == Some(&value));
            con.assert_left(&blob.text(), MINUTE);
            assert!(con.ok(blob.fill(&mine(), Some(&value))));
            assert!(con.ok(blob.get()) == Some(value));
        }
    });
}

#[test]
fn a_refresh_without_memory_changes_nothing() {
    on_every_connection(|con| {
        write(con, &NAME, b"Ada", MINUTE);
        con.without_memory(|con| con.error(NAME.claim_refresh(&mine())));
        NAME.assert_bytes(con, b"Ada");
        con.assert_left(&NAME.text(), MINUTE);
        con.without_memory(|con| con.error(Name { id: 2 }.claim(&mine())));
        assert_eq!(Name { id: 2 }.bytes(con), None);
    });
}

/// The claims arrive in the moment in which the values expire.
#[test]
fn a_value_that_expires_during_a_claim_does_not_stay() {
    let value = vec![0; 1 << 19];
    everywhere(|con| {
        for round in 0..20 {
            let blobs: Vec<_> = (0..8).map(|id| Blob { id: 8 * round + id }).collect();
            let lives = [1, 2, 3, 4, 5, 6, 7, 8].map(Duration::from_millis);
            let sets: Vec<_> =
                blobs.iter().zip(lives).map(|(blob, life)| blob.set(&value).expire_in(life).into()).collect();
            con.batch::<Vec<Command<()>>>(sets).expect("they succeed");
            con.batch(blobs.iter().map(|blob| blob.claim_refresh(&mine())).collect::<Vec<_>>()).expect("they succeed");
            let stays = blobs.iter().any(|blob| con.pttl(&blob.text()) == -1);
            assert!(!stays, "a value lost its expiry");
        }
    });
}
