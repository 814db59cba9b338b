//! Commands and replies of the accessors of `bitmap` keys.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use redis::Value;

use crate::testing::text;
use crate::tests::mock::{run, server_error};
use crate::types::bitmap::{BitInt, BitOffset, BitOverflow};
use crate::{BitmapKey as _, ErrorKind, SendStatus, lua};

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:$word:{id}:bitmap, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Days days (ttl = 1h, max_bytes = 46B);
    Plain plain (ttl = 1h);
    Sliding sliding (ttl = 1h, renew = write);
    Touched touched (ttl = 1h, renew = read);
    Fading fading (ttl = 1h, renew = below(10m));
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
}

const DAYS: Days = Days { id: 1 };
const U5: BitInt = BitInt::u::<5>();
const I8: BitInt = BitInt::i::<8>();

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

fn write(rest: &str) -> Vec<String> {
    call(&lua::WRITE, rest)
}

#[test]
fn bits() {
    assert_eq!(text(DAYS.setbit(17, true)).unwrap(), write("user:days:1:bitmap 3600000 SETBIT 17 1"));
    assert_eq!(text(Sliding { id: 1 }.setbit(17, false)).unwrap(), write("user:sliding:1:bitmap -3600000 SETBIT 17 0"));
    assert_eq!(text(Kept { id: 1 }.setbit(17, true)).unwrap(), ["SETBIT user:kept:1:bitmap 17 1"]);
    assert_eq!(text(DAYS.getbit(u32::MAX)).unwrap(), ["GETBIT user:days:1:bitmap 4294967295"]);
    assert_eq!(text(DAYS.bitcount()).unwrap(), ["BITCOUNT user:days:1:bitmap"]);
    assert_eq!(text(DAYS.bitcount_range(1..4)).unwrap(), ["BITCOUNT user:days:1:bitmap 1 3"]);
    assert_eq!(text(DAYS.bitpos(true)).unwrap(), ["BITPOS user:days:1:bitmap 1"]);
    assert_eq!(text(DAYS.bitpos_range(false, 1..4)).unwrap(), ["BITPOS user:days:1:bitmap 0 1 3"]);
    let read = |rest: &str| call(&lua::READ, rest);
    assert_eq!(text(Touched { id: 1 }.getbit(1)).unwrap(), read("user:touched:1:bitmap 3600000 GETBIT 1"));
    assert_eq!(text(Touched { id: 1 }.bitcount()).unwrap(), read("user:touched:1:bitmap 3600000 BITCOUNT"));
    assert_eq!(
        text(Fading { id: 1 }.getbit(1)).unwrap(),
        ["GETBIT user:fading:1:bitmap 1", "PTTL user:fading:1:bitmap"]
    );
}

