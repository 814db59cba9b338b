//! `sadd srem spop`: expiry and caps.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::{Capped, HOUR, Kept, MINUTE, Numbers, Plain, Sliding, Touched};

#[test]
fn sadd_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (set, key) = (Plain { id: 1 }, "bag:plain:1:set");
        con.forget_scripts();
        assert!(con.ok(set.sadd("a")));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(!con.ok(set.sadd("a")));
        assert_eq!(con.ok(set.sadd_many(["a", "b", "c", "c"])), 2);
        assert!(con.ok(set.srem("a")));
        con.ok(set.spop());
        con.assert_left(key, MINUTE);
        con.ok(Plain { id: 2 }.sadd_many(["a"]));
        con.assert_left("bag:plain:2:set", HOUR);
        con.ok(Kept { id: 1 }.sadd("a"));
        assert_eq!(con.pttl("never:bag:1:set"), -1);
    });
}

#[test]
fn sadd_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["SADD", "bag:plain:1:set", "a"]);
        assert!(!con.ok(Plain { id: 1 }.sadd("a")));
        con.assert_left("bag:plain:1:set", HOUR);
    });
}

#[test]
fn every_addition_renews_as_declared() {
    on_every_connection(|con| {
        for key in ["bag:sliding:1:set", "bag:touched:1:set"] {
            let _: u64 = con.raw(&["SADD", key, "a"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        con.ok(Sliding { id: 1 }.sadd("b"));
        con.ok(Touched { id: 1 }.sadd_many(["b"]));
        con.assert_left("bag:sliding:1:set", HOUR);
        con.assert_left("bag:touched:1:set", HOUR);
    });
}

#[test]
fn only_new_members_count_towards_max_len() {
    on_every_connection(|con| {
        let (set, key) = (Capped { id: 1 }, "bag:capped:1:set");
        con.forget_scripts();
        let error = con.error(set.sadd_many(["a", "b", "c", "d"]));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements, at most 3"), "{error}");
        assert!(!con.ok(set.exists()));
        assert_eq!(con.ok(set.sadd_many(["a", "b", "a", "b", "a", "b"])), 2, "repeated elements count once");
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(set.sadd_many(["a", "x", "y", "b", "x"]));
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        assert_eq!(con.ok(set.sadd_many(["a", "b", "c"])), 1);
        assert_eq!(con.ok(set.sadd_many(["c", "b", "a", "a"])), 0, "a full set accepts existing members");
        assert!(!con.ok(set.sadd("a")));
        let error = con.error(set.sadd("x"));
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        assert_eq!(
            (con.ok(set.scard()), con.ok(set.smismember(["a", "b", "c", "x"]))),
            (3, vec![true, true, true, false])
        );
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn an_oversized_set_accepts_existing_members() {
    on_every_connection(|con| {
        let key = "bag:capped:1:set";
        let _: u64 = con.raw(&["SADD", key, "a", "b", "c", "d", "e"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(!con.ok(Capped { id: 1 }.sadd("a")));
        let error = con.error(Capped { id: 1 }.sadd("x"));
        assert!(error.to_string().contains("exceeds `max_len`: 6 elements"), "{error}");
    });
}

#[test]
fn srem_and_spop_remove_members() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        assert!(!con.ok(set.srem(&1)));
        assert_eq!(con.ok(set.spop()), None);
        assert!(con.ok(set.spop_many(5)).is_empty());
        assert_eq!(con.ok(set.sadd_many(0..500)), 500);
        assert_eq!(con.ok(set.srem_many([1, 2, 3, 3, 1000])), 3);
        assert!(con.ok(set.srem(&4)));
        let member = con.ok(set.spop()).expect("there are members");
        assert!(!con.ok(set.sismember(&member)));
        let mut popped = con.ok(set.spop_many(500));
        assert_eq!(popped.len(), 495);
        popped.push(member);
        popped.sort_unstable();
        assert_eq!(popped, (0..500).filter(|n| ![1, 2, 3, 4].contains(n)).collect::<Vec<_>>());
        assert!(!con.ok(set.exists()));
        assert_eq!(con.ok(set.srem_many(Vec::<u32>::new())), 0);
    });
}

#[test]
fn requests_beyond_the_limits_are_rejected_before_sending() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        for error in [con.refused(set.sadd_many(0..501)), con.refused(set.srem_many(0..501))] {
            assert_eq!(error.kind(), ErrorKind::TooMany, "{error}");
        }
        assert_eq!(con.refused(set.smismember(0..501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.spop_many(501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.srandmember_many(501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(Capped { id: 1 }.sadd("123456789")).kind(), ErrorKind::ValueSize);
    });
}
