//! Keys of another type, values that do not decode, and servers that fail or reject commands.

use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Command, Error, ErrorKind, SendStatus};
use redis_keys_tests::{Con, errors, everywhere, on_every_connection};

use super::keys::{Blob, Card, CountF64, CountI64, CountU8, FadingText, Note, Sliding, SlidingText, TouchedText};

const NOTE: Note = Note { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    everywhere(|con| {
        for word in ["text:note", "count:long", "count:narrow", "count:float", "text:read", "text:low"] {
            let key = format!("{word}:1:string");
            let _: u64 = con.raw(&["LPUSH", &key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", &key, "60"]);
        }
        let errors = errors!(con, run: [
            NOTE.get(),
            NOTE.get_del(),
            NOTE.get_ex(),
            NOTE.strlen(),
            NOTE.append("x"),
            NOTE.set("x").returning_old(),
            NOTE.set("x").keep_ttl().returning_old(),
        ]);
        errors.assert_key("text:note:1:string");
        let others = [
            ("count:long:1:string", errors!(con, run: [CountI64 { id: 1 }.incr()])),
            ("count:narrow:1:string", errors!(con, run: [CountU8 { id: 1 }.incr()])),
            ("count:float:1:string", errors!(con, run: [CountF64 { id: 1 }.incr_by_float(1.0)])),
            ("text:read:1:string", errors!(con, run: [TouchedText { id: 1 }.get()])),
            ("text:low:1:string", errors!(con, run: [FadingText { id: 1 }.get()])),
        ];
        for (key, error) in &others {
            error.assert_key(key);
        }
        for errors in others.iter().map(|(_, error)| error).chain([&errors]) {
            errors.assert_kind(ErrorKind::WrongType).assert_sent(&[SendStatus::Yes]);
            errors.assert_message("holds a list, but a string is declared");
        }
        con.assert_left("count:long:1:string", 60_000);
        assert_eq!(con.raw::<Vec<String>>(&["LRANGE", "text:note:1:string", "0", "9"]), ["hidden"]);
        assert_eq!(con.ok(Note::get_many([NOTE])), [None], "MGET returns nil for a key of another type");
    });
}

/// Stores text with a raw command, and returns the error of reading it as declared.
fn read_error<K: StringKey>(con: &mut Con, key: &K, bytes: &str) -> Error {
    let name = key.key().map(|key| key.to_string()).unwrap_or_default();
    let _: String = con.raw(&["SET", &name, bytes, "EX", "60"]);
    let error = con.error(key.get());
    let text = error.to_string();
    assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some(name.as_str())), "{text}");
    assert!(!text.contains(bytes) && !format!("{error:?}").contains(bytes), "the error shows the value: {text}");
    error
}

#[test]
fn undecodable_values_are_reported_with_their_type() {
    everywhere(|con| {
        for stored in ["secret", "{\"name\":\"secret\"}", "{\"name\":\"secret\",\"age\":4711}", "[1,", "null"] {
            assert!(read_error(con, &Card { id: 1 }, stored).to_string().contains("Json<Profile>"));
        }
        for stored in ["secret", "-1", "256", "1.5", " 1", "1e2"] {
            assert!(read_error(con, &CountU8 { id: 1 }, stored).to_string().contains("u8"));
        }
        for stored in ["secret", "nan", "inf"] {
            assert!(read_error(con, &CountF64 { id: 1 }, stored).to_string().contains("f64"));
        }
    });
}

#[test]
fn invalid_utf_8_is_an_error() {
    on_every_connection(|con| {
        // Moves the bytes to the key of a text.
        con.ok(Blob { id: 1 }.set(&[0xff, 0xfe]));
        let _: String = con.raw(&["RENAME", "blob:raw:1:string", "text:note:1:string"]);
        let error = con.error(Note { id: 1 }.get());
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        assert!(error.to_string().contains("String"), "{error}");
    });
}

#[test]
fn get_del_removes_a_value_that_does_not_decode() {
    everywhere(|con| {
        let _: String = con.raw(&["SET", "json:profile:1:string", "secret", "EX", "60"]);
        assert_eq!(con.error(Card { id: 1 }.get_del()).kind(), ErrorKind::Decode);
        assert_eq!(con.pttl("json:profile:1:string"), -2);
    });
}

