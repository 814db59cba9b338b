//! `claim` and `abandon`.

use redis_keys::cache::Claim;
use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{errors, everywhere, on_every_connection, wait_until};

use super::keys::{
    ABSENT, BOTH_GIVEN_UP, Brief, Bytes as _, CORRUPT, FAR, MINE_GIVEN_UP, MINUTE, MY_LEASE, NAME, Name, Once, PASSED,
    THEIR_LEASE, mine, refreshed, theirs,
};

#[test]
fn the_first_claim_of_a_missing_key_wins_for_the_time_of_its_lease() {
    everywhere(|con| {
        assert_eq!(con.ok(NAME.claim(&mine())), Claim::Mine);
        NAME.assert_bytes(con, MY_LEASE);
        con.assert_left(&NAME.text(), 10_000);
        assert_eq!(con.ok(NAME.claim(&theirs())), Claim::Theirs(mine()));
        NAME.assert_bytes(con, MY_LEASE);
        assert_eq!(con.ok(Once { id: 1 }.claim(&mine())), Claim::Mine);
        con.assert_left(&Once { id: 1 }.text(), 10_000);
    });
}

#[test]
fn a_claim_that_is_repeated_starts_its_lease_again() {
    everywhere(|con| {
        NAME.write(con, MY_LEASE);
        assert_eq!(con.ok(NAME.claim(&theirs())), Claim::Theirs(mine()));
        con.assert_left(&NAME.text(), 60 * MINUTE);
        assert_eq!(con.ok(NAME.claim(&mine())), Claim::Mine);
        con.assert_left(&NAME.text(), 10_000);
    });
}

#[test]
fn one_of_many_claims_wins() {
    everywhere(|con| {
        let tokens: Vec<_> = (10..60_u8).map(|n| [n; 16].into()).collect();
        let claims = con.batch(tokens.iter().map(|token| NAME.claim(token)).collect::<Vec<_>>()).expect("they succeed");
        let winners: Vec<_> = (0..50).filter(|at| claims[*at] == Claim::Mine).collect();
        assert_eq!(winners.len(), 1);
        let winner = tokens[winners[0]];
        assert!(claims.iter().all(|claim| [Claim::Mine, Claim::Theirs(winner)].contains(claim)));
    });
}

#[test]
fn a_claim_of_what_is_known_returns_it_and_changes_nothing() {
    let ada = Claim::Found("Ada".to_owned());
    everywhere(|con| {
        for (content, found) in [
            (b"Ada".to_vec(), ada.clone()),
            (Vec::new(), Claim::Found(String::new())),
            (ABSENT.to_vec(), Claim::Absent),
            (THEIR_LEASE.to_vec(), Claim::Theirs(theirs())),
            (refreshed(FAR, b"Ada"), ada.clone()),
            (refreshed(PASSED, b"Ada"), ada.clone()),
            (refreshed(FAR, ABSENT), Claim::Absent),
        ] {
            NAME.write(con, &content);
            assert_eq!(con.ok(NAME.claim(&mine())), found);
            NAME.assert_bytes(con, &content);
            con.assert_left(&NAME.text(), 60 * MINUTE);
        }
    });
}

#[test]
fn a_claim_of_what_cannot_be_read_is_an_error_and_changes_nothing() {
    on_every_connection(|con| {
        for content in CORRUPT.into_iter().chain([&b"\xFFsecret"[..]]) {
            NAME.write(con, content);
            let errors = errors!(con, run: [NAME.claim(&mine()), NAME.get()]);
            errors.assert_kind(ErrorKind::Decode).assert_sent(&[SendStatus::Yes]).assert_key(&NAME.text());
            NAME.assert_bytes(con, content);
        }
        // The token is no text, as most are not.
        NAME.write(con, b"\xC1l\xFF\xFE\0\r\n67890abcdef");
        let token = *b"\xFF\xFE\0\r\n67890abcdef";
        assert_eq!(con.ok(NAME.claim(&mine())), Claim::Theirs(token.into()));
        assert_eq!(con.ok(NAME.claim(&token.into())), Claim::Mine);
    });
}

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    everywhere(|con| {
        let _: u64 = con.raw(&["LPUSH", &NAME.text(), "hidden"]);
        let _: bool = con.raw(&["EXPIRE", &NAME.text(), "60"]);
        let errors = errors!(con, run: [
            NAME.get(),
            NAME.exists(),
            NAME.expire(),
            NAME.claim(&mine()),
            NAME.claim_refresh(&mine()),
            NAME.fill(&mine(), Some("Ada")),
            NAME.fill(&mine(), None),
            NAME.abandon(&mine()),
        ]);
        errors.assert_kind(ErrorKind::WrongType).assert_sent(&[SendStatus::Yes]).assert_key(&NAME.text());
        errors.assert_message("holds a list, but a string is declared");
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", &NAME.text(), "0", "9"]), ["hidden"]);
        con.assert_left(&NAME.text(), 60_000);
        assert_eq!(con.ok(Name::get_many([NAME])), [None], "MGET returns nil for a key of another type");
        con.ok(NAME.set("Ada"));
        assert_eq!(con.ok(NAME.get()), Some("Ada".to_owned()));
    });
}

