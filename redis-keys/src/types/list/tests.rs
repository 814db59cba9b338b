//! Commands of the accessors of `list` keys, word by word.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use std::iter;
use std::ops::Range;

use redis::Value;

use crate::testing::text;
use crate::tests::mock::{bulk, run, server_error};
use crate::types::list::ListEnd;
use crate::{ErrorKind, ListKey as _, Rule, SendStatus, lua};

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:$word:{id}:list, value = String, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Inbox inbox (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Recent recent (ttl = 1h, keep_last = 100);
    Sliding sliding (ttl = 1h, renew = write);
    Touched touched (ttl = 1h, renew = read);
    Fading fading (ttl = 1h, renew = below(10m));
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
}

const INBOX: Inbox = Inbox { id: 1 };
const RECENT: Recent = Recent { id: 1 };

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} {rest}", script.file)]
}

#[test]
fn pushing() {
    assert_eq!(text(INBOX.lpush("a")).unwrap(), call(&lua::LPUSH_CAPPED, "1 user:inbox:1:list 3600000 3 a"));
    let capped = |rest: &str| call(&lua::RPUSH_CAPPED, rest);
    assert_eq!(text(INBOX.rpush_many(["a", "b"])).unwrap(), capped("1 user:inbox:1:list 3600000 3 a b"));
    assert_eq!(text(Sliding { id: 1 }.rpush("a")).unwrap(), capped("1 user:sliding:1:list -3600000 5000 a"));
    assert_eq!(text(Kept { id: 1 }.rpush("a")).unwrap(), capped("1 user:kept:1:list  5000 a"));
    let left = call(&lua::LPUSH_KEEPING, "1 user:recent:1:list 3600000 99 a");
    assert_eq!(text(RECENT.lpush("a")).unwrap(), left);
    let right = call(&lua::RPUSH_KEEPING, "1 user:recent:1:list 3600000 -100 a b");
    assert_eq!(text(RECENT.rpush_many(["a", "b"])).unwrap(), right);
}

#[test]
fn a_push_tells_the_length() {
    assert_eq!(run(|| INBOX.lpush("a"), [Ok(Value::Int(2))]).0.unwrap(), 2);
    assert_eq!(run(|| RECENT.lpush("a"), [Ok(Value::Int(101))]).0.unwrap(), 100);
    let error = run(|| INBOX.lpush_many(["a", "b"]), [Ok(Value::Int(-4))]).0.unwrap_err();
    assert_eq!(
        (error.kind(), error.rule(), error.sent()),
        (ErrorKind::CollectionSize, Some(Rule::CollectionSize), SendStatus::Yes)
    );
    assert_eq!(
        error.to_string(),
        "write to `Inbox` (user:inbox:1:list) exceeds `max_len`: 4 elements, at most 3; nothing was changed \
         [collection-size]"
    );
}

#[test]
fn nothing_to_do_is_not_sent() {
    let none: [&str; 0] = [];
    assert_eq!(run(|| INBOX.lpush_many(none), []).0.unwrap(), 0);
    assert_eq!(run(|| INBOX.rpush_many(none), []).0.unwrap(), 0);
    assert!(run(|| INBOX.lpop_many(0), []).0.unwrap().is_empty());
    assert!(run(|| INBOX.rpop_many(0), []).0.unwrap().is_empty());
    for range in [0..0, 7..7, Range { start: 7, end: 3 }] {
        assert!(run(|| INBOX.lrange(range.clone()), []).0.unwrap().is_empty());
    }
}

#[test]
fn what_is_too_much_is_not_sent() {
    let error = text(INBOX.lpush("123456789")).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::ValueSize, SendStatus::No));
    assert_eq!(
        error.to_string(),
        "element of `Inbox` (user:inbox:1:list) exceeds `max_member_bytes`: 9 bytes, at most 8; declare `max_member_bytes = 9B` to allow it [value-size]"
    );
    for refused in
        [text(INBOX.lset(0, "123456789")), text(INBOX.rpush_many(["1", "123456789"])), text(INBOX.lrem(0, "123456789"))]
    {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::ValueSize);
    }
    assert_eq!(text(INBOX.lrange(7..5007)).unwrap(), ["LRANGE user:inbox:1:list 7 5006"]);
    for refused in [
        text(INBOX.lpush_many((0..501).map(|n| n.to_string()))),
        text(INBOX.rpush_many(iter::repeat("a"))),
        text(INBOX.lpop_many(501)),
        text(INBOX.rpop_many(u32::MAX)),
        text(INBOX.lrange(0..5001)),
        text(INBOX.lrange(0..u32::MAX)),
    ] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
    }
}

#[test]
fn popping() {
    assert_eq!(text(INBOX.lpop()).unwrap(), ["LPOP user:inbox:1:list"]);
    assert_eq!(text(INBOX.rpop()).unwrap(), ["RPOP user:inbox:1:list"]);
    assert_eq!(text(INBOX.lpop_many(500)).unwrap(), ["LPOP user:inbox:1:list 500"]);
    assert_eq!(text(INBOX.rpop_many(2)).unwrap(), ["RPOP user:inbox:1:list 2"]);
    let many = |reply| run(|| INBOX.lpop_many(2), [reply]).0.unwrap();
    assert_eq!(many(Ok(Value::Array(vec![Value::BulkString(b"a".into())]))), ["a"]);
    assert!(many(Ok(Value::Nil)).is_empty());
}