#[test]
fn a_server_error_does_not_show_the_value() {
    everywhere(|con| {
        con.ok(NOTE.set("a"));
        let errors = con.without_memory(|con| errors!(con, run: [NOTE.set("secret")]));
        errors.assert_kind(ErrorKind::Server).assert_sent(&[SendStatus::Yes]).assert_message("OOM");
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    everywhere(|con| {
        let keys = ["count:sliding:1:string", "text:sliding:1:string"];
        for key in keys {
            let _: String = con.raw(&["SET", key, "5", "EX", "60"]);
        }
        let errors = con.without_memory(|con| {
            errors!(con, run: [
                Sliding { id: 1 }.incr(),
                SlidingText { id: 1 }.append("6"),
                CountI64 { id: 1 }.incr(),
                CountF64 { id: 1 }.incr_by_float(1.0),
                NOTE.append("6"),
            ])
        });
        errors.assert_message("OOM: the memory limit is reached");
        for key in keys {
            assert_eq!(con.raw::<String>(&["GET", key]), "5");
            con.assert_left(key, 60_000);
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 2);
    });
}

#[test]
fn a_lost_server_is_a_connection_error() {
    for connect in [Con::blocking, Con::multiplexed] {
        let server = Server::start().expect("a server starts");
        let mut con = connect(&server.url());
        con.ok(CountI64 { id: 1 }.incr());
        drop(server);
        let errors = errors!(con, run: [
            NOTE.set("secret"),
            NOTE.get(),
            CountI64 { id: 1 }.incr(),
            Note::get_many((0..300).map(|id| Note { id })),
        ]);
        errors.assert_kind(ErrorKind::Connection).assert_sent(&[SendStatus::No, SendStatus::Maybe]);
    }
}

#[test]
fn a_command_without_a_reply_in_time_may_have_been_executed() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::with_default_timeouts(&server.url());
    let _: String = con.raw(&["CLIENT", "PAUSE", "1500"]);
    let error = con.error(CountI64 { id: 1 }.incr());
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe), "{error}");
}

/// Runs a write as a user who may not run some of its commands. Asserts that the write is complete and the key expires,
/// or that nothing changed.
fn assert_complete_or_unchanged<T>(admin: &mut Con, user: &mut Con, key: &str, write: impl Into<Command<T>>) {
    let before: Option<String> = admin.raw(&["GET", key]);
    let expired = admin.pttl(key) >= 0;
    let result = user.run(write).err();
    let after: Option<String> = admin.raw(&["GET", key]);
    let Some(error) = result else {
        assert_ne!(before, after, "{key}");
        return admin.assert_left(key, 3_600_000);
    };
    assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::Server, SendStatus::Yes, Some(key)), "{error}");
    assert!(error.to_string().contains("NOPERM: the user lacks a permission"), "{error}");
    assert_eq!(before, after, "{error}");
    assert!(after.is_none() || !expired || admin.pttl(key) >= 0, "{error}");
    assert_eq!(after.is_none(), admin.pttl(key) == -2, "{error}");
}

/// Runs the writes that are scripts on missing keys, and on keys with and without an expiry.
fn write_all(admin: &mut Con, user: &mut Con) {
    for before in [None, Some(&["PERSIST"][..]), Some(&["EXPIRE", "60"][..])] {
        let mut prepare = |key: &str| {
            let _: u64 = admin.raw(&["DEL", key]);
            if let Some([command, arguments @ ..]) = before {
                let _: String = admin.raw(&["SET", key, "5"]);
                let _: bool = admin.raw(&[&[*command, key], arguments].concat());
            }
        };
        prepare("count:long:1:string");
        prepare("count:narrow:1:string");
        prepare("count:float:1:string");
        prepare("count:sliding:1:string");
        prepare("text:note:1:string");
        prepare("text:note:2:string");
        prepare("text:sliding:1:string");
        let con = &mut *admin;
        let renews = before.is_none_or(|before| before.len() == 1);
        assert_complete_or_unchanged(con, user, "count:sliding:1:string", Sliding { id: 1 }.incr());
        assert_complete_or_unchanged(con, user, "text:sliding:1:string", SlidingText { id: 1 }.append("6"));
        if renews {
            assert_complete_or_unchanged(con, user, "count:long:1:string", CountI64 { id: 1 }.incr_by(1 << 60));
            assert_complete_or_unchanged(con, user, "count:narrow:1:string", CountU8 { id: 1 }.incr());
            assert_complete_or_unchanged(con, user, "count:float:1:string", CountF64 { id: 1 }.incr_by_float(0.5));
            assert_complete_or_unchanged(con, user, "text:note:1:string", Note { id: 1 }.append("6"));
            assert_complete_or_unchanged(con, user, "text:note:2:string", Note { id: 2 }.set("6").keep_ttl());
        }
    }
}

#[test]
fn a_write_without_permission_is_complete_or_changes_nothing() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    for denied in ["PEXPIRE", "SET", "INCRBY", "INCRBYFLOAT", "APPEND", "PTTL", "GET", "STRLEN", "UNLINK"] {
        let rule = format!("-{}", denied.to_lowercase());
        let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", &rule]);
        for connect in [Con::blocking, Con::multiplexed] {
            println!("without {denied}");
            let mut user = connect(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
            write_all(&mut admin, &mut user);
        }
    }
}

#[test]
fn a_value_is_read_without_permission_to_renew_it() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", "-pexpire"]);
    let _: String = admin.raw(&["SET", "text:low:1:string", "a", "EX", "60"]);
    for connect in [Con::blocking, Con::multiplexed] {
        let mut user = connect(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
        assert_eq!(user.ok(FadingText { id: 1 }.get()).as_deref(), Some("a"));
        let many = FadingText::get_many([1, 2].map(|id| FadingText { id }));
        assert_eq!(user.ok(many), [Some("a".to_owned()), None]);
    }
}
