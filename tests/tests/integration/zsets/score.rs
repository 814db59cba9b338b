//! The precision of scores.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::{Capped, Numbers, Top, Touched};

/// Numbers that printing or parsing could change.
const HARD: [f64; 16] = [
    0.1,
    1.0 / 3.0,
    -2.0 / 3.0,
    1e-5,
    9.999_999_999_999_999e-6,
    1e15,
    1e16,
    9_007_199_254_740_991.0,
    9_007_199_254_740_992.0,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    f64::EPSILON,
    123_456_789.123_456_78,
    17_179_869_184.000_004,
];

#[test]
fn scores_are_read_exactly() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        let all = HARD.into_iter().chain([0.0, f64::INFINITY, f64::NEG_INFINITY]);
        let all: Vec<(u32, f64)> = (0..).zip(all).collect();
        con.ok(set.zadd_many(all.iter().copied()));
        let mut by_rank = con.ok(set.zrange_withscores(0..50));
        let mut by_score = con.ok(set.zrevrangebyscore_withscores(.., 50));
        let mut scanned = con.scan(set.zscan()).expect("the scan succeeds");
        for found in [&mut by_rank, &mut by_score, &mut scanned] {
            found.sort_unstable_by_key(|(member, _)| *member);
            assert_eq!(*found, all);
        }
        for (member, score) in &all {
            assert_eq!(con.ok(set.zscore(member)), Some(*score));
            assert!(con.ok(set.zcount(*score..=*score)) == 1, "{score:?} is a range by itself");
        }
        let scores: Vec<_> = all.iter().map(|(_, score)| Some(*score)).collect();
        assert_eq!(con.ok(set.zmscore(all.iter().map(|(member, _)| *member))), scores);
        let mut popped = con.ok(set.zpopmin_many(10));
        popped.extend(con.ok(set.zpopmax_many(10)));
        popped.sort_unstable_by_key(|(member, _)| *member);
        assert_eq!(popped, all);
    });
}

#[test]
fn scripts_read_scores_exactly() {
    on_every_connection(|con| {
        let set = Touched { id: 1 };
        for score in HARD.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY]) {
            con.ok(set.zadd("a", score));
            assert_eq!(con.ok(set.zscore("a")), Some(score));
            assert_eq!(con.ok(set.zmscore(["a"])), [Some(score)]);
            assert_eq!(con.ok(set.zrange_withscores(0..1)), [("a".to_owned(), score)]);
        }
    });
}

#[test]
fn increments_of_scores_are_exact() {
    on_every_connection(|con| {
        let set = Numbers { id: 1 };
        let mut sum = 0.0;
        for step in [0.1, 0.2, -1e-9, 1e16, -1e16, 2.5e-300] {
            sum += step;
            assert_eq!(con.ok(set.zincr(&1, step)).to_bits(), f64::to_bits(sum));
        }
        assert!(con.ok(set.zincr(&2, f64::INFINITY)).is_infinite());
        assert!(con.ok(set.zincr(&2, 1.0)).is_infinite());
    });
}

#[test]
fn an_increment_to_nan_changes_nothing() {
    on_every_connection(|con| {
        con.ok(Capped { id: 1 }.zadd("a", f64::INFINITY));
        con.ok(Top { id: 1 }.zadd("a", f64::NEG_INFINITY));
        let _: bool = con.raw(&["EXPIRE", "rank:capped:1:zset", "60"]);
        con.forget_scripts();
        for error in [
            con.error(Capped { id: 1 }.zincr("a", f64::NEG_INFINITY)),
            con.error(Top { id: 1 }.zincr("a", f64::INFINITY)),
        ] {
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
            assert!(error.to_string().ends_with("results in NaN; nothing was changed"), "{error}");
        }
        assert_eq!(con.ok(Capped { id: 1 }.zscore("a")), Some(f64::INFINITY));
        con.assert_left("rank:capped:1:zset", 60_000);
    });
}
