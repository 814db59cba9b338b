//! Counting: `incr incr_by decr decr_by incr_by_float`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::keys::{CountF64, CountI16, CountI64, CountU8, CountU64, KeptCount, KeptNarrow, Sliding};

const LONG: &str = "count:long:1:string";

#[test]
fn the_expiry_comes_with_the_first_count_and_stays() {
    on_every_connection(|con| {
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
    on_every_connection(|con| {
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
fn a_count_without_expiry_gets_one() {
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", LONG, "7"]);
        assert_eq!(con.ok(CountI64 { id: 1 }.incr()), 8);
        con.assert_left(LONG, 3_600_000);
    });
}

#[test]
fn renew_restarts_the_expiry_at_each_count() {
    on_every_connection(|con| {
        let key = "count:sliding:1:string";
        con.ok(Sliding { id: 1 }.incr());
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.ok(Sliding { id: 1 }.incr());
        con.assert_left(key, 3_600_000);
    });
}

#[test]
fn all_64_bits_are_exact() {
    on_every_connection(|con| {
        let count = CountI64 { id: 1 };
        // 2^53 and on: where a script's own numbers, which are doubles, begin to round.
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
fn the_last_numbers_of_64_bits_are_not_passed() {
    on_every_connection(|con| {
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
fn decr_by_takes_the_lowest_number() {
    on_every_connection(|con| {
        let count = CountI64 { id: 1 };
        con.ok(count.set(&-1));
        // -1 - i64::MIN is i64::MAX, although -i64::MIN is no number of 64 bits.
        match con.run(count.decr_by(i64::MIN)) {
            Ok(result) => assert_eq!(result, i64::MAX),
            Err(error) => assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}"),
        }
    });
}

#[test]
fn narrow_numbers_keep_their_bounds() {
    on_every_connection(|con| {
        let narrow = CountU8 { id: 1 };
        assert_eq!(con.ok(narrow.incr_by(250)), 250);
        assert_eq!(con.ok(narrow.incr_by(5)), 255);
        let error = con.error(narrow.incr());
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
        assert_eq!(con.ok(narrow.get()), Some(255), "what is refused changes nothing");
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
fn a_refused_count_makes_no_key() {
    on_every_connection(|con| {
        assert_eq!(con.error(CountU64 { id: 1 }.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.pttl("count:natural:1:string"), -2);
        assert_eq!(con.error(KeptNarrow { id: 1 }.decr()).kind(), ErrorKind::OutOfRange);
        assert_eq!(con.pttl("never:narrow:1:string"), -2);
    });
}

#[test]
fn unsigned_numbers_count_up_to_where_redis_can() {
    on_every_connection(|con| {
        let natural = CountU64 { id: 1 };
        assert_eq!(con.ok(natural.incr_by(1 << 62)), 1 << 62);
        assert_eq!(con.ok(natural.decr_by(1 << 62)), 0);
        let beyond = con.error(natural.incr_by(u64::MAX));
        assert_eq!(beyond.kind(), ErrorKind::OutOfRange, "{beyond}");
        assert_eq!(con.ok(natural.get()), Some(0));
    });
}

#[test]
fn counting_where_no_expiry_is_declared() {
    on_every_connection(|con| {
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
fn floats_count_too() {
    on_every_connection(|con| {
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
fn what_is_no_number_is_not_counted() {
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", LONG, "secret", "EX", "60"]);
        let error = con.error(CountI64 { id: 1 }.incr());
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(con.raw::<String>(&["GET", LONG]), "secret");
    });
}
