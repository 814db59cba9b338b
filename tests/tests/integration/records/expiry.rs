//! Fields that go away by themselves, and servers that do not know of that.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::{Con, everywhere};

use super::keys::{LOGIN, Login, LoginOf, fields_expire};

const KEY: LoginOf = LoginOf { id: 1 };

fn login() -> Login {
    Login { name: "ada".to_owned(), code: Some(1234), attempts: 3 }
}

/// Where fields expire.
fn where_fields_expire(test: impl Fn(&mut Con)) {
    everywhere(|con| {
        if fields_expire(con) {
            test(con);
        }
    });
}

/// What is left of a field's life in milliseconds.
fn left(con: &mut Con, field: &str) -> i64 {
    con.raw::<Vec<i64>>(&["HPTTL", LOGIN, "FIELDS", "1", field])[0]
}

#[track_caller]
fn assert_left(con: &mut Con, field: &str, ms: i64) {
    let left = left(con, field);
    assert!((ms - 5_000..=ms).contains(&left), "{field} has {left} ms left, not {ms}");
}

#[test]
fn a_stored_record_has_fields_that_expire() {
    where_fields_expire(|con| {
        con.ok(KEY.store(&login()));
        con.assert_left(LOGIN, 3_600_000);
        assert_left(con, "code", 600_000);
        assert_left(con, "attempts", 1_200_000);
        assert_eq!(left(con, "name"), -1);
        let _: Vec<i64> = con.raw(&["HPEXPIRE", LOGIN, "1", "FIELDS", "1", "code"]);
        let gone = Login { code: None, ..login() };
        while con.ok(KEY.hget(Login::CODE)).is_some() {}
        assert_eq!(con.ok(KEY.load()), Some(gone.clone()));
        con.ok(KEY.store(&gone));
        assert_eq!(left(con, "code"), -2);
        let _: u64 = con.raw(&["HDEL", LOGIN, "attempts"]);
        assert_eq!(con.ok(KEY.load()), Some(Login { attempts: 0, ..gone }));
    });
}

#[test]
fn writing_a_field_restarts_its_expiry() {
    where_fields_expire(|con| {
        con.ok(KEY.store(&Login { code: None, ..login() }));
        assert!(con.ok(KEY.hset(Login::CODE, &5)));
        assert_left(con, "code", 600_000);
        for write in [KEY.hset(Login::CODE, &6), KEY.hexpire(Login::CODE)] {
            let _: Vec<i64> = con.raw(&["HPEXPIRE", LOGIN, "60000", "FIELDS", "1", "code"]);
            assert!(con.ok(write));
            assert_left(con, "code", 600_000);
        }
        let _: Vec<i64> = con.raw(&["HPEXPIRE", LOGIN, "60000", "FIELDS", "1", "code"]);
        con.ok(KEY.store(&login()));
        assert_left(con, "code", 600_000);
        assert!(con.ok(KEY.hset(Login::NAME, "x")));
        assert_eq!(left(con, "name"), -1);
    });
}

#[test]
fn a_count_keeps_the_expiry_of_its_field() {
    where_fields_expire(|con| {
        con.ok(KEY.store(&Login { code: None, ..login() }));
        assert_eq!(con.ok(KEY.hincr(Login::CODE, 1)), Some(1));
        assert_left(con, "code", 600_000);
        let _: Vec<i64> = con.raw(&["HPEXPIRE", LOGIN, "60000", "FIELDS", "1", "code"]);
        assert_eq!(con.ok(KEY.hincr(Login::CODE, 1)), Some(2));
        assert_left(con, "code", 60_000);
    });
}

#[test]
fn httl_returns_the_remaining_time() {
    where_fields_expire(|con| {
        assert_eq!(con.ok(KEY.httl(Login::CODE)), TimeLeft::Missing);
        assert!(!con.ok(KEY.hexpire(Login::CODE)) && !con.ok(KEY.hpersist(Login::CODE)));
        con.ok(KEY.store(&Login { code: None, ..login() }));
        assert_eq!(con.ok(KEY.httl(Login::CODE)), TimeLeft::Missing);
        assert!(!con.ok(KEY.hexpire(Login::CODE)) && !con.ok(KEY.hpersist(Login::CODE)));
        con.ok(KEY.store(&login()));
        let left = con.ok(KEY.httl(Login::CODE)).left().expect("the field expires");
        assert!(left <= Duration::from_secs(600) && left > Duration::from_secs(590), "{left:?}");
        assert!(con.ok(KEY.hpersist(Login::CODE)));
        assert!(!con.ok(KEY.hpersist(Login::CODE)));
        assert_eq!(con.ok(KEY.httl(Login::CODE)), TimeLeft::Never);
        assert!(con.ok(KEY.hexpire(Login::CODE)));
        assert_left(con, "code", 600_000);
    });
}

#[track_caller]
fn assert_says_what_is_needed(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Server, "{error}");
    assert!(error.to_string().contains("field expiry is not supported: it needs Redis 7.4 or Valkey 9"), "{error}");
}

#[test]
fn servers_without_field_expiry_change_nothing() {
    everywhere(|con| {
        if fields_expire(con) {
            return;
        }
        assert_says_what_is_needed(&con.error(KEY.store(&login())));
        assert_eq!(con.pttl(LOGIN), -2);
        let _: u64 = con.raw(&["HSET", LOGIN, "name", "ada"]);
        let _: bool = con.raw(&["EXPIRE", LOGIN, "60"]);
        for error in [
            con.error(KEY.store(&login())),
            con.error(KEY.hset(Login::CODE, &5)),
            con.error(KEY.hincr(Login::CODE, 5)),
            con.error(KEY.hexpire(Login::CODE)),
            con.error(KEY.httl(Login::CODE)),
            con.error(KEY.hpersist(Login::CODE)),
        ] {
            assert_says_what_is_needed(&error);
        }
        assert_eq!(con.raw::<Vec<String>>(&["HKEYS", LOGIN]), ["name"]);
        assert!(con.ok(KEY.hset(Login::NAME, "x")));
        con.assert_left(LOGIN, 60_000);
        let found = Login { name: "x".to_owned(), code: None, attempts: 0 };
        assert_eq!(con.ok(KEY.load()), Some(found));
    });
}
