//! What is not as declared, on the server.

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::on_every_connection;

use super::keys::{Fading, Numbers, Plain, Top, Touched};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.contains("holds a list, but a zset is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for word in ["plain", "top", "touched", "fading"] {
            let key = format!("rank:{word}:1:zset");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let set = Plain { id: 1 };
        assert_wrong_type(&con.error(set.zadd("x", 1.0)));
        assert_wrong_type(&con.error(set.zadd_many([("x", 1.0)]).xx()));
        assert_wrong_type(&con.error(set.zincr("x", 1.0)));
        assert_wrong_type(&con.error(Top { id: 1 }.zadd("x", 1.0)));
        assert_wrong_type(&con.error(Top { id: 1 }.zincr("x", 1.0)));
        assert_wrong_type(&con.error(set.zscore("x")));
        assert_wrong_type(&con.error(set.zmscore(["x"])));
        assert_wrong_type(&con.error(set.zrank("x")));
        assert_wrong_type(&con.error(set.zrevrank("x")));
        assert_wrong_type(&con.error(set.zrange(0..5)));
        assert_wrong_type(&con.error(set.zrevrange_withscores(0..5)));
        assert_wrong_type(&con.error(set.zrangebyscore(.., 5)));
        assert_wrong_type(&con.error(set.zrevrangebyscore_withscores(.., 5)));
        assert_wrong_type(&con.error(set.zpopmin()));
        assert_wrong_type(&con.error(set.zpopmax_many(5)));
        assert_wrong_type(&con.error(set.zcard()));
        assert_wrong_type(&con.error(set.zcount(..)));
        assert_wrong_type(&con.error(set.zrem("x")));
        assert_wrong_type(&con.error(set.zremrangebyscore(..)));
        assert_wrong_type(&con.error(set.zremrangebyrank(0..5)));
        assert_wrong_type(&con.error(Touched { id: 1 }.zcard()));
        assert_wrong_type(&con.error(Fading { id: 1 }.zcard()));
        assert_wrong_type(&con.scan(set.zscan()).expect_err("it is a list"));
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "rank:plain:1:zset", "0", "9"]), ["hidden"]);
        con.assert_left("rank:plain:1:zset", 60_000);
    });
}

#[test]
fn a_member_that_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let key = "rank:numbers:1:zset";
        let _: u64 = con.raw(&["ZADD", key, "1", "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let set = Numbers { id: 1 };
        for error in [
            con.error(set.zrange(0..5)),
            con.error(set.zrange_withscores(0..5)),
            con.error(set.zrangebyscore(.., 5)),
            con.scan(set.zscan()).expect_err("it does not decode"),
            con.error(set.zpopmin()),
        ] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(key)), "{error}");
            assert!(!format!("{error}{error:?}").contains("secret"), "{error}");
        }
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [
            con.error(Plain { id: 1 }.zadd("a", 1.0)),
            con.error(Plain { id: 1 }.zadd_many([("a", 1.0)]).nx()),
            con.error(Top { id: 1 }.zadd("a", 1.0)),
        ];
        let incr = con.error(Plain { id: 1 }.zincr("a", 1.0));
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors.iter().chain([&incr]) {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
