//! Commands of the accessors of `set` keys, word by word.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use std::iter;

use redis::Value;

use crate::testing::text;
use crate::tests::mock::{bulk, run};
use crate::{ErrorKind, SendStatus, SetKey as _, lua};

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:$word:{id}:set, value = String, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Tags tags (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Sliding sliding (ttl = 1h, renew = write);
    Touched touched (ttl = 1h, renew = read);
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
}

const TAGS: Tags = Tags { id: 1 };

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

#[test]
fn adding_and_removing() {
    let add = |rest: &str| call(&lua::SADD, rest);
    assert_eq!(text(TAGS.sadd("a")).unwrap(), add("user:tags:1:set 3600000 3 a"));
    assert_eq!(text(TAGS.sadd_many(["a", "b"])).unwrap(), add("user:tags:1:set 3600000 3 a b"));
    assert_eq!(text(Sliding { id: 1 }.sadd("a")).unwrap(), add("user:sliding:1:set -3600000 5000 a"));
    assert_eq!(text(Kept { id: 1 }.sadd("a")).unwrap(), add("user:kept:1:set  5000 a"));
    assert_eq!(text(TAGS.srem("a")).unwrap(), ["SREM user:tags:1:set a"]);
    assert_eq!(text(TAGS.srem_many(["a", "b"])).unwrap(), ["SREM user:tags:1:set a b"]);
}

#[test]
fn what_an_addition_finds() {
    assert!(run(|| TAGS.sadd("a"), [Ok(Value::Int(1))]).0.unwrap());
    assert!(!run(|| TAGS.sadd("a"), [Ok(Value::Int(0))]).0.unwrap());
    assert_eq!(run(|| TAGS.sadd_many(["a", "b"]), [Ok(Value::Int(2))]).0.unwrap(), 2);
    let full = "write to `Tags` (user:tags:1:set) exceeds `max_len`: 4 elements, at most 3; nothing was changed \
                [collection-size]";
    assert_eq!(run(|| TAGS.sadd("a"), [Ok(Value::Int(-4))]).0.unwrap_err().to_string(), full);
    assert_eq!(run(|| TAGS.sadd_many(["a"]), [Ok(Value::Int(-4))]).0.unwrap_err().to_string(), full);
    assert_eq!(run(|| TAGS.sadd("a"), [bulk("1")]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn nothing_to_do_is_not_sent() {
    let none: [&str; 0] = [];
    assert_eq!(run(|| TAGS.sadd_many(none), []).0.unwrap(), 0);
    assert_eq!(run(|| TAGS.srem_many(none), []).0.unwrap(), 0);
    assert!(run(|| TAGS.smismember(none), []).0.unwrap().is_empty());
    assert!(run(|| Touched { id: 1 }.smismember(none), []).0.unwrap().is_empty());
    assert!(run(|| TAGS.srandmember_many(0), []).0.unwrap().is_empty());
    assert!(run(|| TAGS.spop_many(0), []).0.unwrap().is_empty());
}

#[test]
fn what_is_too_much_is_not_sent() {
    let long = "123456789";
    for refused in
        [text(TAGS.sadd(long)), text(TAGS.srem(long)), text(TAGS.sismember(long)), text(TAGS.smismember(["a", long]))]
    {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::ValueSize, SendStatus::No));
    }
    let many = || (0..501).map(|n| n.to_string());
    for refused in [
        text(TAGS.sadd_many(many())),
        text(TAGS.sadd_many(iter::repeat("a"))),
        text(TAGS.srem_many(iter::repeat("a"))),
        text(TAGS.smismember(iter::repeat("a"))),
        text(TAGS.srem_many(many())),
        text(TAGS.smismember(many())),
        text(TAGS.srandmember_many(501)),
        text(TAGS.spop_many(501)),
    ] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
    }
}

#[test]
fn reading() {
    assert_eq!(text(TAGS.sismember("a")).unwrap(), ["SISMEMBER user:tags:1:set a"]);
    assert_eq!(text(TAGS.smismember(["a", "b"])).unwrap(), ["SMISMEMBER user:tags:1:set a b"]);
    assert_eq!(text(TAGS.scard()).unwrap(), ["SCARD user:tags:1:set"]);
    assert_eq!(text(TAGS.srandmember()).unwrap(), ["SRANDMEMBER user:tags:1:set"]);
    assert_eq!(text(TAGS.srandmember_many(2)).unwrap(), ["SRANDMEMBER user:tags:1:set 2"]);
    assert_eq!(text(TAGS.spop()).unwrap(), ["SPOP user:tags:1:set"]);
    assert_eq!(text(TAGS.spop_many(2)).unwrap(), ["SPOP user:tags:1:set 2"]);
    let read = |rest: &str| call(&lua::READ, rest);
    assert_eq!(text(Touched { id: 1 }.sismember("a")).unwrap(), read("user:touched:1:set 3600000 SISMEMBER a"));
    assert_eq!(text(Touched { id: 1 }.smismember(["a"])).unwrap(), read("user:touched:1:set 3600000 SMISMEMBER a"));
    assert_eq!(text(Touched { id: 1 }.srandmember_many(2)).unwrap(), read("user:touched:1:set 3600000 SRANDMEMBER 2"));
}

#[test]
fn what_reads_find() {
    let flags = Value::Array(vec![Value::Int(1), Value::Int(0)]);
    assert_eq!(run(|| TAGS.smismember(["a", "b"]), [Ok(flags.clone())]).0.unwrap(), [true, false]);
    let touched =
        |members: &[&str]| run(|| Touched { id: 1 }.smismember(members.iter().copied()), [Ok(flags.clone())]).0;
    assert_eq!(touched(&["a", "b"]).unwrap(), [true, false]);
    for wrong in [
        touched(&["a"]),
        touched(&["a", "b", "c"]),
        run(|| TAGS.smismember(["a"]), [Ok(flags.clone())]).0,
        run(|| TAGS.smismember(["a", "b", "c"]), [Ok(flags.clone())]).0,
        run(|| TAGS.smismember(["a"]), [Ok(Value::Nil)]).0,
    ] {
        assert_eq!(wrong.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
    assert_eq!(run(|| TAGS.srandmember(), [Ok(Value::Nil)]).0.unwrap(), None);
    let members = || vec![Value::BulkString(b"a".into()), Value::BulkString(b"b".into())];
    for reply in [Value::Array(members()), Value::Set(members())] {
        assert_eq!(run(|| TAGS.spop_many(5), [Ok(reply)]).0.unwrap(), ["a", "b"]);
    }
}
