//! `zrem zpopmin zpopmax zremrangebyscore zremrangebyrank`.

use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{MINUTE, Numbers, Plain, scored};

#[test]
fn zrem_returns_the_number_of_removed_members() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert!(!con.ok(set.zrem("a")));
        con.ok(set.zadd_many([("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0)]));
        let _: bool = con.raw(&["EXPIRE", "rank:plain:1:zset", "60"]);
        assert!(con.ok(set.zrem("a")));
        assert_eq!(con.ok(set.zrem_many(["b", "x", "c", "c"])), 2);
        assert_eq!(con.ok(set.zrem_many(Vec::<String>::new())), 0);
        assert_eq!(con.ok(set.zrange(0..9)), ["d"]);
        con.assert_left("rank:plain:1:zset", MINUTE);
    });
}

#[test]
fn zpopmin_and_zpopmax_remove_members_from_the_ends() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert_eq!((con.ok(set.zpopmin()), con.ok(set.zpopmax())), (None, None));
        assert!(con.ok(set.zpopmin_many(3)).is_empty());
        con.ok(set.zadd_many([("a", -1.5), ("b", 2.0), ("c", 3.0), ("d", 4.0), ("e", 5.0), ("f", f64::INFINITY)]));
        assert_eq!(con.ok(set.zpopmin()), Some(("a".to_owned(), -1.5)));
        assert_eq!(con.ok(set.zpopmax()), Some(("f".to_owned(), f64::INFINITY)));
        assert_eq!(con.ok(set.zpopmax_many(2)), scored(&[("e", 5.0), ("d", 4.0)]));
        assert_eq!(con.ok(set.zpopmin_many(500)), scored(&[("b", 2.0), ("c", 3.0)]));
        assert!(!con.ok(set.exists()));
    });
}

#[test]
fn zremrangebyrank_and_zremrangebyscore_remove_ranges() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        assert_eq!((con.ok(set.zremrangebyrank(0..9)), con.ok(set.zremrangebyscore(..))), (0, 0));
        con.ok(set.zadd_many((0..20).map(|n| (n, f64::from(n)))));
        assert_eq!(con.ok(set.zremrangebyrank(0..3)), 3);
        assert_eq!(con.ok(set.zremrangebyrank(15..u32::MAX)), 2);
        assert_eq!(con.ok(set.zremrangebyscore(10.0..12.0)), 2);
        assert_eq!(con.ok(set.zremrangebyscore(16.5..)), 1);
        assert_eq!(con.ok(set.zremrangebyscore(5.0..5.0)), 0);
        assert_eq!(con.ok(set.zrange(0..50)), [3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16]);
    });
}
