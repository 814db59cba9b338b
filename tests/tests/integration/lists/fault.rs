//! What is not as declared, on the server.

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind, list::ListEnd};
use redis_keys_tests::on_every_connection;

use super::keys::{Fading, Plain, Recent, Touched};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.contains("holds a string, but a list is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for word in ["plain", "recent", "touched", "fading"] {
            let _: String = con.raw(&["SET", &format!("line:{word}:1:list"), "hidden", "EX", "60"]);
        }
        let list = Plain { id: 1 };
        for error in [
            con.error(list.lpush("x")),
            con.error(list.rpush_many(["x", "y"])),
            con.error(Recent { id: 1 }.lpush("x")),
            con.error(Recent { id: 1 }.rpush_many(["x"])),
            con.error(list.lset(0, "x")),
        ] {
            assert_wrong_type(&error);
        }
        for error in [con.error(list.lpop()), con.error(list.rpop()), con.error(list.lindex(0))] {
            assert_wrong_type(&error);
        }
        for error in
            [con.error(list.lpop_many(2)), con.error(list.lrange(0..5)), con.error(Touched { id: 1 }.lrange(0..5))]
        {
            assert_wrong_type(&error);
        }
        assert_wrong_type(&con.error(list.llen()));
        assert_wrong_type(&con.error(list.ltrim(0..5)));
        assert_wrong_type(&con.error(list.lrem(0, "x")));
        assert_wrong_type(&con.error(Fading { id: 1 }.llen()));
        assert_wrong_type(&con.error(Recent { id: 2 }.lmove(&list, ListEnd::Left, ListEnd::Left)));
        assert_wrong_type(&con.scan(list.lpages(5)).expect_err("it is a string"));
        assert_eq!(con.raw::<String>(&["GET", "line:plain:1:list"]), "hidden");
        con.assert_left("line:plain:1:list", 60_000);
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        con.ok(Plain { id: 1 }.rpush("a"));
        let _: bool = con.raw(&["EXPIRE", "line:plain:1:list", "60"]);
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [
            con.error(Plain { id: 1 }.rpush("b")),
            con.error(Plain { id: 2 }.lpush_many(["b"])),
            con.error(Recent { id: 1 }.lpush("b")),
        ];
        let set = con.error(Plain { id: 1 }.lset(0, "b"));
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors.iter().chain([&set]) {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.ok(Plain { id: 1 }.lrange(0..5)), ["a"]);
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 1);
        con.assert_left("line:plain:1:list", 60_000);
    });
}
