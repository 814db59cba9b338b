//! `ttl expire exists unlink`, and the jitter.

use std::time::Duration;

use redis_keys::command::TimeLeft;
use redis_keys::prelude::*;
use redis_keys::testing;
use redis_keys_tests::everywhere;

use super::keys::{JitteredText, KeptText, Note};

const JITTERED: &str = "text:jittered:1:string";

#[test]
fn ttl_returns_the_remaining_time() {
    everywhere(|con| {
        assert_eq!(con.ok(Note { id: 1 }.ttl()), TimeLeft::Missing);
        con.ok(Note { id: 1 }.set("a"));
        let TimeLeft::Left(left) = con.ok(Note { id: 1 }.ttl()) else { panic!("a note expires") };
        assert!(left <= Duration::from_secs(3_600) && left > Duration::from_secs(3_590), "{left:?}");
        con.ok(KeptText { id: 1 }.set("a"));
        assert_eq!(con.ok(KeptText { id: 1 }.ttl()), TimeLeft::Never);
    });
}

#[test]
fn expire_restarts_the_declared_expiry() {
    everywhere(|con| {
        assert!(!con.ok(Note { id: 1 }.expire()));
        con.ok(Note { id: 1 }.set("a").expire_in(Duration::from_secs(60)));
        assert!(con.ok(Note { id: 1 }.expire()));
        con.assert_left("text:note:1:string", 3_600_000);
    });
}

#[test]
fn expire_removes_the_expiry_of_a_key_declared_without_one() {
    everywhere(|con| {
        con.ok(KeptText { id: 1 }.set("a"));
        let _: bool = con.raw(&["EXPIRE", "never:text:1:string", "60"]);
        assert!(con.ok(KeptText { id: 1 }.expire()));
        assert_eq!(con.pttl("never:text:1:string"), -1);
    });
}

#[test]
fn unlink_and_purge_remove_the_key() {
    everywhere(|con| {
        assert!(!con.ok(Note { id: 1 }.exists()));
        assert!(!con.ok(Note { id: 1 }.unlink()));
        con.ok(Note { id: 1 }.set("a"));
        assert!(con.ok(Note { id: 1 }.exists()));
        assert!(con.ok(Note { id: 1 }.unlink()));
        assert!(!con.ok(Note { id: 1 }.exists()));
        con.ok(Note { id: 1 }.set("a"));
        assert!(con.purge(&Note { id: 1 }).is_ok_and(redis_keys::purge::PurgeResult::existed));
        assert!(!con.ok(Note { id: 1 }.exists()));
    });
}

#[test]
fn jitter_adds_up_to_its_full_length() {
    everywhere(|con| {
        for (share, ms) in [(0.0, 3_600_000), (0.5, 4_500_000), (1.0, 5_400_000)] {
            let _fixed = testing::fix_jitter(share);
            con.ok(JitteredText { id: 1 }.set("a"));
            con.assert_left(JITTERED, ms);
            con.ok(JitteredText { id: 1 }.expire());
            con.assert_left(JITTERED, ms);
            con.ok(JitteredText { id: 1 }.get_ex());
            con.assert_left(JITTERED, ms);
            con.ok(JitteredText { id: 1 }.unlink());
            con.ok(JitteredText { id: 1 }.append("a"));
            con.assert_left(JITTERED, ms);
        }
    });
}

#[test]
fn jitter_is_spread_over_its_range() {
    everywhere(|con| {
        let left: Vec<i64> = (0..300)
            .map(|_| {
                con.ok(JitteredText { id: 1 }.set("a"));
                con.pttl(JITTERED)
            })
            .collect();
        let (min, max) = (left.iter().min().copied().unwrap_or(0), left.iter().max().copied().unwrap_or(0));
        assert!(min > 3_595_000 && max <= 5_400_000, "{min} to {max}");
        // 300 draws miss the first or the last quarter once in 10^37 runs.
        assert!(min < 4_050_000 && max > 4_950_000, "{min} to {max}");
    });
}

#[test]
fn an_expiry_of_one_call_has_no_jitter() {
    everywhere(|con| {
        let _fixed = testing::fix_jitter(1.0);
        con.ok(JitteredText { id: 1 }.set("a").expire_in(Duration::from_secs(60)));
        con.assert_left(JITTERED, 60_000);
    });
}
