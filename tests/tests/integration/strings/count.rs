//! Counting: `incr incr_by decr decr_by incr_by_float`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{
    CountF32, CountF64, CountI16, CountI64, CountU8, CountU64, KeptCount, KeptFloat, KeptNarrow, Sliding, SlidingFloat,
};

const LONG: &str = "count:long:1:string";

#[test]
fn counting_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let count = CountI64 { id: 1 };
        assert_eq!(con.ok(count.incr()), 1);
        con.assert_left(LONG, 3_600_000);
        let _: bool = con.raw(&["EXPIRE", LONG, "60"]);
        assert_eq!(con.ok(count.incr()), 2);
        assert_eq!(con.ok(count.incr_by(40)), 42);
        assert_eq!(con.ok(count.decr()), 41);
        assert_eq!(con.ok(count.decr_by(50)), -9);
        con.assert_left(LONG, 60_000);
        assert_eq!(con.ok(count.get()), Some(-9));
    });
}

#[test]
fn every_counting_accessor_creates_with_an_expiry() {
    everywhere(|con| {
        con.ok(CountI64 { id: 1 }.incr_by(5));
        con.ok(CountI64 { id: 2 }.decr());
        con.ok(CountI64 { id: 3 }.decr_by(5));
        con.ok(CountF64 { id: 4 }.incr_by_float(0.5));
        for key in [LONG, "count:long:2:string", "count:long:3:string", "count:float:4:string"] {
            con.assert_left(key, 3_600_000);
        }
    });
}

#[test]
fn counting_adds_a_missing_expiry() {
    everywhere(|con| {
        let _: String = con.raw(&["SET", LONG, "7"]);
        assert_eq!(con.ok(CountI64 { id: 1 }.incr()), 8);
        con.assert_left(LONG, 3_600_000);
    });
}

#[test]
fn every_count_renews_with_renew_write() {
    everywhere(|con| {
        let key = "count:sliding:1:string";
        con.ok(Sliding { id: 1 }.incr());
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(Sliding { id: 1 }.incr());
        con.assert_left(key, 3_600_000);
    });
}

#[test]
fn all_64_bits_are_exact() {
    everywhere(|con| {
        let count = CountI64 { id: 1 };
        // Beyond 2^53 the numbers of a script, which are doubles, are rounded.
        for number in [1_i64 << 53, (1 << 53) + 1, (1 << 62) + 1, i64::MAX - 2] {
            con.ok(count.set(&number));
            assert_eq!(con.ok(count.incr()), number + 1);
            assert_eq!(con.ok(count.decr_by(2)), number - 1);
            assert_eq!(con.ok(count.get()), Some(number - 1));
        }
        for number in [-(1_i64 << 53) - 1, i64::MIN + 2] {
            con.ok(count.set(&number));
            assert_eq!(con.ok(count.decr()), number - 1);
            assert_eq!(con.ok(count.incr_by(2)), number + 1);
        }
        con.ok(count.set(&0));
        assert_eq!(con.ok(count.incr_by(i64::MAX)), i64::MAX);
        con.ok(count.set(&-1));
        assert_eq!(con.ok(count.incr_by(i64::MIN + 1)), i64::MIN);
        con.ok(count.set(&0));
        assert_eq!(con.ok(count.decr_by(i64::MAX)), -i64::MAX);
    });
}

