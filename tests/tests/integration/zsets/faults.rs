//! Keys of another type, members that do not decode, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{errors, on_every_connection};

use super::{Fading, Numbers, Plain, Top, Touched};

const SET: Plain = Plain { id: 1 };
const TOP: Top = Top { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for word in ["plain", "top", "touched", "fading"] {
            let key = format!("rank:{word}:1:zset");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let errors = errors!(con,
            run: [
                SET.zadd("x", 1.0),
                SET.zadd_many([("x", 1.0)]).xx(),
                SET.zincr("x", 1.0),
                TOP.zadd("x", 1.0),
                TOP.zincr("x", 1.0),
                SET.zscore("x"),
                SET.zmscore(["x"]),
                SET.zrank("x"),
                SET.zrevrank("x"),
                SET.zrange(0..5),
                SET.zrevrange_withscores(0..5),
                SET.zrangebyscore(.., 5),
                SET.zrevrangebyscore_withscores(.., 5),
                SET.zpopmin(),
                SET.zpopmax_many(5),
                SET.zcard(),
                SET.zcount(..),
                SET.zrem("x"),
                SET.zremrangebyscore(..),
                SET.zremrangebyrank(0..5),
                Touched { id: 1 }.zcard(),
                Fading { id: 1 }.zcard(),
            ],
            scan: [SET.zscan()],
        );
        errors.assert_kind(ErrorKind::WrongType).assert_message("holds a list, but a zset is declared");
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "rank:plain:1:zset", "0", "9"]), ["hidden"]);
        con.assert_left("rank:plain:1:zset", 60_000);
    });
}

#[test]
fn a_member_that_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let (set, key) = (Numbers { id: 1 }, "rank:numbers:1:zset");
        let _: u64 = con.raw(&["ZADD", key, "1", "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        // The last one removes the member.
        let errors = errors!(con,
            scan: [set.zscan()],
            run: [set.zrange(0..5), set.zrange_withscores(0..5), set.zrangebyscore(.., 5), set.zpopmin()],
        );
        errors.assert_kind(ErrorKind::Decode).assert_key(key);
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        let errors = con.without_memory(|con| {
            errors!(con, run: [
                SET.zadd("a", 1.0),
                SET.zadd_many([("a", 1.0)]).nx(),
                TOP.zadd("a", 1.0),
                SET.zincr("a", 1.0),
            ])
        });
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
