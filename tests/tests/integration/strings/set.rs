//! Writing: `set`, `set_nx`, `set_xx` and their options.

use std::time::{Duration, SystemTime};

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, Rule};
use redis_keys_tests::everywhere;

use super::keys::{CountF64, KeptText, NamedText, Note, Small};

const NOTE: &str = "text:note:1:string";
const HOUR: Duration = Duration::from_secs(3_600);

#[test]
fn set_restarts_the_declared_expiry() {
    everywhere(|con| {
        con.ok(Note { id: 1 }.set("a"));
        con.assert_left(NOTE, 3_600_000);
        let _: bool = con.raw(&["EXPIRE", NOTE, "60"]);
        con.ok(Note { id: 1 }.set("b"));
        con.assert_left(NOTE, 3_600_000);
    });
}

#[test]
fn set_nx_writes_only_missing_keys() {
    everywhere(|con| {
        assert!(con.ok(Note { id: 1 }.set_nx("first")));
        con.assert_left(NOTE, 3_600_000);
        let _: bool = con.raw(&["EXPIRE", NOTE, "60"]);
        assert!(!con.ok(Note { id: 1 }.set_nx("second")));
        con.assert_left(NOTE, 60_000);
        assert_eq!(con.ok(Note { id: 1 }.get()).as_deref(), Some("first"));
    });
}

#[test]
fn set_xx_writes_only_existing_keys() {
    everywhere(|con| {
        assert!(!con.ok(Note { id: 1 }.set_xx("first")));
        assert_eq!(con.ok(Note { id: 1 }.get()), None);
        con.ok(Note { id: 1 }.set("first"));
        let _: bool = con.raw(&["EXPIRE", NOTE, "60"]);
        assert!(con.ok(Note { id: 1 }.set_xx("second")));
        con.assert_left(NOTE, 3_600_000);
        assert_eq!(con.ok(Note { id: 1 }.get()).as_deref(), Some("second"));
    });
}

#[test]
fn returning_old_returns_the_previous_value() {
    everywhere(|con| {
        assert_eq!(con.ok(Note { id: 1 }.set("first").returning_old()), None);
        assert_eq!(con.ok(Note { id: 1 }.set("second").returning_old()).as_deref(), Some("first"));
        assert_eq!(con.ok(Note { id: 1 }.get()).as_deref(), Some("second"));
        con.assert_left(NOTE, 3_600_000);
    });
}

#[test]
fn keep_ttl_keeps_the_expiry() {
    everywhere(|con| {
        con.ok(Note { id: 1 }.set("first"));
        let _: bool = con.raw(&["EXPIRE", NOTE, "60"]);
        con.ok(Note { id: 1 }.set("second").keep_ttl());
        con.assert_left(NOTE, 60_000);
        assert_eq!(con.ok(Note { id: 1 }.set("third").keep_ttl().returning_old()).as_deref(), Some("second"));
        con.assert_left(NOTE, 60_000);
        assert_eq!(con.ok(Note { id: 1 }.get()).as_deref(), Some("third"));
    });
}

#[test]
fn keep_ttl_on_a_missing_key_sets_the_declared_expiry() {
    everywhere(|con| {
        con.ok(Note { id: 1 }.set("new").keep_ttl());
        con.assert_left(NOTE, 3_600_000);
        assert_eq!(con.ok(Note { id: 2 }.set("new").keep_ttl().returning_old()), None);
        con.assert_left("text:note:2:string", 3_600_000);
    });
}

#[test]
fn keep_ttl_adds_a_missing_expiry() {
    everywhere(|con| {
        let _: String = con.raw(&["SET", NOTE, "foreign"]);
        con.ok(Note { id: 1 }.set("ours").keep_ttl());
        con.assert_left(NOTE, 3_600_000);
    });
}

#[test]
fn set_xx_keeps_the_expiry_with_keep_ttl() {
    everywhere(|con| {
        assert!(!con.ok(Note { id: 1 }.set_xx("missing").keep_ttl()));
        assert_eq!(con.pttl(NOTE), -2);
        con.ok(Note { id: 1 }.set("first"));
        let _: bool = con.raw(&["EXPIRE", NOTE, "60"]);
        assert!(con.ok(Note { id: 1 }.set_xx("second").keep_ttl()));
        con.assert_left(NOTE, 60_000);
    });
}

#[test]
fn one_call_may_shorten_the_expiry() {
    everywhere(|con| {
        con.ok(Note { id: 1 }.set("short").expire_in(Duration::from_secs(90)));
        con.assert_left(NOTE, 90_000);
        con.ok(Note { id: 1 }.set("until").expire_at(SystemTime::now() + Duration::from_secs(120)));
        con.assert_left(NOTE, 120_000);
        con.ok(Note { id: 1 }.set("full").expire_in(HOUR));
        con.assert_left(NOTE, 3_600_000);
        assert!(con.ok(Note { id: 2 }.set_nx("short").expire_in(Duration::from_secs(90))));
        con.assert_left("text:note:2:string", 90_000);
    });
}

