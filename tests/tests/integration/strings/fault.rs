//! What is not as declared, on the server or on the way.

use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Error, ErrorKind, Sent};
use redis_keys_tests::{Con, on_every_connection};

use super::keys::{Blob, Card, CountF64, CountI64, CountU8, Note, RenewedBelow, RenewedByRead};

#[track_caller]
fn assert_wrong_type(error: &Error, key: &str) {
    let text = error.to_string();
    assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::WrongType, Sent::Yes, Some(key)), "{text}");
    assert!(text.contains("list") && text.contains("string"), "both types are named: {text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for key in ["text:note:1:string", "count:long:1:string", "count:narrow:1:string", "count:float:1:string"] {
            let _: u64 = con.raw(&["LPUSH", key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        let note = Note { id: 1 };
        for error in [
            con.error(note.get()),
            con.error(note.get_del()),
            con.error(note.get_ex()),
            con.error(note.strlen()),
            con.error(note.append("x")),
            con.error(note.set("x").returning_old()),
            con.error(note.set("x").keep_ttl().returning_old()),
        ] {
            assert_wrong_type(&error, "text:note:1:string");
        }
        assert_wrong_type(&con.error(CountI64 { id: 1 }.incr()), "count:long:1:string");
        assert_wrong_type(&con.error(CountU8 { id: 1 }.incr()), "count:narrow:1:string");
        assert_wrong_type(&con.error(CountF64 { id: 1 }.incr_by_float(1.0)), "count:float:1:string");
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "text:note:1:string", "0", "9"]), ["hidden"]);
        assert_eq!(con.ok(Note::get_many([Note { id: 1 }])), [None], "MGET sees nothing there");
    });
}

#[test]
fn another_type_is_named_where_reads_renew() {
    on_every_connection(|con| {
        for key in ["text:read:1:string", "text:low:1:string"] {
            let _: u64 = con.raw(&["LPUSH", key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        assert_wrong_type(&con.error(RenewedByRead { id: 1 }.get()), "text:read:1:string");
        assert_wrong_type(&con.error(RenewedBelow { id: 1 }.get()), "text:low:1:string");
    });
}

/// Stores bytes by hand, and says what reading them as declared gives.
fn read_as<K: StringKey>(con: &mut Con, key: &K, bytes: &str) -> Error {
    let name = key.key().map(|key| key.to_string()).unwrap_or_default();
    let _: String = con.raw(&["SET", &name, bytes, "EX", "60"]);
    let error = con.error(key.get());
    let text = error.to_string();
    assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(name.as_str())), "{text}");
    assert!(
        !text.contains(bytes) && !format!("{error:?}").contains(bytes),
        "what is stored is nobody's business: {text}"
    );
    error
}

#[test]
fn what_does_not_decode_is_an_error_with_the_type() {
    on_every_connection(|con| {
        for stored in ["secret", "{\"name\":\"secret\"}", "{\"name\":\"secret\",\"age\":4711}", "[1,", "null"] {
            assert!(read_as(con, &Card { id: 1 }, stored).to_string().contains("Json<Profile>"));
        }
        for stored in ["secret", "-1", "256", "1.5", " 1", "1e2"] {
            assert!(read_as(con, &CountU8 { id: 1 }, stored).to_string().contains("u8"));
        }
        for stored in ["secret", "nan", "inf"] {
            assert!(read_as(con, &CountF64 { id: 1 }, stored).to_string().contains("f64"));
        }
    });
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    on_every_connection(|con| {
        // The same bytes under the key of the text.
        con.ok(Blob { id: 1 }.set(&[0xff, 0xfe]));
        let _: String = con.raw(&["RENAME", "blob:raw:1:string", "text:note:1:string"]);
        let error = con.error(Note { id: 1 }.get());
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        assert!(error.to_string().contains("String"), "{error}");
    });
}

#[test]
fn a_value_that_was_read_is_gone_even_when_it_does_not_decode() {
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", "json:profile:1:string", "secret", "EX", "60"]);
        assert_eq!(con.error(Card { id: 1 }.get_del()).kind(), ErrorKind::Decode);
        assert_eq!(con.pttl("json:profile:1:string"), -2);
    });
}

#[test]
fn a_server_that_refuses_says_why_without_arguments() {
    on_every_connection(|con| {
        con.ok(Note { id: 1 }.set("a"));
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let error = con.error(Note { id: 1 }.set("secret"));
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Server, Sent::Yes), "{error}");
        assert!(error.to_string().contains("OOM") && !error.to_string().contains("secret"), "{error}");
    });
}

#[test]
fn a_lost_server_is_an_error_that_says_so() {
    for connect in [Con::blocking, Con::multiplexed] {
        let server = Server::start().expect("a server starts");
        let mut con = connect(&server.url());
        con.ok(CountI64 { id: 1 }.incr());
        drop(server);
        for error in [
            con.error(Note { id: 1 }.set("secret")),
            con.error(Note { id: 1 }.get()),
            con.error(CountI64 { id: 1 }.incr()),
            con.error(Note::get_many((0..300).map(|id| Note { id }))),
        ] {
            assert_eq!(error.kind(), ErrorKind::Connection, "{error}");
            assert_ne!(error.sent(), Sent::Yes, "{error}");
            assert!(!format!("{error}{error:?}").contains("secret"), "{error}");
        }
    }
}

#[test]
fn a_server_that_is_too_slow_may_have_done_it() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::multiplexed(&server.url());
    let _: String = con.raw(&["CLIENT", "PAUSE", "1500"]);
    let error = con.error(CountI64 { id: 1 }.incr());
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, Sent::Maybe), "{error}");
}
