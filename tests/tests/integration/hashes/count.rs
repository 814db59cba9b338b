//! `hincr hdecr hincr_by_float`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::{Floats, HOUR, Kept, MINUTE, Narrow, Natural, Singles, Sliding, Whole};

#[test]
fn counting_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (hash, key) = (Whole { id: 1 }, "map:whole:1:hash");
        con.forget_scripts();
        assert_eq!(con.ok(hash.hincr("a", 5)), 5);
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.ok(hash.hincr("a", -7)), -2);
        assert_eq!(con.ok(hash.hdecr("b", 3)), -3);
        con.assert_left(key, MINUTE);
        assert_eq!(con.ok(hash.hmget(["a", "b"])), [Some(-2), Some(-3)]);
        con.forget_scripts();
        assert!((con.ok(Floats { id: 1 }.hincr_by_float("a", 1.5)) - 1.5).abs() < 1e-12);
        con.assert_left("map:floats:1:hash", HOUR);
        con.ok(Sliding { id: 1 }.hincr("a", 1));
        let _: bool = con.raw(&["EXPIRE", "map:sliding:1:hash", "60"]);
        con.ok(Sliding { id: 1 }.hincr("a", 1));
        con.assert_left("map:sliding:1:hash", HOUR);
        assert_eq!(con.ok(Kept { id: 1 }.hincr("a", 1)), 1);
        assert_eq!(con.pttl("never:map:1:hash"), -1);
    });
}

#[test]
fn counting_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["HSET", "map:whole:1:hash", "a", "1"]);
        assert_eq!(con.ok(Whole { id: 1 }.hincr("a", 1)), 2);
        con.assert_left("map:whole:1:hash", HOUR);
    });
}

#[test]
fn counts_stay_in_the_range_of_their_type() {
    everywhere(|con| {
        let (narrow, key) = (Narrow { id: 1 }, "map:narrow:1:hash");
        assert_eq!(con.error(narrow.hdecr("a", 1)).kind(), ErrorKind::OutOfRange);
        assert!(!con.ok(narrow.exists()), "a failed count creates no key");
        assert_eq!(con.ok(narrow.hincr("a", 250)), 250);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(narrow.hincr("a", 6));
        assert!(error.to_string().contains("leaves the range from 0 to 255"), "{error}");
        assert_eq!(con.ok(narrow.hincr("a", 5)), 255);
        assert_eq!(con.error(narrow.hincr("a", 1)).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(narrow.hget("a")), Some(255), "a rejected command changes nothing");
        assert_eq!(con.ok(narrow.hdecr("a", 255)), 0);
        assert_eq!(con.error(narrow.hdecr("b", 1)).kind(), ErrorKind::OutOfRange);
        assert!(!con.ok(narrow.hexists("b")), "a failed count creates no field");
        con.assert_left(key, MINUTE);

        let whole = Whole { id: 1 };
        for (end, step) in [(i64::MAX, 1), (i64::MIN, -1)] {
            con.ok(whole.hset("a", &end));
            assert_eq!(con.error(whole.hincr("a", step)).kind(), ErrorKind::OutOfRange);
            assert_eq!(con.ok(whole.hincr("a", -step)), end - step, "large numbers are exact");
        }
        assert_eq!(con.refused(whole.hincr("a", i64::MIN)).kind(), ErrorKind::OutOfRange);

        let natural = Natural { id: 1 };
        for number in [u64::MAX, 1 << 63] {
            con.ok(natural.hset("a", &number));
            for error in [con.error(natural.hincr("a", 1)), con.error(natural.hdecr("a", 1))] {
                assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
            }
            assert_eq!(con.ok(natural.hget("a")), Some(number));
        }
        assert_eq!(con.refused(natural.hincr("a", u64::MAX)).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(natural.hincr("b", 1 << 62)), 1 << 62);
        assert_eq!(con.ok(natural.hdecr("b", 1 << 62)), 0);
    });
}

#[test]
fn counting_a_missing_field_respects_max_len() {
    on_every_connection(|con| {
        let (narrow, key) = (Narrow { id: 1 }, "map:narrow:1:hash");
        con.ok(narrow.hset_many([("a", 1), ("b", 1), ("c", 1)]));
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        let error = con.error(narrow.hincr("d", 1));
        assert_eq!(error.kind(), ErrorKind::CollectionSize, "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 4 fields, at most 3"), "{error}");
        assert_eq!(con.ok(narrow.hincr("a", 1)), 2, "a full hash counts in existing fields");
        assert_eq!(con.ok(narrow.hlen()), 3);
        con.assert_left(key, MINUTE);
        let floats = Floats { id: 1 };
        con.ok(floats.hset_many([("a", 1.0), ("b", 1.0), ("c", 1.0)]));
        assert_eq!(con.error(floats.hincr_by_float("d", 1.0)).kind(), ErrorKind::CollectionSize);
        assert!((con.ok(floats.hincr_by_float("a", 1.0)) - 2.0).abs() < 1e-12);
        assert_eq!(con.ok(floats.hlen()), 3);
    });
}

#[test]
fn floats_stay_in_the_range_of_their_type() {
    on_every_connection(|con| {
        let (wide, narrow) = (Floats { id: 1 }, Singles { id: 1 });
        con.ok(wide.hset("a", &1.7e308));
        con.ok(narrow.hset("a", &-3e38));
        for error in [con.error(wide.hincr_by_float("a", 1.7e308)), con.error(narrow.hincr_by_float("a", -3e38))] {
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
        }
        assert_eq!(con.raw::<String>(&["HGET", "map:floats:1:hash", "a"]), "1.7e308");
        assert_eq!(con.raw::<String>(&["HGET", "map:singles:1:hash", "a"]), "-3e38");
        assert!(con.ok(wide.hincr_by_float("a", -1.7e308)).abs() < 1e300);
        for none in [f64::NAN, f64::INFINITY] {
            assert_eq!(con.refused(wide.hincr_by_float("a", none)).kind(), ErrorKind::Encode);
        }
    });
}

#[test]
fn counting_text_is_an_error() {
    everywhere(|con| {
        for key in ["map:whole:1:hash", "map:sliding:1:hash", "map:floats:1:hash"] {
            let _: u64 = con.raw(&["HSET", key, "a", "secret"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        let errors = [
            con.error(Whole { id: 1 }.hincr("a", 1)),
            con.error(Sliding { id: 1 }.hincr("a", 1)),
            con.error(Floats { id: 1 }.hincr_by_float("a", 1.0)),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
            assert!(error.to_string().contains("not a number that Redis can increment"), "{error}");
            assert!(!format!("{error}{error:?}").contains("secret"), "{error}");
        }
        con.assert_left("map:sliding:1:hash", MINUTE);
        assert_eq!(con.raw::<String>(&["HGET", "map:whole:1:hash", "a"]), "secret");
    });
}
