//! `zadd zincr`: the expiry.

use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::{HOUR, Kept, MINUTE, Numbers, Plain, Sliding, Top, Touched, scored};

#[test]
fn zadd_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (set, key) = (Plain { id: 1 }, "rank:plain:1:zset");
        con.forget_scripts();
        assert!(con.ok(set.zadd("a", 1.0)));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(!con.ok(set.zadd("a", 2.0)));
        assert_eq!(con.ok(set.zadd_many([("a", 3.0), ("b", 4.0), ("c", 5.0)])), 2);
        assert!((con.ok(set.zincr("a", 0.5)) - 3.5).abs() < 1e-12);
        con.ok(set.zrem("b"));
        con.ok(set.zpopmax());
        con.assert_left(key, MINUTE);
        assert_eq!(con.ok(set.zrange_withscores(0..9)), scored(&[("a", 3.5)]));
    });
}

#[test]
fn every_addition_creates_with_the_expiry() {
    everywhere(|con| {
        con.forget_scripts();
        con.ok(Plain { id: 1 }.zadd_many([("a", 1.0)]));
        con.ok(Plain { id: 2 }.zincr("a", 1.0));
        con.ok(Plain { id: 3 }.zadd("a", 1.0).nx().ch());
        con.ok(Plain { id: 4 }.zadd("a", 1.0).gt());
        for id in 1..=4 {
            con.assert_left(&format!("rank:plain:{id}:zset"), HOUR);
        }
        con.forget_scripts();
        con.ok(Top { id: 1 }.zadd("a", 1.0));
        con.ok(Top { id: 2 }.zincr("a", 1.0));
        con.ok(Top { id: 3 }.zadd("a", 1.0).lt());
        for id in 1..=3 {
            con.assert_left(&format!("rank:top:{id}:zset"), HOUR / 2);
        }
        con.ok(Kept { id: 1 }.zadd("a", 1.0));
        assert_eq!(con.pttl("never:rank:1:zset"), -1);
    });
}

#[test]
fn zadd_adds_a_missing_expiry() {
    on_every_connection(|con| {
        for id in [1, 2] {
            let _: u64 = con.raw(&["ZADD", &format!("rank:plain:{id}:zset"), "1", "a"]);
        }
        assert!(!con.ok(Plain { id: 1 }.zadd("a", 2.0)));
        con.ok(Plain { id: 2 }.zincr("a", 2.0));
        con.assert_left("rank:plain:1:zset", HOUR);
        con.assert_left("rank:plain:2:zset", HOUR);
    });
}

#[test]
fn every_addition_renews_as_declared() {
    on_every_connection(|con| {
        let (key, other) = ("rank:sliding:1:zset", "rank:touched:1:zset");
        for key in [key, other] {
            let _: u64 = con.raw(&["ZADD", key, "1", "a"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        con.ok(Sliding { id: 1 }.zadd("a", 1.0));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(Sliding { id: 1 }.zincr("a", 1.0));
        con.assert_left(key, HOUR);
        con.ok(Touched { id: 1 }.zadd_many([("b", 1.0)]));
        con.assert_left(other, HOUR);
    });
}

#[test]
fn five_hundred_members_are_added_in_one_call() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        assert_eq!(con.ok(set.zadd_many((0..500).map(|n| (n, f64::from(n))))), 500);
        assert_eq!(con.ok(set.zadd_many((400..900).map(|n| (n, f64::from(n)))).nx().ch()), 400);
        assert_eq!(con.ok(set.zcard()), 900);
        assert_eq!(con.ok(set.zadd_many(Vec::<(u32, f64)>::new())), 0);
    });
}
