//! Fields that expire, on servers with and without field expiry.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::{Con, everywhere};

use super::keys::{LOGIN, Login, LoginOf};

const KEY: LoginOf = LoginOf { id: 1 };

fn login() -> Login {
    Login { name: "ada".to_owned(), code: Some(1234), attempts: 3 }
}

/// Runs a test on servers with field expiry.
fn with_field_expiry(test: impl Fn(&mut Con)) {
    everywhere(|con| {
        if con.supports_field_expiry() {
            test(con);
        }
    });
}

/// Returns the remaining time of a field in milliseconds.
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
    with_field_expiry(|con| {
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
    with_field_expiry(|con| {
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
    with_field_expiry(|con| {
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
    with_field_expiry(|con| {
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
fn assert_unsupported(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Server, "{error}");
    assert!(error.to_string().contains("field expiry is not supported: it needs Redis 7.4 or Valkey 9"), "{error}");
}

#[test]
fn servers_without_field_expiry_change_nothing() {
    everywhere(|con| {
        if con.supports_field_expiry() {
            return;
        }
        assert_unsupported(&con.error(KEY.store(&login())));
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
            assert_unsupported(&error);
        }
        assert_eq!(con.raw::<Vec<String>>(&["HKEYS", LOGIN]), ["name"]);
        assert!(con.ok(KEY.hset(Login::NAME, "x")));
        con.assert_left(LOGIN, 60_000);
        let found = Login { name: "x".to_owned(), code: None, attempts: 0 };
        assert_eq!(con.ok(KEY.load()), Some(found));
    });
}