#[test]
fn results_of_bits() {
    assert!(run(|| DAYS.setbit(1, false), [Ok(Value::Int(1))]).0.unwrap());
    assert!(!run(|| DAYS.getbit(1), [Ok(Value::Int(0))]).0.unwrap());
    assert_eq!(run(|| DAYS.bitpos(true), [Ok(Value::Int(-1))]).0.unwrap(), None);
    assert_eq!(run(|| DAYS.bitpos(true), [Ok(Value::Int(9))]).0.unwrap(), Some(9));
    assert_eq!(run(|| DAYS.bitpos(true), [Ok(Value::Int(-2))]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    assert_eq!(run(|| DAYS.bitcount_range(4..4), []).0.unwrap(), 0);
    assert_eq!(run(|| DAYS.bitpos_range(true, 4..4), []).0.unwrap(), None);
    assert!(run(|| DAYS.bitfield().overflow(BitOverflow::Sat).into(), []).0.unwrap().is_empty());
    let error = run(
        || DAYS.bitfield().get(U5, BitOffset::Element(u32::MAX)).into(),
        [server_error("ERR bit offset is not an integer or out of range")],
    );
    assert_eq!(
        error.0.unwrap_err().to_string(),
        "command on `Days` (user:days:1:bitmap) failed: the server replied ERR: the bit offset is out of range"
    );
}

#[test]
fn a_bitmap_does_not_outgrow_its_declaration() {
    let message = |refused: Result<Vec<String>, crate::Error>| {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::ValueSize, SendStatus::No));
        error.to_string()
    };
    assert!(text(DAYS.setbit(367, true)).is_ok());
    let last = "bit 368 of `Days` (user:days:1:bitmap) exceeds `max_bytes`: 47 bytes, at most 46; declare `max_bytes = 47B` to allow it [value-size]";
    assert_eq!(message(text(DAYS.setbit(368, false))), last);
    assert!(text(DAYS.bitfield().set(U5, 363, 0)).is_ok());
    assert_eq!(message(text(DAYS.bitfield().set(U5, 364, 0))), last);
    assert_eq!(
        message(text(DAYS.bitfield().get(U5, 0).incr(U5, 364, 0).set(U5, 0, 32))),
        last,
        "the first error is kept"
    );
    assert!(text(DAYS.bitfield().incr(I8, BitOffset::Element(45), 1)).is_ok());
    let far = message(text(DAYS.bitfield().incr(I8, BitOffset::Element(u32::MAX), 1)));
    assert!(
        far.contains("exceeds `max_bytes`: 4294967296 bytes, at most 46; no key can allow more than 1048576"),
        "{far}"
    );
    assert!(text(Plain { id: 1 }.setbit(81_919, true)).is_ok());
    assert!(
        message(text(Plain { id: 1 }.setbit(81_920, true)))
            .contains("at most 10240; declare `max_bytes = 11KB` to allow it [value-size]")
    );
    assert!(text(DAYS.bitfield().get(U5, 9_999)).is_ok(), "a read does not extend the bitmap");
}

#[test]
fn numbers() {
    let field = || DAYS.bitfield().get(U5, 3).set(I8, BitOffset::Element(2), -128).incr(U5, 0, -1);
    let rest = "BITFIELD GET u5 3 SET i8 #2 -128 INCRBY u5 0 -1";
    assert_eq!(text(field()).unwrap(), write(&format!("user:days:1:bitmap 3600000 {rest}")));
    let replies = Value::Array(vec![Value::Int(31), Value::Int(-1), Value::Nil]);
    assert_eq!(run(|| field().into(), [Ok(replies)]).0.unwrap(), [Some(31), Some(-1), None]);
    let kept = Kept { id: 1 };
    assert_eq!(text(kept.bitfield().set(U5, 0, 1)).unwrap(), ["BITFIELD user:kept:1:bitmap SET u5 0 1"]);
    assert_eq!(text(kept.bitfield().get(U5, 0)).unwrap(), ["BITFIELD_RO user:kept:1:bitmap GET u5 0"]);
    assert_eq!(
        text(Touched { id: 1 }.bitfield().get(U5, 0)).unwrap(),
        call(&lua::READ, "user:touched:1:bitmap 3600000 BITFIELD_RO GET u5 0")
    );
    assert_eq!(
        text(Fading { id: 1 }.bitfield().get(U5, 0)).unwrap(),
        ["BITFIELD_RO user:fading:1:bitmap GET u5 0", "PTTL user:fading:1:bitmap"]
    );
}

#[test]
fn overflow_is_sent_when_it_changes() {
    let field = Kept { id: 1 }.bitfield().overflow(BitOverflow::Fail).overflow(BitOverflow::Sat);
    let field = field.get(U5, 0).incr(U5, 0, 1).incr(U5, 5, 1).overflow(BitOverflow::Wrap).incr(U5, 0, 1);
    assert_eq!(
        text(field).unwrap(),
        ["BITFIELD user:kept:1:bitmap GET u5 0 OVERFLOW SAT INCRBY u5 0 1 INCRBY u5 5 1 OVERFLOW WRAP INCRBY u5 0 1"]
    );
}

