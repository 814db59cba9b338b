//! What is not as declared, on the server.

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::on_every_connection;

use super::keys::{Fading, Numbers, Plain, Touched};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.contains("holds a list, but a set is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for word in ["plain", "touched", "fading"] {
            let key = format!("bag:{word}:1:set");
            let _: u64 = con.raw(&["RPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let set = Plain { id: 1 };
        for error in [con.error(set.sadd("x")), con.error(set.srem("x")), con.error(set.sismember("x"))] {
            assert_wrong_type(&error);
        }
        for error in [con.error(set.sadd_many(["x", "y"])), con.error(set.srem_many(["x"])), con.error(set.scard())] {
            assert_wrong_type(&error);
        }
        assert_wrong_type(&con.error(set.smismember(["x"])));
        assert_wrong_type(&con.error(set.srandmember()));
        assert_wrong_type(&con.error(set.srandmember_many(2)));
        assert_wrong_type(&con.error(set.spop()));
        assert_wrong_type(&con.error(set.spop_many(2)));
        assert_wrong_type(&con.error(Touched { id: 1 }.scard()));
        assert_wrong_type(&con.error(Fading { id: 1 }.scard()));
        assert_wrong_type(&con.scan(set.sscan()).expect_err("it is a list"));
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "bag:plain:1:set", "0", "9"]), ["hidden"]);
        con.assert_left("bag:plain:1:set", 60_000);
    });
}

#[test]
fn a_member_that_does_not_decode_is_an_error() {
    on_every_connection(|con| {
        let key = "bag:numbers:1:set";
        let _: u64 = con.raw(&["SADD", key, "secret"]);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let set = Numbers { id: 1 };
        for error in [
            con.error(set.srandmember()),
            con.error(set.srandmember_many(2)).clone(),
            con.scan(set.sscan()).expect_err("it does not decode"),
            con.error(set.spop()),
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
        let errors = [con.error(Plain { id: 1 }.sadd("a")), con.error(Plain { id: 1 }.sadd_many(["a", "b"]))];
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