#[test]
fn reading() {
    assert_eq!(text(INBOX.lrange(0..10)).unwrap(), ["LRANGE user:inbox:1:list 0 9"]);
    assert_eq!(text(INBOX.lindex(-1)).unwrap(), ["LINDEX user:inbox:1:list -1"]);
    assert_eq!(text(INBOX.lpos("a")).unwrap(), ["LPOS user:inbox:1:list a"]);
    assert_eq!(text(INBOX.lpos("123456789")).unwrap_err().kind(), ErrorKind::ValueSize);
    assert_eq!(run(|| INBOX.lpos("a"), [Ok(Value::Nil)]).0.unwrap(), None);
    assert_eq!(run(|| INBOX.lpos("a"), [Ok(Value::Int(3))]).0.unwrap(), Some(3));
    assert_eq!(run(|| INBOX.lpos("a"), [bulk("3")]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    assert_eq!(text(INBOX.llen()).unwrap(), ["LLEN user:inbox:1:list"]);
    let read = |rest: &str| call(&lua::READ, rest);
    assert_eq!(text(Touched { id: 1 }.lrange(0..2)).unwrap(), read("1 user:touched:1:list 3600000 LRANGE 0 1"));
    assert_eq!(text(Touched { id: 1 }.lindex(5)).unwrap(), read("1 user:touched:1:list 3600000 LINDEX 5"));
    assert_eq!(text(Touched { id: 1 }.lpos("a")).unwrap(), read("1 user:touched:1:list 3600000 LPOS a"));
    assert_eq!(text(Touched { id: 1 }.llen()).unwrap(), read("1 user:touched:1:list 3600000 LLEN"));
    assert_eq!(text(Fading { id: 1 }.llen()).unwrap(), ["LLEN user:fading:1:list", "PTTL user:fading:1:list"]);
}

#[test]
fn trimming_keeps_what_the_range_says() {
    assert_eq!(text(INBOX.ltrim(2..10)).unwrap(), ["LTRIM user:inbox:1:list 2 9"]);
    assert_eq!(text(INBOX.ltrim(0..u32::MAX)).unwrap(), ["LTRIM user:inbox:1:list 0 4294967294"]);
    // An end of -1 would be the end of the list.
    for empty in [0..0, 5..5, Range { start: 5, end: 2 }] {
        assert_eq!(text(INBOX.ltrim(empty)).unwrap(), ["LTRIM user:inbox:1:list 1 0"]);
    }
}

#[test]
fn replacing_and_removing() {
    assert_eq!(text(INBOX.lset(-1, "a")).unwrap(), call(&lua::LSET, "1 user:inbox:1:list 3600000 -1 a"));
    assert_eq!(text(Sliding { id: 1 }.lset(3, "a")).unwrap(), call(&lua::LSET, "1 user:sliding:1:list -3600000 3 a"));
    assert!(run(|| INBOX.lset(0, "a"), [Ok(Value::Int(1))]).0.unwrap());
    assert!(!run(|| INBOX.lset(0, "a"), [Ok(Value::Int(0))]).0.unwrap());
    assert_eq!(text(INBOX.lrem(-2, "a")).unwrap(), ["LREM user:inbox:1:list -2 a"]);
}

#[test]
fn moving() {
    let (left, right) = (ListEnd::Left, ListEnd::Right);
    let moved = |rest: &str| call(&lua::MOVE, rest);
    assert_eq!(
        text(RECENT.lmove(&INBOX, right, left)).unwrap(),
        moved("2 user:inbox:1:list user:recent:1:list 3600000 3   RIGHT LEFT")
    );
    assert_eq!(
        text(INBOX.lmove(&RECENT, left, left)).unwrap(),
        moved("2 user:recent:1:list user:inbox:1:list 3600000  0 99 LEFT LEFT")
    );
    assert_eq!(
        text(INBOX.lmove(&RECENT, left, right)).unwrap(),
        moved("2 user:recent:1:list user:inbox:1:list 3600000  -100 -1 LEFT RIGHT")
    );
    assert_eq!(
        text(INBOX.lmove(&Kept { id: 1 }, left, right)).unwrap(),
        moved("2 user:kept:1:list user:inbox:1:list  5000   LEFT RIGHT")
    );
    assert_eq!(
        text(INBOX.lmove(&Sliding { id: 1 }, left, right)).unwrap(),
        moved("2 user:sliding:1:list user:inbox:1:list -3600000 5000   LEFT RIGHT")
    );
    let full = || RECENT.lmove(&INBOX, right, left);
    assert_eq!(run(full, [bulk("a")]).0.unwrap().as_deref(), Some("a"));
    assert_eq!(run(full, [Ok(Value::Nil)]).0.unwrap(), None);
    let error = run(full, [Ok(Value::Int(4))]).0.unwrap_err();
    assert_eq!((error.kind(), error.key()), (ErrorKind::CollectionSize, Some("user:inbox:1:list")));
}

#[test]
fn the_key_of_another_type_is_named() {
    let wrong = || server_error("WRONGTYPE Operation against a key holding the wrong kind of value");
    let message = |found: &str| {
        let replies = [wrong(), Ok(Value::SimpleString(found.to_owned()))];
        let (moved, sent) = run(|| RECENT.lmove(&INBOX, ListEnd::Left, ListEnd::Left), replies);
        assert_eq!(sent[1], "TYPE user:inbox:1:list");
        moved.unwrap_err().to_string()
    };
    assert_eq!(message("set"), "key of `Inbox` (user:inbox:1:list) holds a set, but a list is declared [type-suffix]");
    assert_eq!(
        message("list"),
        "key of `Inbox` (user:recent:1:list) holds another type than the declared list [type-suffix]"
    );
    // A command with one key has no other, and its next word may be a value.
    let (found, _) = run(|| INBOX.lrem(0, "secret"), [wrong(), Ok(Value::SimpleString("list".to_owned()))]);
    assert!(!found.unwrap_err().to_string().contains("secret"));
}
