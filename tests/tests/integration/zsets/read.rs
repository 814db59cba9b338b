//! `zscore zmscore zrank zrevrank zrandmember zcard zscan`, and how reads renew the expiry.

use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::{Fading, HOUR, MINUTE, Numbers, Plain, Touched, scored};

#[test]
fn scores_and_ranks_are_none_for_missing_members() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert_eq!((con.ok(set.zscore("a")), con.ok(set.zrank("a")), con.ok(set.zrevrank("a"))), (None, None, None));
        assert_eq!((con.ok(set.zmscore(["a", "b"])), con.ok(set.zcard())), (vec![None, None], 0));
        con.ok(set.zadd_many([("a", 1.0), ("b", 2.5), ("c", 3.0)]));
        assert_eq!((con.ok(set.zscore("b")), con.ok(set.zscore("x"))), (Some(2.5), None));
        assert_eq!(con.ok(set.zmscore(["c", "x", "a"])), [Some(3.0), None, Some(1.0)]);
        assert_eq!((con.ok(set.zrank("a")), con.ok(set.zrevrank("a"))), (Some(0), Some(2)));
        assert_eq!((con.ok(set.zrank("x")), con.ok(set.zcard())), (None, 3));
    });
}

#[test]
fn zrandmember_returns_distinct_members() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert_eq!((con.ok(set.zrandmember()), con.ok(set.zrandmember_many(5))), (None, Vec::new()));
        assert!(con.ok(set.zrandmember_many_withscores(5)).is_empty());
        con.ok(set.zadd_many([("a", 1.0), ("b", 2.5), ("c", 3.0)]));
        assert!(["a", "b", "c"].contains(&con.ok(set.zrandmember()).expect("there are members").as_str()));
        let mut two = con.ok(set.zrandmember_many(2));
        two.dedup();
        assert_eq!(two.len(), 2);
        let mut all = con.ok(set.zrandmember_many_withscores(500));
        all.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        assert_eq!(all, scored(&[("a", 1.0), ("b", 2.5), ("c", 3.0)]));
        let touched = Touched { id: 1 };
        con.ok(touched.zadd("a", 1.5));
        let _: bool = con.raw(&["EXPIRE", "rank:touched:1:zset", "60"]);
        assert_eq!(con.ok(touched.zrandmember_many_withscores(1)), scored(&[("a", 1.5)]));
        con.assert_left("rank:touched:1:zset", HOUR);
    });
}

#[test]
fn zscan_yields_every_member_with_its_score() {
    everywhere(|con| {
        let set = Numbers { id: 1 };
        assert!(con.scan(set.zscan()).expect("the scan succeeds").is_empty());
        let all: Vec<(u32, f64)> = (0..1500).map(|n| (n, f64::from(n) / 7.0 - 100.0)).collect();
        for chunk in all.chunks(500) {
            con.ok(set.zadd_many(chunk.iter().copied()));
        }
        for count in [1, 100, 500] {
            let mut found = con.scan(set.zscan().with_count(count)).expect("the scan succeeds");
            found.sort_unstable_by_key(|(member, _)| *member);
            found.dedup();
            assert_eq!(found, all);
        }
        con.ok(set.zremrangebyrank(10..5000));
        let mut found = con.scan(set.zscan()).expect("the scan succeeds");
        found.sort_unstable_by_key(|(member, _)| *member);
        assert_eq!(found, all[..10]);
    });
}

#[test]
fn every_read_renews_with_renew_read() {
    on_every_connection(|con| {
        let (set, key) = (Touched { id: 1 }, "rank:touched:1:zset");
        assert_eq!(con.ok(set.zscore("a")), None);
        con.ok(set.zadd("a", 1.5));
        let member = || scored(&[("a", 1.5)]);
        let mut renews = |read: &mut dyn FnMut(&mut Con)| {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
            con.forget_scripts();
            read(con);
            con.assert_left(key, HOUR);
        };
        renews(&mut |con| assert_eq!(con.ok(set.zscore("a")), Some(1.5)));
        renews(&mut |con| assert_eq!(con.ok(set.zmscore(["a", "b"])), [Some(1.5), None]));
        renews(&mut |con| assert_eq!((con.ok(set.zrank("a")), con.ok(set.zrank("b"))), (Some(0), None)));
        renews(&mut |con| assert_eq!(con.ok(set.zrevrank("a")), Some(0)));
        renews(&mut |con| assert_eq!(con.ok(set.zrange_withscores(0..9)), member()));
        renews(&mut |con| assert_eq!(con.ok(set.zrevrange(0..9)), ["a"]));
        renews(&mut |con| assert_eq!(con.ok(set.zrangebyscore_withscores(.., 9)), member()));
        renews(&mut |con| assert_eq!(con.ok(set.zrevrangebyscore(.., 9)), ["a"]));
        renews(&mut |con| assert_eq!((con.ok(set.zcard()), con.ok(set.zcount(2.0..))), (1, 0)));
        renews(&mut |con| assert_eq!(con.scan(set.zscan()).expect("the scan succeeds"), member()));
    });
}

#[test]
fn reads_renew_below_the_threshold() {
    on_every_connection(|con| {
        let (set, key) = (Fading { id: 1 }, "rank:fading:1:zset");
        con.ok(set.zadd("a", 1.0));
        let _: bool = con.raw(&["EXPIRE", key, "1200"]);
        assert_eq!(con.ok(set.zrank("a")), Some(0));
        con.assert_left(key, 20 * MINUTE);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.ok(set.zrange(0..2)), ["a"]);
        con.assert_left(key, HOUR);
    });
}
