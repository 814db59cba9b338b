//! `hexpire httl hpersist`, on servers with and without field expiry.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::{Con, everywhere};

use super::{HOUR, Whole};

const TEN_MINUTES: Duration = Duration::from_secs(600);

fn left(con: &mut Con, field: &str) -> Duration {
    con.ok(Whole { id: 1 }.httl(field)).left().unwrap_or_default()
}

#[test]
fn a_field_expires_before_the_others() {
    everywhere(|con| {
        if !con.supports_field_expiry() {
            return;
        }
        let (hash, key) = (Whole { id: 1 }, "map:whole:1:hash");
        assert!(!con.ok(hash.hexpire("a", TEN_MINUTES)));
        assert_eq!(con.ok(hash.httl("a")), TimeLeft::Missing);
        assert!(!con.ok(hash.hpersist("a")));
        con.ok(hash.hset_many([("a", 1), ("b", 2)]));
        assert_eq!((con.ok(hash.httl("a")), con.ok(hash.httl("c"))), (TimeLeft::Never, TimeLeft::Missing));
        assert!(con.ok(hash.hexpire("a", TEN_MINUTES)));
        assert!(!con.ok(hash.hexpire("c", TEN_MINUTES)));
        assert!(left(con, "a") > Duration::from_secs(590) && left(con, "a") <= TEN_MINUTES);
        con.ok(hash.hincr("a", 1));
        assert!(!left(con, "a").is_zero(), "counting keeps the expiry");
        con.ok(hash.hset("a", &5));
        assert_eq!(con.ok(hash.httl("a")), TimeLeft::Never, "a write removes the expiry");
        assert!(con.ok(hash.hexpire("a", TEN_MINUTES)));
        assert!(con.ok(hash.hpersist("a")));
        assert!(!con.ok(hash.hpersist("a")));
        assert_eq!(con.ok(hash.httl("a")), TimeLeft::Never);
        con.assert_left(key, HOUR);
        assert!(con.ok(hash.hexpire("a", Duration::from_millis(1))));
        while con.ok(hash.hexists("a")) {}
        assert_eq!(con.ok(hash.hget("b")), Some(2));
    });
}

#[test]
fn a_field_expiry_of_zero_or_beyond_the_ttl_is_rejected() {
    everywhere(|con| {
        for time in [Duration::ZERO, Duration::from_secs(3601)] {
            assert_eq!(con.refused(Whole { id: 1 }.hexpire("a", time)).kind(), ErrorKind::Expiry);
        }
    });
}

#[track_caller]
fn assert_unknown(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Server, "{error}");
    assert!(error.to_string().contains("field expiry is not supported: it needs Redis 7.4 or Valkey 9"), "{error}");
}

#[test]
fn servers_without_field_expiry_are_reported() {
    everywhere(|con| {
        if con.supports_field_expiry() {
            return;
        }
        let hash = Whole { id: 1 };
        con.ok(hash.hset("a", &1));
        assert_unknown(&con.error(hash.hexpire("a", TEN_MINUTES)));
        assert_unknown(&con.error(hash.httl("a")));
        assert_unknown(&con.error(hash.hpersist("a")));
        assert_eq!(con.ok(hash.hget("a")), Some(1));
    });
}
