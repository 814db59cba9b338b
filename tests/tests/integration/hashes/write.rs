//! `hset hset_nx hdel`: expiry and caps.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::{Capped, HOUR, Kept, MINUTE, Numbers, Plain, Sliding};

#[test]
fn hset_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (hash, key) = (Plain { id: 1 }, "map:plain:1:hash");
        con.forget_scripts();
        assert!(con.ok(hash.hset("a", "x")));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(!con.ok(hash.hset("a", "y")));
        assert_eq!(con.ok(hash.hset_many([("a", "z"), ("b", "z"), ("c", "z"), ("c", "y")])), 2);
        assert!(!con.ok(hash.hset_nx("a", "w")));
        assert!(con.ok(hash.hset_nx("d", "w")));
        assert!(con.ok(hash.hdel("b")));
        con.assert_left(key, MINUTE);
        let found = con.ok(hash.hmget(["a", "b", "c", "d"]));
        assert_eq!(found, [Some("z".to_owned()), None, Some("y".to_owned()), Some("w".to_owned())]);
        for (id, new) in
            [(2, con.ok(Plain { id: 2 }.hset_many([("a", "x")])) == 1), (3, con.ok(Plain { id: 3 }.hset_nx("a", "x")))]
        {
            assert!(new);
            con.assert_left(&format!("map:plain:{id}:hash"), HOUR);
        }
        con.ok(Kept { id: 1 }.hset("a", &1));
        assert_eq!(con.pttl("never:map:1:hash"), -1);
    });
}

#[test]
fn hset_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["HSET", "map:plain:1:hash", "a", "x"]);
        assert!(!con.ok(Plain { id: 1 }.hset("a", "x")));
        con.assert_left("map:plain:1:hash", HOUR);
    });
}

#[test]
fn every_write_renews_with_renew_write() {
    on_every_connection(|con| {
        let (hash, key) = (Sliding { id: 1 }, "map:sliding:1:hash");
        con.ok(hash.hset("a", &1));
        let commands: [fn(&Sliding) -> Command<bool>; 3] =
            [|hash| hash.hset("a", &2), |hash| hash.hset_nx("b", &2), |hash| hash.hset_nx("c", &2)];
        for write in commands {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            con.ok(write(&hash));
            con.assert_left(key, HOUR);
        }
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(hash.hget("a"));
        con.ok(hash.hdel("b"));
        con.assert_left(key, MINUTE);
        con.ok(hash.hset_many([("d", 4)]));
        con.assert_left(key, HOUR);
    });
}

#[test]
fn only_new_fields_count_towards_max_len() {
    on_every_connection(|con| {
        let (hash, key) = (Capped { id: 1 }, "map:capped:1:hash");
        con.forget_scripts();
        let error = con.error(hash.hset_many([("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 fields, at most 3"), "{error}");
        assert!(!con.ok(hash.exists()));
        assert_eq!(
            con.ok(hash.hset_many([("a", "1"), ("b", "1"), ("a", "2"), ("b", "2")])),
            2,
            "repeated elements count once"
        );
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(hash.hset_many([("a", "9"), ("x", "9"), ("y", "9")]));
        assert!(error.to_string().contains("exceeds `max_len`: 4 fields"), "{error}");
        assert_eq!(con.ok(hash.hget("a")).as_deref(), Some("2"), "a rejected write changes nothing");
        assert_eq!(con.ok(hash.hset_many([("a", "3"), ("c", "3")])), 1);
        assert_eq!(
            con.ok(hash.hset_many([("c", "4"), ("b", "4"), ("a", "4")])),
            0,
            "a full hash accepts existing fields"
        );
        assert!(!con.ok(hash.hset("a", "5")));
        assert!(!con.ok(hash.hset_nx("a", "6")));
        for error in [con.error(hash.hset("x", "1")), con.error(hash.hset_nx("x", "1"))] {
            assert!(error.to_string().contains("exceeds `max_len`: 4 fields"), "{error}");
        }
        assert_eq!(con.ok(hash.hlen()), 3);
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn hdel_returns_the_number_of_removed_fields() {
    on_every_connection(|con| {
        let hash = Numbers { id: 1 };
        assert!(!con.ok(hash.hdel(&1)));
        assert_eq!(con.ok(hash.hset_many((0..500).map(|n| (n, n)))), 500);
        assert_eq!(con.ok(hash.hdel_many([1, 2, 3, 3, 1000])), 3);
        assert!(con.ok(hash.hdel(&4)));
        assert_eq!(con.ok(hash.hlen()), 496);
        assert_eq!(con.ok(hash.hdel_many(0..500)), 496);
        assert!(!con.ok(hash.exists()));
    });
}

#[test]
fn requests_beyond_the_limits_are_rejected_before_sending() {
    on_every_connection(|con| {
        let hash = Numbers { id: 1 };
        assert_eq!(con.refused(hash.hset_many((0..501).map(|n| (n, n)))).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(hash.hdel_many(0..501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(hash.hrandfield_many(501)).kind(), ErrorKind::TooMany);
        let (capped, long) = (Capped { id: 1 }, "123456789");
        let errors =
            [con.refused(capped.hset(long, "x")), con.refused(capped.hset("x", long)), con.refused(capped.hget(long))];
        for (error, what) in errors.iter().zip(["field name", "field value", "field name"]) {
            assert_eq!(error.kind(), ErrorKind::ValueSize, "{error}");
            assert!(error.to_string().contains(what), "{error}");
        }
        assert!(con.ok(capped.hset("12345678", "12345678")));
    });
}