#[test]
fn an_expiry_beyond_the_declared_one_is_rejected() {
    everywhere(|con| {
        let beyond = [
            con.refused(Note { id: 1 }.set("x").expire_in(HOUR + Duration::from_millis(1))),
            con.refused(Note { id: 1 }.set("x").expire_in(Duration::MAX)),
            con.refused(Note { id: 1 }.set("x").expire_at(SystemTime::now() + 2 * HOUR)),
            con.refused(Note { id: 1 }.set("x").expire_in(Duration::ZERO)),
            con.refused(Note { id: 1 }.set("x").expire_at(SystemTime::UNIX_EPOCH)),
            con.refused(Note { id: 1 }.set_nx("x").expire_in(2 * HOUR)),
        ];
        for error in beyond {
            assert_eq!((error.kind(), error.rule()), (ErrorKind::Expiry, Some(Rule::Expiry)), "{error}");
        }
        assert_eq!(con.pttl(NOTE), -2);
    });
}

#[test]
fn without_a_declared_expiry_any_that_redis_accepts_can_be_set() {
    everywhere(|con| {
        let most = Duration::from_millis(i64::MAX as u64 / 2);
        con.ok(Note { id: 1 }.set("x").expire_in(Duration::ZERO).expire_in(HOUR));
        con.ok(KeptText { id: 1 }.set("x").expire_in(most));
        assert!(con.pttl("never:text:1:string") > i64::MAX / 4);
        con.refused(KeptText { id: 1 }.set("x").expire_in(most + HOUR));
        con.refused(KeptText { id: 1 }.set("x").expire_in(Duration::MAX));
        con.ok(KeptText { id: 1 }.set("x"));
    });
}

#[test]
fn never_means_no_expiry() {
    everywhere(|con| {
        con.ok(KeptText { id: 1 }.set("a"));
        assert_eq!(con.pttl("never:text:1:string"), -1);
        con.ok(KeptText { id: 1 }.set("b").keep_ttl());
        assert_eq!(con.pttl("never:text:1:string"), -1);
        assert!(con.ok(KeptText { id: 2 }.set_nx("a")));
        assert_eq!(con.pttl("never:text:2:string"), -1);
    });
}

#[test]
fn values_beyond_max_bytes_are_rejected() {
    everywhere(|con| {
        con.ok(Small { id: 1 }.set("12345678"));
        for refused in [
            con.refused(Small { id: 1 }.set("123456789")),
            con.refused(Small { id: 1 }.set("1234567Ä")),
            con.refused(Small { id: 1 }.set("123456789").keep_ttl()),
            con.refused(Small { id: 1 }.set("123456789").returning_old()),
            con.refused(Small { id: 1 }.set_nx("123456789")),
            con.refused(Small { id: 1 }.set_xx("123456789")),
            con.refused(Note { id: 1 }.set(&"x".repeat(10 * 1024 + 1))),
        ] {
            assert_eq!((refused.kind(), refused.rule()), (ErrorKind::ValueSize, Some(Rule::ValueSize)), "{refused}");
        }
        con.ok(Note { id: 1 }.set(&"x".repeat(10 * 1024)));
        assert_eq!(con.ok(Small { id: 1 }.get()).as_deref(), Some("12345678"));
    });
}

#[test]
fn every_accessor_rejects_an_invalid_parameter() {
    everywhere(|con| {
        let bad = NamedText { name: "Secret:Name" };
        let errors = [
            con.refused(bad.get()),
            con.refused(bad.get_del()),
            con.refused(bad.get_ex()),
            con.refused(bad.set("x")),
            con.refused(bad.set("x").keep_ttl()),
            con.refused(bad.set("x").returning_old()),
            con.refused(bad.set_nx("x")),
            con.refused(bad.set_xx("x")),
            con.refused(bad.strlen()),
            con.refused(bad.append("x")),
            con.refused(bad.exists()),
            con.refused(bad.ttl()),
            con.refused(bad.expire()),
            con.refused(bad.unlink()),
            con.refused(NamedText::get_many([NamedText { name: "good" }, bad])),
        ];
        for error in errors {
            assert_eq!((error.kind(), error.rule()), (ErrorKind::Parameter, Some(Rule::Separators)), "{error}");
            let text = error.to_string();
            assert!(text.contains("`name`") && text.contains("text:named:{name}:string"), "{text}");
            assert!(!text.to_lowercase().contains("secret"), "the error shows the parameter: {text}");
        }
    });
}

#[test]
fn nan_and_infinity_are_rejected() {
    everywhere(|con| {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(con.refused(CountF64 { id: 1 }.set(&number)).kind(), ErrorKind::Encode);
        }
    });
}
