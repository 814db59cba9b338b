//! Commands of the accessors of `hash` keys with open fields, word by word.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use std::time::Duration;

use redis::Value;

use crate::command::TimeLeft;
use crate::testing::text;
use crate::tests::mock::{bulk, run, server_error};
use crate::{ErrorKind, HashKey as _, SendStatus, lua};

macro_rules! keys {
    ($($name:ident $word:ident $field:ty, $value:ty, ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:$word:{id}:hash, field = $field, value = $value, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Labels labels String, String, (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Votes votes u32, u8, (ttl = 1h);
    Sums sums u32, i64, (ttl = 1h, renew = write);
    Rates rates u32, f64, (ttl = never, reason = "the books", rebuild = "from the books");
    Touched touched String, String, (ttl = 1h, renew = read);
    Fading fading u32, u32, (ttl = 1h, renew = below(10m));
}

const LABELS: Labels = Labels { id: 1 };
const LONG: &str = "123456789";

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

#[test]
fn writing_and_removing() {
    let set = |rest: &str| call(&lua::HSET, rest);
    assert_eq!(text(LABELS.hset("a", "x")).unwrap(), set("user:labels:1:hash 3600000 3 a x"));
    assert_eq!(text(LABELS.hset_nx("a", "x")).unwrap(), call(&lua::HSETNX, "user:labels:1:hash 3600000 3 a x"));
    let many = [("a", "x"), ("b", "y")];
    assert_eq!(text(LABELS.hset_many(many)).unwrap(), set("user:labels:1:hash 3600000 3 a x b y"));
    assert_eq!(text(Sums { id: 1 }.hset(&1, &-1)).unwrap(), set("user:sums:1:hash -3600000 5000 1 -1"));
    assert_eq!(text(Rates { id: 1 }.hset(&1, &0.5)).unwrap(), set("user:rates:1:hash  5000 1 0.5"));
    assert_eq!(text(LABELS.hdel("a")).unwrap(), ["HDEL user:labels:1:hash a"]);
    assert_eq!(text(LABELS.hdel_many(["a", "b"])).unwrap(), ["HDEL user:labels:1:hash a b"]);
}

#[test]
fn what_a_write_finds() {
    assert!(run(|| LABELS.hset("a", "x"), [Ok(Value::Int(1))]).0.unwrap());
    assert!(!run(|| LABELS.hset_nx("a", "x"), [Ok(Value::Int(0))]).0.unwrap());
    assert_eq!(run(|| LABELS.hset_many([("a", "x")]), [Ok(Value::Int(1))]).0.unwrap(), 1);
    let full = "write to `Labels` (user:labels:1:hash) exceeds `max_len`: 4 fields, at most 3; nothing was changed \
                [collection-size]";
    assert_eq!(run(|| LABELS.hset("a", "x"), [Ok(Value::Int(-4))]).0.unwrap_err().to_string(), full);
    assert_eq!(run(|| LABELS.hset_many([("a", "x")]), [Ok(Value::Int(-4))]).0.unwrap_err().to_string(), full);
}

#[test]
fn reading() {
    assert_eq!(text(LABELS.hget("a")).unwrap(), ["HGET user:labels:1:hash a"]);
    assert_eq!(text(LABELS.hmget(["a", "b"])).unwrap(), ["HMGET user:labels:1:hash a b"]);
    assert_eq!(text(LABELS.hexists("a")).unwrap(), ["HEXISTS user:labels:1:hash a"]);
    assert_eq!(text(LABELS.hlen()).unwrap(), ["HLEN user:labels:1:hash"]);
    assert_eq!(text(LABELS.hstrlen("a")).unwrap(), ["HSTRLEN user:labels:1:hash a"]);
    assert_eq!(text(LABELS.hrandfield()).unwrap(), ["HRANDFIELD user:labels:1:hash"]);
    assert_eq!(text(LABELS.hrandfield_many(2)).unwrap(), ["HRANDFIELD user:labels:1:hash 2"]);
    let touched = Touched { id: 1 };
    let read = |rest: &str| call(&lua::READ, &format!("user:touched:1:hash 3600000 {rest}"));
    assert_eq!(text(touched.hget("a")).unwrap(), read("HGET a"));
    assert_eq!(text(touched.hmget(["a", "b"])).unwrap(), read("HMGET a b"));
    assert_eq!(text(touched.hlen()).unwrap(), read("HLEN"));
    assert_eq!(text(Fading { id: 1 }.hget(&1)).unwrap(), ["HGET user:fading:1:hash 1", "PTTL user:fading:1:hash"]);
}

#[test]
fn many_fields_go_a_hundred_at_a_time() {
    let numbers =
        |from, to| Ok(Value::Array((from..to).map(|n| if n == 3 { Value::Nil } else { Value::Int(n) }).collect()));
    let (found, sent) = run(|| Votes { id: 1 }.hmget(0..150), [numbers(0, 100), numbers(100, 150)]);
    assert_eq!(found.unwrap(), (0..150).map(|n| (n != 3).then_some(n)).collect::<Vec<_>>());
    assert!(sent[0].starts_with("> HMGET user:votes:1:hash 0 1 2 "), "{}", sent[0]);
    assert!(sent[1].ends_with(" 148 149"), "{}", sent[1]);
    assert_eq!([0, 1].map(|line| sent[line].split(' ').count() - 3), [100, 50]);
    let (found, _) = run(|| Votes { id: 1 }.hmget(0..150), [numbers(0, 100), numbers(100, 149)]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn many_fields_are_renewed_once() {
    let fields: Vec<String> = (0..150).map(|n| n.to_string()).collect();
    let values = |len| Ok(Value::Array(vec![Value::Nil; len]));
    let (found, sent) = run(|| Touched { id: 1 }.hmget(fields.iter().map(String::as_str)), [values(100), values(50)]);
    assert_eq!(found.unwrap(), vec![None; 150]);
    let eval = format!("> EVAL {} 1 user:touched:1:hash 3600000 HMGET 0 1 ", lua::READ.file);
    assert!(sent[0].starts_with(&eval), "{}", sent[0]);
    assert!(sent[1].starts_with("| HMGET user:touched:1:hash 100 "), "{}", sent[1]);
    let (found, _) = run(|| Touched { id: 1 }.hmget(fields.iter().map(String::as_str)), [values(99), values(50)]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::UnexpectedReply);

    let replies = [values(100), values(50), Ok(Value::Int(5)), Ok(Value::Int(1))];
    let (found, sent) = run(|| Fading { id: 1 }.hmget(0..150), replies);
    assert_eq!(found.unwrap(), vec![None; 150]);
    assert_eq!(sent[2..], ["| PTTL user:fading:1:hash", "PEXPIRE user:fading:1:hash 3600000"]);
}

#[test]
fn nothing_to_do_is_not_sent() {
    let none: [&str; 0] = [];
    assert_eq!(run(|| LABELS.hset_many([] as [(&str, &str); 0]), []).0.unwrap(), 0);
    assert_eq!(run(|| LABELS.hdel_many(none), []).0.unwrap(), 0);
    assert!(run(|| LABELS.hmget(none), []).0.unwrap().is_empty());
    assert!(run(|| Touched { id: 1 }.hmget(none), []).0.unwrap().is_empty());
    assert!(run(|| LABELS.hrandfield_many(0), []).0.unwrap().is_empty());
}

#[test]
fn names_and_values_have_a_size() {
    let message = |refused: Result<Vec<String>, crate::Error>| {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::ValueSize, SendStatus::No));
        error.to_string()
    };
    let rest = "of `Labels` (user:labels:1:hash) exceeds `max_member_bytes`: 9 bytes, at most 8; declare `max_member_bytes = 9B` to allow it [value-size]";
    let name = format!("field name {rest}");
    let minute = Duration::from_secs(60);
    for refused in [
        text(LABELS.hset(LONG, "x")),
        text(LABELS.hset_many([("a", "x"), (LONG, "x")])),
        text(LABELS.hset_nx(LONG, "x")),
        text(LABELS.hget(LONG)),
        text(LABELS.hmget(["a", LONG])),
        text(LABELS.hdel(LONG)),
        text(LABELS.hdel_many(["a", LONG])),
        text(LABELS.hexists(LONG)),
        text(LABELS.hexpire(LONG, minute)),
    ] {
        assert_eq!(message(refused), name);
    }
    let value = format!("field value {rest}");
    for refused in [text(LABELS.hset("a", LONG)), text(LABELS.hset_many([("a", LONG)]))] {
        assert_eq!(message(refused), value);
    }
}

#[test]
fn what_is_too_much_is_not_sent() {
    let votes = Votes { id: 1 };
    for refused in [
        text(votes.hset_many((0..501).map(|n| (n, 1)))),
        text(votes.hdel_many(0..501)),
        text(votes.hset_many(std::iter::repeat((1, 1)))),
        text(votes.hdel_many(std::iter::repeat(1))),
        text(votes.hrandfield_many(501)),
    ] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
    }
}

#[test]
fn names_and_values_that_do_not_decode() {
    let votes = Votes { id: 1 };
    let message = |error: crate::Error| {
        assert_eq!(error.kind(), ErrorKind::Decode);
        error.to_string()
    };
    let value = "field value of `Votes` (user:votes:1:hash) cannot be decoded as `u8`: not an integer in the range of \
                 `u8` (6 bytes) [stored-form]";
    assert_eq!(message(run(|| votes.hget(&1), [bulk("secret")]).0.unwrap_err()), value);
    let many = || Ok(Value::Array(vec![Value::BulkString(b"secret".into())]));
    assert_eq!(message(run(|| votes.hmget([1]), [many()]).0.unwrap_err()), value);
    let name = "field name of `Votes` (user:votes:1:hash) cannot be decoded as `u32`: not an integer in the range of \
                `u32` (6 bytes) [stored-form]";
    assert_eq!(message(run(|| votes.hrandfield(), [bulk("secret")]).0.unwrap_err()), name);
    assert_eq!(message(run(|| votes.hrandfield_many(1), [many()]).0.unwrap_err()), name);
}

#[test]
fn counting() {
    let count = |rest: &str| call(&lua::HINCRBY, rest);
    let votes = Votes { id: 1 };
    assert_eq!(text(votes.hincr(&7, 1)).unwrap(), count("user:votes:1:hash 3600000 5000 7 1 -1 0 255"));
    assert_eq!(text(votes.hdecr(&7, 5)).unwrap(), count("user:votes:1:hash 3600000 5000 7 -5 5 0 255"));
    let whole = format!("user:sums:1:hash -3600000 5000 7 -5 5 {} {}", i64::MIN, i64::MAX);
    assert_eq!(text(Sums { id: 1 }.hincr(&7, -5)).unwrap(), count(&whole));
    let error = text(Sums { id: 1 }.hincr(&7, i64::MIN)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::OutOfRange, SendStatus::No));
    assert_eq!(
        text(Rates { id: 1 }.hincr_by_float(&7, 0.5)).unwrap(),
        call(&lua::HINCRBYFLOAT, "user:rates:1:hash  5000 7 0.5 1.7976931348623157e308")
    );
    let error = text(Rates { id: 1 }.hincr_by_float(&7, f64::NAN)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Encode, SendStatus::No));
}

