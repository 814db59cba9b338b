//! Ranges by rank and by score.

use std::ops::Bound;

use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Plain, scored};

#[test]
fn ranges_by_rank_are_read_in_both_directions() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert!(con.ok(set.zrange(0..5)).is_empty());
        assert!(con.ok(set.zrevrange_withscores(0..5)).is_empty());
        con.ok(set.zadd_many([("a", 1.0), ("b", 2.0), ("c", 3.0)]));
        assert_eq!(con.ok(set.zrange(0..2)), ["a", "b"]);
        assert_eq!(con.ok(set.zrange(1..5001)), ["b", "c"]);
        assert_eq!(con.ok(set.zrevrange(0..2)), ["c", "b"]);
        assert_eq!(con.ok(set.zrange_withscores(2..3)), scored(&[("c", 3.0)]));
        assert_eq!(con.ok(set.zrevrange_withscores(1..3)), scored(&[("b", 2.0), ("a", 1.0)]));
        assert!(con.ok(set.zrange(3..4)).is_empty());
    });
}

#[test]
fn ranges_by_score_respect_their_bounds() {
    on_every_connection(|con| {
        let set = Plain { id: 1 };
        assert!(con.ok(set.zrangebyscore(.., 5)).is_empty());
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        con.ok(set.zadd_many([("low", low), ("a", -1.0), ("b", 0.0), ("c", 1.5), ("d", 1.5), ("high", high)]));
        assert_eq!(con.ok(set.zrangebyscore(.., 5000)), ["low", "a", "b", "c", "d", "high"]);
        assert_eq!(con.ok(set.zrangebyscore(.., 2)), ["low", "a"]);
        assert_eq!(con.ok(set.zrangebyscore(-1.0..1.5, 9)), ["a", "b"]);
        assert_eq!(con.ok(set.zrangebyscore(-1.0..=1.5, 9)), ["a", "b", "c", "d"]);
        assert_eq!(con.ok(set.zrangebyscore(1.5..=1.5, 9)), ["c", "d"]);
        let inner = (Bound::Excluded(low), Bound::Excluded(high));
        assert_eq!(con.ok(set.zrangebyscore(inner, 9)), ["a", "b", "c", "d"]);
        assert_eq!(con.ok(set.zrangebyscore((Bound::Excluded(-1.0), Bound::Unbounded), 2)), ["b", "c"]);
        assert!(con.ok(set.zrangebyscore(1.0..1.0, 9)).is_empty());
        assert!(con.ok(set.zrangebyscore(5.0..9.0, 9)).is_empty());
        assert_eq!(con.ok(set.zrevrangebyscore(-1.0..1.5, 9)), ["b", "a"]);
        assert_eq!(con.ok(set.zrevrangebyscore(0.0.., 2)), ["high", "d"]);
        assert_eq!(con.ok(set.zrangebyscore_withscores(1.0.., 2)), scored(&[("c", 1.5), ("d", 1.5)]));
        assert_eq!(con.ok(set.zrevrangebyscore_withscores(..0.0, 9)), scored(&[("a", -1.0), ("low", low)]));
        assert_eq!((con.ok(set.zcount(..)), con.ok(set.zcount(-1.0..1.5)), con.ok(set.zcount(inner))), (6, 2, 4));
        assert_eq!(con.ok(set.zcount(2.0..1.0e300)), 0);
    });
}
