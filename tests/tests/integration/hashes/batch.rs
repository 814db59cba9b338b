//! Hashes in batches and atomic groups.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use super::{Floats, HOUR, TaggedKey, Touched, Whole};

#[test]
fn hash_commands_run_in_a_batch() {
    everywhere(|con| {
        con.forget_scripts();
        let (whole, touched) = (Whole { id: 1 }, Touched { id: 1 });
        let (new, count, float, many, counts) = con
            .batch((
                whole.hset("a", &1),
                whole.hincr("a", 2),
                Floats { id: 1 }.hincr_by_float("a", 0.5),
                touched.hset_many([(1, 1), (200, 2)]),
                vec![whole.hincr("b", 1), whole.hincr("b", 1)],
            ))
            .expect("the batch succeeds");
        assert_eq!((new, count, many, counts), (true, 3, 2, vec![1, 2]));
        assert!((float - 0.5).abs() < 1e-12);
        con.forget_scripts();
        let (found, len) = con.batch((touched.hmget(0..250), whole.hlen())).expect("the batch succeeds");
        assert_eq!((found.into_iter().flatten().collect::<Vec<_>>(), len), (vec![1, 2], 2));
        con.assert_left("map:touched:1:hash", HOUR);
    });
}

#[test]
fn hash_commands_run_in_an_atomic_group() {
    everywhere(|con| {
        if !con.has_pipelines() {
            return;
        }
        con.forget_scripts();
        let hash = TaggedKey { id: 7 };
        let (new, sum, values) =
            con.atomic((hash.hset(&1, &1), hash.hincr(&1, 2), hash.hmget([1, 2]))).expect("the batch succeeds");
        assert_eq!((new, sum, values), (true, 3, vec![Some(3), None]));
        let error = con
            .atomic((hash.hset_many((1..5).map(|n| (n, n))), hash.hincr(&1, 1)))
            .expect_err("there are too many fields");
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert_eq!(con.ok(hash.hlen()), 1);
        con.assert_left("map:{7}:tagged:hash", HOUR);
    });
}
