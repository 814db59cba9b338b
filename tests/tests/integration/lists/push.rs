//! `lpush rpush` and their many forms: expiry, caps and trimming.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Capped, HOUR, Kept, MINUTE, Numbers, Plain, Recent, Sliding, Touched};

#[test]
fn a_push_sets_the_expiry_only_on_creation() {
    on_every_connection(|con| {
        let (list, key) = (Plain { id: 1 }, "line:plain:1:list");
        con.forget_scripts();
        assert_eq!(con.ok(list.rpush("b")), 1);
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.ok(list.lpush("a")), 2);
        assert_eq!(con.ok(list.rpush_many(["c", "d"])), 4);
        assert_eq!(con.ok(list.lpush_many(["2", "1"])), 6);
        con.assert_left(key, MINUTE);
        assert_eq!(con.ok(list.lrange(0..10)), ["1", "2", "a", "b", "c", "d"]);
    });
}

#[test]
fn every_push_creates_with_the_expiry() {
    on_every_connection(|con| {
        con.ok(Plain { id: 1 }.lpush("a"));
        con.ok(Plain { id: 2 }.lpush_many(["a"]));
        con.ok(Plain { id: 3 }.rpush("a"));
        con.ok(Plain { id: 4 }.rpush_many(["a"]));
        for id in 1..=4 {
            con.assert_left(&format!("line:plain:{id}:list"), HOUR);
        }
        con.ok(Recent { id: 1 }.rpush("a"));
        con.assert_left("line:recent:1:list", HOUR / 2);
        con.ok(Kept { id: 1 }.rpush("a"));
        assert_eq!(con.pttl("never:kept:1:list"), -1);
    });
}

#[test]
fn a_push_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["RPUSH", "line:plain:1:list", "a"]);
        con.ok(Plain { id: 1 }.rpush("b"));
        con.assert_left("line:plain:1:list", HOUR);
    });
}

#[test]
fn every_push_renews_as_declared() {
    on_every_connection(|con| {
        for key in ["line:sliding:1:list", "line:touched:1:list"] {
            let _: u64 = con.raw(&["RPUSH", key, "a"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        con.ok(Sliding { id: 1 }.rpush("b"));
        con.ok(Touched { id: 1 }.lpush_many(["b"]));
        con.assert_left("line:sliding:1:list", HOUR);
        con.assert_left("line:touched:1:list", HOUR);
    });
}

#[test]
fn a_push_beyond_max_len_changes_nothing() {
    on_every_connection(|con| {
        let (list, key) = (Capped { id: 1 }, "line:capped:1:list");
        con.forget_scripts();
        let error = con.error(list.rpush_many(["a", "b", "c", "d", "e", "f"]));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 6 elements, at most 5"), "{error}");
        assert!(!con.ok(list.exists()));
        assert_eq!(con.ok(list.rpush_many(["a", "b", "c", "d"])), 4);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        for error in [con.error(list.lpush_many(["x", "y"])), con.error(list.rpush_many(["x", "y"]))] {
            assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
            assert!(error.to_string().contains("exceeds `max_len`: 6"), "{error}");
        }
        assert_eq!(con.ok(list.lpush("5")), 5);
        for error in [con.error(list.lpush("x")), con.error(list.rpush("x"))] {
            assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        }
        assert_eq!(con.ok(list.lrange(0..10)), ["5", "a", "b", "c", "d"]);
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn keep_last_keeps_the_newest_items() {
    on_every_connection(|con| {
        let list = Recent { id: 1 };
        con.forget_scripts();
        assert_eq!(con.ok(list.lpush_many(["a", "b"])), 2);
        assert_eq!(con.ok(list.lpush_many(["c", "d"])), 3);
        assert_eq!(con.ok(list.lrange(0..10)), ["d", "c", "b"]);
        assert_eq!(con.ok(list.lpush("e")), 3);
        assert_eq!(con.ok(list.lrange(0..10)), ["e", "d", "c"]);
        let other = Recent { id: 2 };
        assert_eq!(con.ok(other.rpush_many(["a", "b", "c", "d", "e"])), 3);
        assert_eq!(con.ok(other.rpush("f")), 3);
        assert_eq!(con.ok(other.lrange(0..10)), ["d", "e", "f"]);
        con.assert_left("line:recent:2:list", HOUR / 2);
    });
}

#[test]
fn at_most_five_hundred_items_are_pushed_at_once() {
    on_every_connection(|con| {
        let list = Numbers { id: 1 };
        assert_eq!(con.ok(list.rpush_many(0..500)), 500);
        assert_eq!(con.refused(list.rpush_many(0..501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.ok(list.llen()), 500);
        for _ in 0..9 {
            con.ok(list.rpush_many(0..500));
        }
        assert_eq!(con.error(list.rpush(&1)).kind(), ErrorKind::CollectionSize);
        assert_eq!(con.ok(list.lrange(0..5000)).len(), 5000);
    });
}

#[test]
fn an_empty_push_creates_nothing() {
    on_every_connection(|con| {
        assert_eq!(con.ok(Numbers { id: 1 }.rpush_many(Vec::<i32>::new())), 0);
        assert!(!con.ok(Numbers { id: 1 }.exists()));
        assert_eq!(con.refused(Capped { id: 1 }.lpush("123456789")).kind(), ErrorKind::ValueSize);
    });
}