#[test]
fn what_a_count_finds() {
    let count = |reply| run(|| Votes { id: 1 }.hincr(&7, 1), [reply]).0;
    assert_eq!(count(Ok(Value::Int(5))).unwrap(), 5);
    let message = |reply| count(reply).unwrap_err().to_string();
    let range = "increment of `Votes` (user:votes:1:hash) leaves the range from 0 to 255; nothing was changed";
    assert_eq!(message(Ok(Value::Nil)), range);
    let full = "write to `Votes` (user:votes:1:hash) exceeds `max_len`: 5001 fields, at most 5000; nothing was changed \
                [collection-size]";
    assert_eq!(message(Ok(Value::Array(vec![Value::Int(5001)]))), full);
    assert_eq!(count(Ok(Value::Array(vec![]))).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    let number = "field value of `Votes` (user:votes:1:hash) cannot be decoded as `u8`: not a number that Redis can \
                  increment [stored-form]";
    assert_eq!(message(server_error("ERR hash value is not an integer")), number);
    let large = run(|| Sums { id: 1 }.hincr(&7, 1), [bulk("9007199254740993")]).0;
    assert_eq!(large.unwrap(), 9_007_199_254_740_993);
    let float = |reply| run(|| Rates { id: 1 }.hincr_by_float(&7, 0.5), [reply]).0;
    assert!((float(bulk("2.5")).unwrap() - 2.5).abs() < f64::EPSILON);
    assert_eq!(float(Ok(Value::Nil)).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(float(Ok(Value::Array(vec![Value::Int(5001)]))).unwrap_err().kind(), ErrorKind::CollectionSize);
    assert_eq!(float(server_error("ERR hash value is not a float")).unwrap_err().kind(), ErrorKind::Decode);
}

#[test]
fn one_field_can_expire_before_the_others() {
    let time = Duration::from_secs(60);
    assert_eq!(text(LABELS.hexpire("a", time)).unwrap(), ["HPEXPIRE user:labels:1:hash 60000 FIELDS 1 a"]);
    assert_eq!(text(LABELS.httl("a")).unwrap(), ["HPTTL user:labels:1:hash FIELDS 1 a"]);
    assert_eq!(text(LABELS.hpersist("a")).unwrap(), ["HPERSIST user:labels:1:hash FIELDS 1 a"]);
    for wrong in [Duration::ZERO, Duration::from_secs(3601)] {
        let error = text(LABELS.hexpire("a", wrong)).unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Expiry, SendStatus::No));
    }
    let answer = |number| Ok(Value::Array(vec![Value::Int(number)]));
    assert!(run(|| LABELS.hexpire("a", time), [answer(1)]).0.unwrap());
    assert!(!run(|| LABELS.hexpire("a", time), [answer(-2)]).0.unwrap());
    assert!(!run(|| LABELS.hpersist("a"), [answer(-1)]).0.unwrap());
    let left = |reply| run(|| LABELS.httl("a"), [reply]).0.unwrap();
    assert_eq!(left(answer(60_000)), TimeLeft::Left(time));
    assert_eq!(left(answer(-1)), TimeLeft::Never);
    assert_eq!((left(answer(-2)), left(Ok(Value::Nil))), (TimeLeft::Missing, TimeLeft::Missing));
    for server in ["ERR unknown command 'HPTTL', with args", "ERR unknown command `HPTTL`, with args"] {
        assert_eq!(
            run(|| LABELS.httl("a"), [server_error(server)]).0.unwrap_err().to_string(),
            "command on `Labels` (user:labels:1:hash) failed: the server replied ERR: field expiry is not supported: \
             it needs Redis 7.4 or Valkey 9"
        );
    }
}

#[test]
fn a_scan_gives_fields_and_values() {
    let page = |cursor: &str, words: &[&str]| {
        let words = words.iter().map(|word| Value::BulkString((*word).into())).collect();
        Ok(Value::Array(vec![Value::BulkString(cursor.into()), Value::Array(words)]))
    };
    let mut con = crate::tests::mock::Mock::new([page("5", &["1", "10", "2", "20"]), page("0", &["3", "30"])]);
    let found: Result<Vec<_>, _> = Votes { id: 1 }.hscan().iter(&mut con).collect();
    assert_eq!(found.unwrap(), [(1, 10), (2, 20), (3, 30)]);
    assert_eq!(con.sent, ["HSCAN user:votes:1:hash 0 COUNT 100", "HSCAN user:votes:1:hash 5 COUNT 100"]);
    let mut con = crate::tests::mock::Mock::new([page("0", &["1", "10", "secret", "20"])]);
    let found: Vec<_> = Votes { id: 1 }.hscan().iter(&mut con).collect();
    assert_eq!(found[0].as_ref().unwrap(), &(1, 10));
    assert!(found[1].as_ref().unwrap_err().to_string().contains("field name of `Votes`"));
}