#[test]
fn others_can_claim_after_the_end_of_a_lease() {
    on_every_connection(|con| {
        let brief = Brief { id: 1 };
        assert_eq!(con.ok(brief.claim(&mine())), Claim::Mine);
        wait_until("the lease is over", || con.ok(brief.claim(&theirs())) == Claim::Mine);
        assert!(!con.ok(brief.fill(&mine(), Some("Ada"))));
        assert!(!con.ok(brief.abandon(&mine())));
    });
}

#[test]
fn a_claim_that_is_abandoned_can_be_claimed_at_once() {
    everywhere(|con| {
        con.ok(NAME.claim(&mine()));
        assert!(!con.ok(NAME.abandon(&theirs())));
        NAME.assert_bytes(con, MY_LEASE);
        assert!(con.ok(NAME.abandon(&mine())));
        NAME.assert_bytes(con, MINE_GIVEN_UP);
        con.assert_left(&NAME.text(), 10_000);
        assert!(!con.ok(NAME.abandon(&mine())));
        assert_eq!(con.ok(NAME.claim(&theirs())), Claim::Mine);
        NAME.assert_bytes(con, THEIR_LEASE);
    });
}

/// The copy of a command that was sent twice, or a command that arrives after its connection was lost.
#[test]
fn a_claim_that_arrives_after_it_was_abandoned_gets_no_lease() {
    everywhere(|con| {
        for has_arrived_before in [true, false] {
            con.ok(NAME.unlink());
            if has_arrived_before {
                con.ok(NAME.claim(&mine()));
            }
            assert_eq!(con.ok(NAME.abandon(&mine())), has_arrived_before);
            assert_eq!(con.ok(NAME.claim(&mine())), Claim::Theirs(mine()));
            assert!(!con.ok(NAME.fill(&mine(), Some("Ada"))));
            NAME.assert_bytes(con, MINE_GIVEN_UP);
        }
        con.ok(NAME.unlink());
        assert!(!con.ok(NAME.abandon(&theirs())) && !con.ok(NAME.abandon(&mine())));
        NAME.assert_bytes(con, BOTH_GIVEN_UP);
        for token in [mine(), theirs()] {
            assert_eq!(con.ok(NAME.claim(&token)), Claim::Theirs(token));
        }
        // Only so many are noted, the last ones.
        let tokens: Vec<_> = (0..40_u8).map(|n| [n; 16].into()).collect();
        for token in &tokens {
            assert!(!con.ok(NAME.abandon(token)));
        }
        assert_eq!(NAME.bytes(con).map(|content| content.len()), Some(2 + 16 * 32));
        for token in &tokens[8..] {
            assert_eq!(con.ok(NAME.claim(token)), Claim::Theirs(*token));
        }
        con.assert_left(&NAME.text(), 10_000);
        assert_eq!(con.ok(NAME.claim(&mine())), Claim::Mine);
    });
}

#[test]
fn a_full_server_keeps_no_abandoned_token() {
    on_every_connection(|con| {
        con.ok(NAME.claim(&mine()));
        con.without_memory(|con| {
            assert!(con.ok(NAME.abandon(&mine())));
            assert!(!con.ok(NAME.abandon(&mine())));
        });
        assert_eq!(NAME.bytes(con), None);
    });
}

#[test]
fn a_lease_that_never_expires_gets_an_expiry_when_it_is_claimed() {
    everywhere(|con| {
        for (content, claim) in [(MY_LEASE, Claim::Mine), (THEIR_LEASE, Claim::Theirs(theirs()))] {
            NAME.write(con, content);
            let _: bool = con.raw(&["PERSIST", &NAME.text()]);
            assert_eq!(con.ok(NAME.claim(&mine())), claim);
            NAME.assert_bytes(con, content);
            con.assert_left(&NAME.text(), 10_000);
        }
    });
}

#[test]
fn nothing_but_a_lease_is_abandoned() {
    let contents = [b"mine567890abcdef".to_vec(), ABSENT.to_vec(), THEIR_LEASE.to_vec(), refreshed(FAR, b"Ada")];
    on_every_connection(|con| {
        for content in contents.iter().map(Vec::as_slice).chain(CORRUPT) {
            NAME.write(con, content);
            assert!(!con.ok(NAME.abandon(&mine())), "{}", content.escape_ascii());
            NAME.assert_bytes(con, content);
        }
        // The lease of a refresh is what keeps a failing loader from being asked again and again.
        NAME.write(con, &refreshed(FAR, b"Ada"));
        assert!(!con.ok(NAME.abandon(&theirs())));
        NAME.assert_bytes(con, &refreshed(FAR, b"Ada"));
    });
}
