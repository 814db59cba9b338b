//! Keys of another type, fields that do not decode, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{errors, on_every_connection};

use super::{Fading, Floats, MINUTE, Numbers, Plain, Touched, Whole};

const HASH: Plain = Plain { id: 1 };
const COUNTS: Whole = Whole { id: 1 };
const FLOATS: Floats = Floats { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for word in ["plain", "whole", "floats", "touched", "fading"] {
            let key = format!("map:{word}:1:hash");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let errors = errors!(con,
            run: [
                HASH.hset("a", "x"),
                HASH.hset_nx("a", "x"),
                HASH.hset_many([("a", "x")]),
                HASH.hdel("a"),
                HASH.hdel_many(["a"]),
                HASH.hget("a"),
                HASH.hmget(["a"]),
                HASH.hexists("a"),
                HASH.hlen(),
                HASH.hstrlen("a"),
                HASH.hrandfield(),
                COUNTS.hincr("a", 1),
                FLOATS.hincr_by_float("a", 1.0),
                Touched { id: 1 }.hmget(0..250),
                Fading { id: 1 }.hmget(0..250),
            ],
            scan: [HASH.hscan()],
        );
        errors.assert_kind(ErrorKind::WrongType).assert_message("holds a list, but a hash is declared");
        for word in ["plain", "touched", "fading"] {
            con.assert_left(&format!("map:{word}:1:hash"), MINUTE);
        }
    });
}

#[test]
fn a_field_that_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let (hash, key) = (Numbers { id: 1 }, "map:numbers:1:hash");
        let _: u64 = con.raw(&["HSET", key, "1", "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let errors = errors!(con, run: [hash.hget(&1), hash.hmget([1]), hash.hmget(0..250)], scan: [hash.hscan()]);
        errors.assert_kind(ErrorKind::Decode).assert_key(key).assert_message_start("field value of");
        let _: u64 = con.raw(&["DEL", key]);
        let _: u64 = con.raw(&["HSET", key, "secret", "1"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let errors = errors!(con, run: [hash.hrandfield(), hash.hrandfield_many(2)], scan: [hash.hscan()]);
        errors.assert_kind(ErrorKind::Decode).assert_key(key).assert_message_start("field name of");
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        let errors = con.without_memory(|con| {
            errors!(con, run: [
                HASH.hset("a", "x"),
                HASH.hset_many([("a", "x"), ("b", "x")]),
                COUNTS.hincr("a", 1),
                FLOATS.hincr_by_float("a", 1.0),
            ])
        });
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
