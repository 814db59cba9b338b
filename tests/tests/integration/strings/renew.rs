//! The three forms of `renew`, and what happens without it.

use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere};

use super::keys::{FadingText, Note, SlidingText, TouchedText};

const HOUR: i64 = 3_600_000;
const MINUTE: i64 = 60_000;

/// Sets the expiry of a key to one minute.
fn one_minute(con: &mut Con, key: &str) {
    assert!(con.raw::<bool>(&["EXPIRE", key, "60"]), "{key} is missing");
}

#[test]
fn without_renew_reads_and_appends_keep_the_expiry() {
    everywhere(|con| {
        let key = "text:note:1:string";
        con.ok(Note { id: 1 }.set("a"));
        one_minute(con, key);
        con.ok(Note { id: 1 }.get());
        con.ok(Note { id: 1 }.strlen());
        con.ok(Note::get_many([Note { id: 1 }]));
        con.ok(Note { id: 1 }.append("b"));
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn renew_write_renews_at_each_write() {
    everywhere(|con| {
        let key = "text:sliding:1:string";
        con.ok(SlidingText { id: 1 }.set("a"));
        one_minute(con, key);
        con.ok(SlidingText { id: 1 }.get());
        con.ok(SlidingText::get_many([SlidingText { id: 1 }]));
        con.assert_left(key, MINUTE);
        con.ok(SlidingText { id: 1 }.append("b"));
        con.assert_left(key, HOUR);
    });
}

#[test]
fn renew_read_renews_at_each_read_and_write() {
    everywhere(|con| {
        let key = "text:read:1:string";
        let renewed = TouchedText { id: 1 };
        assert_eq!(con.ok(renewed.get()), None);
        con.ok(renewed.set("a"));
        one_minute(con, key);
        assert_eq!(con.ok(renewed.get()).as_deref(), Some("a"));
        con.assert_left(key, HOUR);
        one_minute(con, key);
        con.ok(renewed.append("b"));
        con.assert_left(key, HOUR);
        one_minute(con, key);
        let many = con.ok(TouchedText::get_many([TouchedText { id: 1 }, TouchedText { id: 2 }]));
        assert_eq!(many, [Some("ab".to_owned()), None]);
        con.assert_left(key, HOUR);
    });
}

#[test]
fn renew_below_renews_only_below_the_threshold() {
    everywhere(|con| {
        let key = "text:low:1:string";
        let renewed = FadingText { id: 1 };
        assert_eq!(con.ok(renewed.get()), None);
        con.ok(renewed.set("a"));
        let _: bool = con.raw(&["EXPIRE", key, "1200"]);
        assert_eq!(con.ok(renewed.get()).as_deref(), Some("a"));
        con.assert_left(key, 20 * MINUTE);
        one_minute(con, key);
        assert_eq!(con.ok(renewed.get()).as_deref(), Some("a"));
        con.assert_left(key, HOUR);
        one_minute(con, key);
        con.ok(renewed.append("b"));
        con.assert_left(key, MINUTE);
    });
}

#[test]
fn renew_below_renews_several_keys_of_get_many() {
    everywhere(|con| {
        let keys = || (0..7).map(|id| FadingText { id });
        for key in keys().filter(|key| key.id != 3) {
            con.ok(key.set("a"));
        }
        one_minute(con, "text:low:2:string");
        one_minute(con, "text:low:6:string");
        let _: bool = con.raw(&["EXPIRE", "text:low:5:string", "1200"]);
        let found = con.ok(FadingText::get_many(keys()));
        assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false, true, true, true]);
        for (id, ms) in [(0, HOUR), (2, HOUR), (5, 20 * MINUTE), (6, HOUR)] {
            con.assert_left(&format!("text:low:{id}:string"), ms);
        }
    });
}
