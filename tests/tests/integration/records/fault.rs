//! What is not as declared on the server, and users that may not do all.

use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ErrorKind, Sent};
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{LOGIN, Login, LoginOf, PROFILE, Profile, ProfileOf, ada, fields_expire, stored};

#[test]
fn another_type_under_the_key_is_named() {
    everywhere(|con| {
        let _: u64 = con.raw(&["LPUSH", PROFILE, "hidden"]);
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        let key = ProfileOf { id: 1 };
        for error in [
            con.error(key.load()),
            con.error(key.store(&ada())),
            con.error(key.hget(Profile::NAME)),
            con.error(key.hset(Profile::NAME, "x")),
            con.error(key.hincr(Profile::VISITS, 1)),
            con.error(key.hdel(Profile::EMAIL)),
            con.error(key.hexists(Profile::EMAIL)),
        ] {
            let text = error.to_string();
            assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::WrongType, Sent::Yes, Some(PROFILE)));
            assert!(text.contains("list") && text.contains("hash") && !text.contains("hidden"), "{text}");
        }
        con.assert_left(PROFILE, 60_000);
    });
}

/// Runs a write as a user who may not do all of it, once without a record and once on one: it is done, or nothing has changed.
fn is_done_or_refused<T>(
    (admin, user): (&mut Con, &mut Con),
    key: &str,
    fields: &[&str],
    write: impl Fn() -> Command<T>,
    is_done: impl Fn(&mut Con, T) -> bool,
) {
    for there in [false, true] {
        let _: u64 = admin.raw(&["DEL", key]);
        if there {
            let _: u64 = admin.raw(&[&["HSET", key], fields].concat());
            let _: bool = admin.raw(&["EXPIRE", key, "60"]);
        }
        let before = stored(admin, key);
        match user.run(write()) {
            Ok(answer) => assert!(is_done(admin, answer), "{:?}", stored(admin, key)),
            Err(error) => {
                assert!(error.to_string().contains("NOPERM"), "{error}");
                assert_eq!(stored(admin, key), before);
            }
        }
        assert!(admin.pttl(key) != -1, "{key} has no expiry");
    }
}

#[test]
fn a_user_who_may_not_do_all_of_a_write_leaves_nothing_half_done() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let mut denied = vec!["hset", "hsetnx", "hdel", "hincrby", "hget", "pexpire", "pttl", "unlink"];
    if fields_expire(&mut admin) {
        denied.push("hpexpire");
    }
    for denied in denied {
        println!("without {denied}");
        let rule = format!("-{denied}");
        let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", &rule]);
        let mut user = Con::blocking(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
        let (key, other) = (ProfileOf { id: 1 }, Profile { name: "x".to_owned(), ..ada() });
        let is_stored = |con: &mut Con, ()| con.ok(key.load()).as_ref() == Some(&other);
        let is_there = |con: &mut Con, there: bool| there == (con.ok(key.hget(Profile::NAME)).as_deref() == Some("x"));
        let fields = ["name", "Ada", "home", "{}", "score", "1", "level", "5"];
        is_done_or_refused((&mut admin, &mut user), PROFILE, &fields, || key.store(&other), is_stored);
        is_done_or_refused((&mut admin, &mut user), PROFILE, &fields, || key.hset(Profile::NAME, "x"), is_there);
        for (field, count) in [(Profile::LEVEL, 6), (Profile::STARS, 1)] {
            let counted =
                |con: &mut Con, now: Option<u8>| now == con.ok(key.hget(field)) && now.is_none_or(|now| now == count);
            is_done_or_refused((&mut admin, &mut user), PROFILE, &fields, || key.hincr(field, 1), counted);
        }
        if fields_expire(&mut admin) {
            expiring_is_done_or_refused(&mut admin, &mut user);
        }
    }
}

fn expiring_is_done_or_refused(admin: &mut Con, user: &mut Con) {
    let key = LoginOf { id: 1 };
    let expires = |con: &mut Con| con.ok(key.httl(Login::CODE)).left().is_some();
    let fields = ["name", "ada", "code", "7"];
    for login in [Some(5), None].map(|code| Login { name: "x".to_owned(), code, attempts: 1 }) {
        let is_stored =
            |con: &mut Con, ()| con.ok(key.load()).as_ref() == Some(&login) && expires(con) == login.code.is_some();
        is_done_or_refused((&mut *admin, &mut *user), LOGIN, &fields, || key.store(&login), is_stored);
    }
    let is_there = |con: &mut Con, there: bool| expires(con) == there;
    is_done_or_refused((&mut *admin, &mut *user), LOGIN, &fields, || key.hset(Login::CODE, &5), is_there);
    let fields = ["name", "ada"];
    let counted = |con: &mut Con, now: Option<u32>| expires(con) == now.is_some();
    is_done_or_refused((admin, user), LOGIN, &fields, || key.hincr(Login::CODE, 1), counted);
}

#[test]
fn a_full_server_refuses_and_nothing_is_changed() {
    on_every_connection(|con| {
        let key = ProfileOf { id: 1 };
        con.ok(key.store(&ada()));
        let before = stored(con, PROFILE);
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        for error in [
            con.error(key.store(&Profile { email: None, ..ada() })),
            con.error(ProfileOf { id: 2 }.store(&ada())),
            con.error(key.hset(Profile::NAME, "x")),
            con.error(key.hincr(Profile::VISITS, 1)),
        ] {
            assert!(error.to_string().contains("OOM"), "{error}");
        }
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        assert_eq!(stored(con, PROFILE), before);
        assert_eq!(con.pttl("record:profile:2:hash"), -2);
    });
}
