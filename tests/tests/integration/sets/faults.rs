//! Keys of another type, members that do not decode, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{errors, on_every_connection};

use super::{Fading, Numbers, Plain, Touched};

const SET: Plain = Plain { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for word in ["plain", "touched", "fading"] {
            let key = format!("bag:{word}:1:set");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let errors = errors!(con,
            run: [
                SET.sadd("x"),
                SET.sadd_many(["x", "y"]),
                SET.srem("x"),
                SET.srem_many(["x"]),
                SET.sismember("x"),
                SET.smismember(["x"]),
                SET.scard(),
                SET.srandmember(),
                SET.srandmember_many(2),
                SET.spop(),
                SET.spop_many(2),
                Touched { id: 1 }.scard(),
                Fading { id: 1 }.scard(),
            ],
            scan: [SET.sscan()],
        );
        errors.assert_kind(ErrorKind::WrongType).assert_message("holds a list, but a set is declared");
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "bag:plain:1:set", "0", "9"]), ["hidden"]);
        con.assert_left("bag:plain:1:set", 60_000);
    });
}

#[test]
fn a_member_that_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let (set, key) = (Numbers { id: 1 }, "bag:numbers:1:set");
        let _: u64 = con.raw(&["SADD", key, "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        // The last one removes the member.
        let errors = errors!(con,
            scan: [set.sscan()],
            run: [set.srandmember(), set.srandmember_many(2), set.spop()],
        );
        errors.assert_kind(ErrorKind::Decode).assert_key(key);
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        let errors = con.without_memory(|con| errors!(con, run: [SET.sadd("a"), SET.sadd_many(["a", "b"])]));
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