#[test]
fn a_number_fits_its_type() {
    let fits = |int: BitInt, number| text(DAYS.bitfield().set(int, 0, number)).is_ok();
    for (int, lowest, highest) in [
        (BitInt::u::<1>(), 0, 1),
        (U5, 0, 31),
        (BitInt::u::<63>(), 0, i64::MAX),
        (BitInt::i::<1>(), -1, 0),
        (I8, -128, 127),
        (BitInt::i::<64>(), i64::MIN, i64::MAX),
    ] {
        assert!(fits(int, lowest) && fits(int, highest), "{int}");
        assert!(lowest == i64::MIN || !fits(int, lowest - 1), "{int}");
        assert!(highest == i64::MAX || !fits(int, highest + 1), "{int}");
    }
    let error = text(DAYS.bitfield().set(U5, 0, 32)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
    let message = "argument of `Days` (user:days:1:bitmap) does not fit in `u5`";
    assert_eq!(error.to_string(), message);
}

#[test]
fn excess_is_not_sent() {
    let reads = |len| (0..len).fold(Plain { id: 1 }.bitfield(), |field, _| field.get(U5, 0));
    assert!(text(reads(500)).is_ok());
    let error = text(reads(501)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
}

#[test]
fn wide_numbers_are_read_in_halves() {
    const I64: BitInt = BitInt::i::<64>();
    let get = "BITFIELD_RO user:days:1:bitmap get i32 64 GET u32 96 get u22 3 GET u32 25 GET u53 0";
    let read = || DAYS.bitfield().get(I64, BitOffset::Element(1)).get(BitInt::u::<54>(), 3).get(BitInt::u::<53>(), 0);
    assert_eq!(text(read()).unwrap(), [get]);
    let numbers = |numbers: &[Option<i64>]| {
        Ok(Value::Array(numbers.iter().map(|number| number.map_or(Value::Nil, Value::Int)).collect()))
    };
    let halves = numbers(&[Some(-1), Some(0xffff_fffe), Some(1), Some(5), Some(7)]);
    assert_eq!(run(|| read().into(), [halves]).0.unwrap(), [Some(-2), Some((1 << 32) + 5), Some(7)]);

    let count =
        || DAYS.bitfield().overflow(BitOverflow::Fail).incr(I64, 0, 1).set(I64, 0, -1).incr(I64, 0, 1).get(U5, 0);
    let rest = "BITFIELD OVERFLOW FAIL INCRBY i64 0 1 get i32 0 GET u32 32 get i32 0 GET u32 32 SET i64 0 -1 INCRBY i64 0 1 \
                get i32 0 GET u32 32 GET u5 0";
    assert_eq!(text(count()).unwrap(), write(&format!("user:days:1:bitmap 3600000 {rest}")));
    let replies = [None, Some(1), Some(2), Some(1), Some(2), Some(9), Some(0), Some(0), Some(3), Some(4)];
    let whole = (1 << 32) + 2;
    let expected = [None, Some(whole), Some(3), Some(4)];
    assert_eq!(run(|| count().into(), [numbers(&replies)]).0.unwrap(), expected);
    assert_eq!(run(|| count().into(), [numbers(&replies[1..])]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);

    // Without an expiry no script is involved.
    let kept = Kept { id: 1 }.bitfield().get(I64, BitOffset::Element(1)).incr(I64, 0, 1);
    assert_eq!(text(kept).unwrap(), ["BITFIELD user:kept:1:bitmap GET i64 #1 INCRBY i64 0 1"]);
    let kept = || Kept { id: 1 }.bitfield().get(I64, 0).incr(I64, 0, 1).into();
    assert_eq!(run(kept, [numbers(&[Some(1), None])]).0.unwrap(), [Some(1), None]);
}
