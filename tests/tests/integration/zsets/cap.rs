//! `max_len` and `keep_top`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Capped, HOUR, MINUTE, Numbers, Top, scored};

#[test]
fn only_new_members_count_towards_max_len() {
    on_every_connection(|con| {
        let (set, key) = (Capped { id: 1 }, "rank:capped:1:zset");
        con.forget_scripts();
        let error = con.error(set.zadd_many([("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)]));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements, at most 3"), "{error}");
        assert!(!con.ok(set.exists()));
        assert_eq!(
            con.ok(set.zadd_many([("a", 1.0), ("b", 2.0), ("a", 3.0), ("b", 4.0)])),
            2,
            "repeated elements count once"
        );
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(set.zadd_many([("a", 9.0), ("x", 9.0), ("y", 9.0), ("x", 9.0)]));
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        assert_eq!(con.ok(set.zadd_many([("a", 5.0), ("b", 4.0), ("c", 1.0)])), 1);
        assert!(!con.ok(set.zadd("a", 6.0)), "a full set accepts existing members");
        assert!((con.ok(set.zincr("a", 1.0)) - 7.0).abs() < 1e-12);
        for error in
            [con.error(set.zadd("x", 9.0)), con.error(set.zadd("x", 9.0).nx()), con.error(set.zadd("x", 9.0).gt().ch())]
        {
            assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        }
        let error = con.error(set.zincr("x", 1.0));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 elements"), "{error}");
        assert_eq!(con.ok(set.zrange_withscores(0..9)), scored(&[("c", 1.0), ("b", 4.0), ("a", 7.0)]));
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn xx_updates_a_full_set() {
    on_every_connection(|con| {
        let set = Capped { id: 1 };
        con.ok(set.zadd_many([("a", 1.0), ("b", 2.0), ("c", 3.0)]));
        let many = [("x", 9.0), ("a", 9.0), ("y", 9.0)];
        assert_eq!(con.ok(set.zadd_many(many).xx()), 0);
        assert_eq!(con.ok(set.zscore("a")), Some(9.0));
        assert_eq!(con.ok(set.zadd_many([("x", 9.0), ("a", 8.0)]).xx().lt().ch()), 1);
        assert_eq!(con.ok(set.zrange(0..9)), ["b", "c", "a"]);
    });
}

#[test]
fn keep_top_keeps_the_highest_scores() {
    on_every_connection(|con| {
        let (set, key) = (Top { id: 1 }, "rank:top:1:zset");
        con.forget_scripts();
        assert_eq!(con.ok(set.zadd_many([("a", 1.0), ("b", 5.0), ("c", 3.0), ("d", 4.0), ("e", 2.0)])), 5);
        assert_eq!(con.ok(set.zrevrange_withscores(0..9)), scored(&[("b", 5.0), ("d", 4.0), ("c", 3.0)]));
        assert!(con.ok(set.zadd("low", 0.0)), "the new member is removed at once");
        assert!(con.ok(set.zadd("f", 3.5)));
        assert_eq!(con.ok(set.zrevrange(0..9)), ["b", "d", "f"]);
        // A member whose score decreases stays until another one is added.
        assert!(!con.ok(set.zadd("b", -1.0)));
        assert_eq!(con.ok(set.zrevrange(0..9)), ["d", "f", "b"]);
        assert!(con.ok(set.zadd("g", -0.5)));
        assert_eq!(con.ok(set.zrevrange_withscores(0..9)), scored(&[("d", 4.0), ("f", 3.5), ("g", -0.5)]));
        assert_eq!(con.ok(set.zadd_many([("g", -9.0), ("h", -2.0)])), 1);
        assert_eq!(con.ok(set.zrevrange(0..9)), ["d", "f", "h"]);
        assert!((con.ok(set.zincr("i", 4.5)) - 4.5).abs() < 1e-12);
        assert_eq!(con.ok(set.zrevrange(0..9)), ["i", "d", "f"]);
        assert!((con.ok(set.zincr("j", -4.5)) + 4.5).abs() < 1e-12);
        assert_eq!(con.ok(set.zrevrange(0..9)), ["i", "d", "f"]);
        con.assert_left(key, HOUR / 2);
    });
}

#[test]
fn keep_top_removes_the_first_of_equal_scores() {
    on_every_connection(|con| {
        let set = Top { id: 1 };
        con.ok(set.zadd_many([("c", 1.0), ("a", 1.0), ("d", 1.0), ("b", 1.0)]));
        assert_eq!(con.ok(set.zrange(0..9)), ["b", "c", "d"]);
        con.ok(set.zadd("a", 1.0));
        assert_eq!(con.ok(set.zrange(0..9)), ["b", "c", "d"]);
        con.ok(set.zadd("e", 1.0));
        assert_eq!(con.ok(set.zrange(0..9)), ["c", "d", "e"]);
        con.ok(set.zadd_many([("x", f64::INFINITY), ("y", f64::NEG_INFINITY)]));
        assert_eq!(con.ok(set.zrange(0..9)), ["d", "e", "x"]);
    });
}

#[test]
fn keep_top_trims_an_oversized_set() {
    on_every_connection(|con| {
        let key = "rank:top:1:zset";
        let _: u64 = con.raw(&["ZADD", key, "1", "a", "2", "b", "3", "c", "4", "d", "5", "e"]);
        assert!(!con.ok(Top { id: 1 }.zadd("a", 9.0).xx()));
        assert_eq!(con.ok(Top { id: 1 }.zrange(0..9)), ["d", "e", "a"]);
        con.assert_left(key, HOUR / 2);
    });
}

#[test]
fn requests_beyond_the_limits_are_rejected_before_sending() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        assert_eq!(con.refused(set.zadd_many((0..501).map(|n| (n, 0.0)))).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.zmscore(0..501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.zrem_many(0..501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.zrange(0..5001)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.zrangebyscore(.., 5001)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(set.zpopmin_many(501)).kind(), ErrorKind::TooMany);
        assert_eq!(con.refused(Capped { id: 1 }.zadd("123456789", 1.0)).kind(), ErrorKind::ValueSize);
        assert_eq!(con.refused(set.zadd(&1, f64::NAN)).kind(), ErrorKind::Argument);
        assert_eq!(con.refused(set.zcount(f64::NAN..)).kind(), ErrorKind::Argument);
    });
}