#[test]
fn counting_beyond_64_bits_is_an_error() {
    everywhere(|con| {
        let count = CountI64 { id: 1 };
        con.ok(count.set(&i64::MAX));
        assert_eq!(con.error(count.incr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(count.get()), Some(i64::MAX));
        con.ok(count.set(&i64::MIN));
        assert_eq!(con.error(count.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(count.get()), Some(i64::MIN));
        let natural = CountU64 { id: 1 };
        con.ok(natural.set(&(i64::MAX as u64)));
        assert_eq!(con.error(natural.incr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(natural.get()), Some(i64::MAX as u64));
    });
}

#[test]
fn the_lowest_number_is_rejected_as_a_step() {
    everywhere(|con| {
        let count = CountI64 { id: 1 };
        con.ok(count.set(&-1));
        // -1 - i64::MIN would be i64::MAX, but -i64::MIN exceeds 64 bits.
        for error in [con.refused(count.decr_by(i64::MIN)), con.refused(count.incr_by(i64::MIN))] {
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
            assert!(error.to_string().contains("cannot be applied in one step"), "{error}");
        }
        assert_eq!(con.ok(count.get()), Some(-1));
    });
}

#[test]
fn a_first_count_is_exact_too() {
    everywhere(|con| {
        assert_eq!(con.ok(CountI64 { id: 1 }.incr_by(i64::MAX)), i64::MAX);
        assert_eq!(con.ok(CountI64 { id: 2 }.incr_by(i64::MIN + 1)), i64::MIN + 1);
        assert_eq!(con.ok(CountI64 { id: 3 }.decr_by((1 << 53) + 1)), -(1 << 53) - 1);
        assert_eq!(con.ok(CountI64 { id: 1 }.get()), Some(i64::MAX));
        assert_eq!(con.error(CountU8 { id: 1 }.decr()).kind(), ErrorKind::OutOfRange);
        assert!(!con.ok(CountU8 { id: 1 }.exists()));
    });
}

#[test]
fn a_number_that_redis_cannot_count_is_out_of_range() {
    everywhere(|con| {
        let natural = CountU64 { id: 1 };
        for number in [u64::MAX, 1 << 63, (1 << 63) + 1] {
            con.ok(natural.set(&number));
            for error in [con.error(natural.incr()), con.error(natural.decr())] {
                assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
                assert!(error.to_string().contains("from 0 to 9223372036854775807"), "{error}");
            }
            assert_eq!(con.ok(natural.get()), Some(number));
        }
        con.ok(natural.set(&(i64::MAX as u64)));
        assert!(con.error(natural.incr()).to_string().contains("from 0 to 9223372036854775807"));
    });
}

#[test]
fn a_failed_count_does_not_renew_the_expiry() {
    everywhere(|con| {
        let key = "count:sliding:1:string";
        let _: String = con.raw(&["SET", key, &u32::MAX.to_string(), "EX", "60"]);
        assert_eq!(con.error(Sliding { id: 1 }.incr()).kind(), ErrorKind::OutOfRange);
        let _: String = con.raw(&["SET", key, "secret", "EX", "60"]);
        assert_eq!(con.error(Sliding { id: 1 }.incr()).kind(), ErrorKind::Decode);
        con.assert_left(key, 60_000);
        let float = "count:tides:1:string";
        let _: String = con.raw(&["SET", float, "secret", "EX", "60"]);
        assert_eq!(con.error(SlidingFloat { id: 1 }.incr_by_float(1.0)).kind(), ErrorKind::Decode);
        // Lua accepts these as numbers.
        for text in ["5 ", "nan"] {
            let _: String = con.raw(&["SET", float, text, "EX", "60"]);
            assert_eq!(con.error(SlidingFloat { id: 1 }.incr_by_float(1.0)).kind(), ErrorKind::Decode);
            con.assert_left(float, 60_000);
        }
        let _: String = con.raw(&["SET", float, "1.7e308", "EX", "60"]);
        assert_eq!(con.error(SlidingFloat { id: 1 }.incr_by_float(1.7e308)).kind(), ErrorKind::OutOfRange);
        con.assert_left(float, 60_000);
        con.ok(SlidingFloat { id: 1 }.incr_by_float(-1.7e308));
        con.assert_left(float, 3_600_000);
    });
}

#[test]
fn narrow_numbers_stay_in_their_range() {
    everywhere(|con| {
        let narrow = CountU8 { id: 1 };
        assert_eq!(con.ok(narrow.incr_by(250)), 250);
        assert_eq!(con.ok(narrow.incr_by(5)), 255);
        let error = con.error(narrow.incr());
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
        assert_eq!(con.ok(narrow.get()), Some(255), "a rejected command changes nothing");
        assert_eq!(con.ok(narrow.decr_by(255)), 0);
        assert_eq!(con.error(narrow.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(narrow.get()), Some(0));
        let small = CountI16 { id: 1 };
        assert_eq!(con.ok(small.incr_by(i16::MIN)), i16::MIN);
        assert_eq!(con.error(small.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(small.incr_by(i16::MAX)), -1);
    });
}

#[test]
fn a_failed_count_creates_no_key() {
    everywhere(|con| {
        assert_eq!(con.error(CountU64 { id: 1 }.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.pttl("count:natural:1:string"), -2);
        assert_eq!(con.error(KeptNarrow { id: 1 }.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.pttl("never:narrow:1:string"), -2);
    });
}

#[test]
fn unsigned_numbers_count_within_the_range_of_redis() {
    everywhere(|con| {
        let natural = CountU64 { id: 1 };
        assert_eq!(con.ok(natural.incr_by(1 << 62)), 1 << 62);
        assert_eq!(con.ok(natural.decr_by(1 << 62)), 0);
        let beyond = con.error(natural.incr_by(u64::MAX));
        assert_eq!(beyond.kind(), ErrorKind::OutOfRange, "{beyond}");
        assert_eq!(con.ok(natural.get()), Some(0));
    });
}

#[test]
fn counting_sets_no_expiry_if_none_is_declared() {
    everywhere(|con| {
        assert_eq!(con.ok(KeptCount { id: 1 }.incr()), 1);
        assert_eq!(con.ok(KeptCount { id: 1 }.decr_by(3)), -2);
        assert_eq!(con.pttl("never:count:1:string"), -1);
        con.ok(KeptCount { id: 1 }.set(&i64::MAX));
        assert_eq!(con.error(KeptCount { id: 1 }.incr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(KeptNarrow { id: 1 }.incr_by(255)), 255);
        assert_eq!(con.error(KeptNarrow { id: 1 }.incr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.ok(KeptNarrow { id: 1 }.get()), Some(255));
    });
}

#[test]
fn floats_can_be_counted() {
    everywhere(|con| {
        let count = CountF64 { id: 1 };
        assert!((con.ok(count.incr_by_float(10.5)) - 10.5).abs() < 1e-12);
        let _: bool = con.raw(&["EXPIRE", "count:float:1:string", "60"]);
        assert!((con.ok(count.incr_by_float(-0.25)) - 10.25).abs() < 1e-12);
        con.assert_left("count:float:1:string", 60_000);
        assert!((con.ok(count.get()).unwrap_or(0.0) - 10.25).abs() < 1e-12);
        for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            con.refused(count.incr_by_float(none));
        }
        con.ok(count.set(&1e300));
        assert!((con.ok(count.incr_by_float(0.0)) / 1e300 - 1.0).abs() < 1e-12);
    });
}

#[test]
fn floats_stay_in_the_range_of_their_type() {
    everywhere(|con| {
        let (wide, narrow, kept) = (CountF64 { id: 1 }, CountF32 { id: 1 }, KeptFloat { id: 1 });
        con.ok(wide.set(&1.7e308));
        con.ok(narrow.set(&-3e38));
        con.ok(kept.set(&1.7e308));
        let message = "leaves the range of";
        for error in [
            con.error(wide.incr_by_float(1.7e308)),
            con.error(narrow.incr_by_float(-3e38)),
            con.error(kept.incr_by_float(1.7e308)),
        ] {
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
            assert!(error.to_string().contains(message), "{error}");
        }
        assert_eq!(con.raw::<String>(&["GET", "count:float:1:string"]), "1.7e308");
        assert_eq!(con.raw::<String>(&["GET", "count:single:1:string"]), "-3e38");
        assert_eq!(con.raw::<String>(&["GET", "never:float:1:string"]), "1.7e308");
        // The values can still be decreased.
        assert!(con.ok(wide.incr_by_float(-1.7e308)).abs() < 1e300);
        assert!(con.ok(kept.incr_by_float(-1e308)) < 1e308);
        assert_eq!(con.pttl("never:float:1:string"), -1);
    });
}

#[test]
fn a_first_float_is_what_redis_prints() {
    everywhere(|con| {
        assert!(con.ok(CountF64 { id: 1 }.incr_by_float(1e-20)).abs() < f64::MIN_POSITIVE);
        assert_eq!(con.raw::<String>(&["GET", "count:float:1:string"]), "0");
        assert!((con.ok(CountF64 { id: 2 }.incr_by_float(1e20)) / 1e20 - 1.0).abs() < 1e-12);
        assert_eq!(con.raw::<String>(&["GET", "count:float:2:string"]), "100000000000000000000");
        con.assert_left("count:float:2:string", 3_600_000);
    });
}

#[test]
fn counting_text_is_an_error() {
    everywhere(|con| {
        let _: String = con.raw(&["SET", LONG, "secret", "EX", "60"]);
        let error = con.error(CountI64 { id: 1 }.incr());
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        assert_eq!(con.raw::<String>(&["GET", LONG]), "secret");
        let _: String = con.raw(&["SET", "count:float:1:string", "secret", "EX", "60"]);
        let error = con.error(CountF64 { id: 1 }.incr_by_float(1.0));
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
    });
}

/// INCRBYFLOAT in a script corrupts the memory of Redis 6.2, which later scripts with more arguments reveal.
#[test]
fn counting_floats_does_not_corrupt_the_server() {
    on_every_connection(|con| {
        let count = CountF64 { id: 1 };
        let kept = KeptFloat { id: 1 };
        let many = "return #redis.call('MGET', unpack(ARGV))";
        for number in 1..=50 {
            let keys: Vec<_> = (0..60).map(|key| format!("count:none:{key}:string")).collect();
            for keys in [&keys[..], &keys[..20]] {
                let words: Vec<_> = ["EVAL", many, "0"].into_iter().chain(keys.iter().map(String::as_str)).collect();
                assert_eq!(con.raw::<usize>(&words), keys.len());
                assert!((con.ok(count.incr_by_float(0.5)) % 0.5).abs() < 1e-12);
                assert!((con.ok(kept.incr_by_float(0.5)) - f64::from(number)).abs() < 1.0);
            }
        }
        con.assert_left("count:float:1:string", 3_600_000);
    });
}
