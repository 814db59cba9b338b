//! Keys of another type, servers without memory, and users who may not run some commands.

use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, errors, everywhere, on_every_connection};

use super::keys::{LOGIN, Login, LoginOf, PROFILE, Profile, ProfileOf, ada, stored};

const KEY: ProfileOf = ProfileOf { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    everywhere(|con| {
        let _: u64 = con.raw(&["LPUSH", PROFILE, "hidden"]);
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        let errors = errors!(con, run: [
            KEY.load(),
            KEY.store(&ada()),
            KEY.hget(Profile::NAME),
            KEY.hset(Profile::NAME, "x"),
            KEY.hincr(Profile::VISITS, 1),
            KEY.hdel(Profile::EMAIL),
            KEY.hexists(Profile::EMAIL),
        ]);
        errors.assert_kind(ErrorKind::WrongType).assert_sent(&[SendStatus::Yes]).assert_key(PROFILE);
        errors.assert_message("holds a list, but a hash is declared");
        con.assert_left(PROFILE, 60_000);
    });
}

/// Runs a write as a user who may not run some of its commands, with and without an existing record. Asserts that the
/// write is complete or changes nothing.
fn assert_complete_or_unchanged<T>(
    (admin, user): (&mut Con, &mut Con),
    key: &str,
    fields: &[&str],
    write: impl Fn() -> Command<T>,
    is_complete: impl Fn(&mut Con, T) -> bool,
) {
    for exists in [false, true] {
        let _: u64 = admin.raw(&["DEL", key]);
        if exists {
            let _: u64 = admin.raw(&[&["HSET", key], fields].concat());
            let _: bool = admin.raw(&["EXPIRE", key, "60"]);
        }
        let before = stored(admin, key);
        match user.run(write()) {
            Ok(result) => assert!(is_complete(admin, result), "{:?}", stored(admin, key)),
            Err(error) => {
                assert!(error.to_string().contains("NOPERM"), "{error}");
                assert_eq!(stored(admin, key), before);
            }
        }
        assert!(admin.pttl(key) != -1, "{key} has no expiry");
    }
}

#[test]
fn a_write_without_permission_is_complete_or_changes_nothing() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let mut denied = vec!["hset", "hsetnx", "hdel", "hincrby", "hget", "pexpire", "pttl", "unlink"];
    if admin.supports_field_expiry() {
        denied.push("hpexpire");
    }
    for denied in denied {
        println!("without {denied}");
        let rule = format!("-{denied}");
        let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", &rule]);
        let mut user = Con::blocking(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
        let (key, other) = (ProfileOf { id: 1 }, Profile { name: "x".to_owned(), ..ada() });
        let is_stored = |con: &mut Con, ()| con.ok(key.load()).as_ref() == Some(&other);
        let is_written =
            |con: &mut Con, written: bool| written == (con.ok(key.hget(Profile::NAME)).as_deref() == Some("x"));
        let fields = ["name", "Ada", "home", "{}", "score", "1", "level", "5"];
        assert_complete_or_unchanged((&mut admin, &mut user), PROFILE, &fields, || key.store(&other), is_stored);
        assert_complete_or_unchanged(
            (&mut admin, &mut user),
            PROFILE,
            &fields,
            || key.hset(Profile::NAME, "x"),
            is_written,
        );
        for (field, expected) in [(Profile::LEVEL, 6), (Profile::STARS, 1)] {
            let counted = |con: &mut Con, count: Option<u8>| {
                count == con.ok(key.hget(field)) && count.is_none_or(|count| count == expected)
            };
            assert_complete_or_unchanged((&mut admin, &mut user), PROFILE, &fields, || key.hincr(field, 1), counted);
        }
        if admin.supports_field_expiry() {
            assert_expiring_complete_or_unchanged(&mut admin, &mut user);
        }
    }
}

fn assert_expiring_complete_or_unchanged(admin: &mut Con, user: &mut Con) {
    let key = LoginOf { id: 1 };
    let expires = |con: &mut Con| con.ok(key.httl(Login::CODE)).left().is_some();
    let fields = ["name", "ada", "code", "7"];
    for login in [Some(5), None].map(|code| Login { name: "x".to_owned(), code, attempts: 1 }) {
        let is_stored =
            |con: &mut Con, ()| con.ok(key.load()).as_ref() == Some(&login) && expires(con) == login.code.is_some();
        assert_complete_or_unchanged((&mut *admin, &mut *user), LOGIN, &fields, || key.store(&login), is_stored);
    }
    let is_written = |con: &mut Con, written: bool| expires(con) == written;
    assert_complete_or_unchanged((&mut *admin, &mut *user), LOGIN, &fields, || key.hset(Login::CODE, &5), is_written);
    let fields = ["name", "ada"];
    let counted = |con: &mut Con, count: Option<u32>| expires(con) == count.is_some();
    assert_complete_or_unchanged((admin, user), LOGIN, &fields, || key.hincr(Login::CODE, 1), counted);
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        con.ok(KEY.store(&ada()));
        let before = stored(con, PROFILE);
        let errors = con.without_memory(|con| {
            errors!(con, run: [
                KEY.store(&Profile { email: None, ..ada() }),
                ProfileOf { id: 2 }.store(&ada()),
                KEY.hset(Profile::NAME, "x"),
                KEY.hincr(Profile::VISITS, 1),
            ])
        });
        errors.assert_message("OOM");
        assert_eq!(stored(con, PROFILE), before);
        assert_eq!(con.pttl("record:profile:2:hash"), -2);
    });
}
