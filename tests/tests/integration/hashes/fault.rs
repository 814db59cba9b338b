//! What is not as declared, on the server.

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::on_every_connection;

use super::keys::{Fading, Floats, MINUTE, Numbers, Plain, Touched, Whole};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.contains("holds a list, but a hash is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for word in ["plain", "whole", "floats", "touched", "fading"] {
            let key = format!("map:{word}:1:hash");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let hash = Plain { id: 1 };
        for error in [con.error(hash.hset("a", "x")), con.error(hash.hset_nx("a", "x")), con.error(hash.hdel("a"))] {
            assert_wrong_type(&error);
        }
        assert_wrong_type(&con.error(hash.hset_many([("a", "x")])));
        assert_wrong_type(&con.error(hash.hdel_many(["a"])));
        assert_wrong_type(&con.error(hash.hget("a")));
        assert_wrong_type(&con.error(hash.hmget(["a"])));
        assert_wrong_type(&con.error(hash.hexists("a")));
        assert_wrong_type(&con.error(hash.hlen()));
        assert_wrong_type(&con.error(hash.hstrlen("a")));
        assert_wrong_type(&con.error(hash.hrandfield()));
        assert_wrong_type(&con.scan(hash.hscan()).expect_err("it is a list"));
        assert_wrong_type(&con.error(Whole { id: 1 }.hincr("a", 1)));
        assert_wrong_type(&con.error(Floats { id: 1 }.hincr_by_float("a", 1.0)));
        assert_wrong_type(&con.error(Touched { id: 1 }.hmget(0..250)));
        assert_wrong_type(&con.error(Fading { id: 1 }.hmget(0..250)));
        for word in ["plain", "touched", "fading"] {
            con.assert_left(&format!("map:{word}:1:hash"), MINUTE);
        }
    });
}

#[test]
fn what_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let key = "map:numbers:1:hash";
        let _: u64 = con.raw(&["HSET", key, "1", "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let hash = Numbers { id: 1 };
        for error in [
            con.error(hash.hget(&1)),
            con.error(hash.hmget([1])),
            con.error(hash.hmget(0..250)),
            con.scan(hash.hscan()).expect_err("it does not decode"),
        ] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(key)), "{error}");
            assert!(error.to_string().starts_with("field value of"), "{error}");
            assert!(!format!("{error}{error:?}").contains("secret"), "{error}");
        }
        let _: u64 = con.raw(&["DEL", key]);
        let _: u64 = con.raw(&["HSET", key, "secret", "1"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        for error in [
            con.error(hash.hrandfield()),
            con.error(hash.hrandfield_many(2)),
            con.scan(hash.hscan()).expect_err("it does not decode"),
        ] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(key)), "{error}");
            assert!(error.to_string().starts_with("field name of"), "{error}");
        }
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [
            con.error(Plain { id: 1 }.hset("a", "x")),
            con.error(Plain { id: 1 }.hset_many([("a", "x"), ("b", "x")])),
            con.error(Whole { id: 1 }.hincr("a", 1)),
            con.error(Floats { id: 1 }.hincr_by_float("a", 1.0)),
        ];
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
