//! Keys of another type, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;
use redis_keys_tests::{errors, on_every_connection};

use super::{Fading, Plain, Recent, Touched};

const LIST: Plain = Plain { id: 1 };
const RECENT: Recent = Recent { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for word in ["plain", "recent", "touched", "fading"] {
            let _: String = con.raw(&["SET", &format!("line:{word}:1:list"), "hidden", "EX", "60"]);
        }
        let errors = errors!(con,
            run: [
                LIST.lpush("x"),
                LIST.rpush_many(["x", "y"]),
                RECENT.lpush("x"),
                RECENT.rpush_many(["x"]),
                LIST.lset(0, "x"),
                LIST.lpop(),
                LIST.rpop(),
                LIST.lindex(0),
                LIST.lpop_many(2),
                LIST.lrange(0..5),
                LIST.llen(),
                LIST.ltrim(0..5),
                LIST.lrem(0, "x"),
                Touched { id: 1 }.lrange(0..5),
                Fading { id: 1 }.llen(),
                Recent { id: 2 }.lmove(&LIST, ListEnd::Left, ListEnd::Left),
            ],
            scan: [LIST.lpages(5)],
        );
        errors.assert_kind(ErrorKind::WrongType).assert_message("holds a string, but a list is declared");
        assert_eq!(con.raw::<String>(&["GET", "line:plain:1:list"]), "hidden");
        con.assert_left("line:plain:1:list", 60_000);
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        con.ok(LIST.rpush("a"));
        let _: bool = con.raw(&["EXPIRE", "line:plain:1:list", "60"]);
        let errors = con.without_memory(|con| {
            errors!(con, run: [LIST.rpush("b"), Plain { id: 2 }.lpush_many(["b"]), RECENT.lpush("b"), LIST.lset(0, "b")])
        });
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.ok(LIST.lrange(0..5)), ["a"]);
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 1);
        con.assert_left("line:plain:1:list", 60_000);
    });
}
