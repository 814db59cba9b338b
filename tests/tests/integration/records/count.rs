//! Counting in fields.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{NUMBERS, Numbers, NumbersOf, Profile, ProfileOf, ada};

const KEY: NumbersOf = NumbersOf { id: 1 };
const NOTHING: Numbers = Numbers { id: 1, small: None, large: None, plain: None };

#[test]
fn counting_needs_an_existing_record() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        assert_eq!(con.ok(key.hincr(Profile::VISITS, 1)), None);
        assert_eq!(con.ok(key.load()), None, "no partial record is created");
        con.ok(key.store(&ada()));
        let _: bool = con.raw(&["EXPIRE", "record:profile:1:hash", "60"]);
        assert_eq!(con.ok(key.hincr(Profile::VISITS, 5)), Some(12));
        assert_eq!(con.ok(key.hincr(Profile::LEVEL, 1)), Some(201));
        con.assert_left("record:profile:1:hash", 60_000);
        assert_eq!(con.ok(key.load()), Some(Profile { visits: 12, level: Some(201), ..ada() }));
    });
}

#[test]
fn a_missing_field_counts_from_zero() {
    everywhere(|con| {
        con.ok(KEY.store(&NOTHING));
        assert_eq!(con.ok(KEY.hincr(Numbers::SMALL, -128)), Some(-128));
        assert_eq!(con.ok(KEY.hincr(Numbers::LARGE, i64::MAX)), Some(i64::MAX));
        assert_eq!(con.ok(KEY.hincr(Numbers::PLAIN, 1 << 60)), Some(1 << 60));
        let found = Numbers { id: 1, small: Some(-128), large: Some(i64::MAX), plain: Some(1 << 60) };
        assert_eq!(con.ok(KEY.load()), Some(found));
    });
}

#[test]
fn a_count_stays_in_its_range() {
    everywhere(|con| {
        let all = Numbers { id: 1, small: Some(127), large: Some(i64::MIN), plain: Some(0) };
        con.ok(KEY.store(&all));
        for error in [con.error(KEY.hincr(Numbers::SMALL, 1)), con.error(KEY.hincr(Numbers::LARGE, -1))] {
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
        }
        assert_eq!(con.error(KEY.hincr(Numbers::ID, 255)).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(KEY.hincr(Numbers::PLAIN, i64::MAX.unsigned_abs())), Some(i64::MAX.unsigned_abs()));
        assert_eq!(con.error(KEY.hincr(Numbers::PLAIN, 1)).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(KEY.load()), Some(Numbers { plain: Some(i64::MAX.unsigned_abs()), ..all }));
        let _: u64 = con.raw(&["HDEL", NUMBERS, "small", "plain"]);
        assert_eq!(con.ok(KEY.hincr(Numbers::SMALL, 127)), Some(127));
    });
}

#[test]
fn steps_out_of_range_are_rejected() {
    on_every_connection(|con| {
        con.ok(KEY.store(&NOTHING));
        assert_eq!(con.refused(KEY.hincr(Numbers::LARGE, i64::MIN)).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.refused(KEY.hincr(Numbers::PLAIN, u64::MAX)).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(KEY.load()), Some(NOTHING));
    });
}

#[test]
fn counting_text_is_an_error() {
    on_every_connection(|con| {
        con.ok(KEY.store(&Numbers { small: Some(1), ..NOTHING }));
        for (stored, kind) in [("secret", ErrorKind::Decode), ("99999999999999999999", ErrorKind::OutOfRange)] {
            let _: u64 = con.raw(&["HSET", NUMBERS, "small", stored]);
            let error = con.error(KEY.hincr(Numbers::SMALL, 1));
            assert_eq!(error.kind(), kind, "{error}");
            assert!(!error.to_string().contains(stored), "{error}");
            let named = "cannot be decoded as `i8`: not a number that Redis can increment";
            assert_eq!(error.to_string().contains(named), kind == ErrorKind::Decode, "{error}");
            assert_eq!(con.raw::<String>(&["HGET", NUMBERS, "small"]), stored);
        }
        con.assert_left(NUMBERS, 3_600_000);
    });
}
