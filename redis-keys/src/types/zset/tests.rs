//! Commands and replies of the accessors of `zset` keys.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use std::iter;
use std::ops::{Bound, Range};

use redis::Value;

use crate::command::arguments::Float;
use crate::testing::text;
use crate::tests::mock::{bulk, run, server_error};
use crate::{Command, ErrorKind, SendStatus, ZSetKey as _, lua};

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(game:$word:{id}:zset, value = String, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Scores scores (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Top top (ttl = 1h, keep_top = 10);
    Sliding sliding (ttl = 1h, renew = write);
    Touched touched (ttl = 1h, renew = read);
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
}

const SCORES: Scores = Scores { id: 1 };
const TOP: Top = Top { id: 1 };

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

type ScoredCommand = Command<Vec<(String, f64)>>;

#[test]
fn adding() {
    let capped = |rest: &str| call(&lua::ZADD_CAPPED, rest);
    let keeping = |rest: &str| call(&lua::ZADD_KEEPING, rest);
    assert_eq!(text(SCORES.zadd("a", 1.5)).unwrap(), capped("game:scores:1:zset 3600000 3 0 1.5 a"));
    let several = text(SCORES.zadd_many([("a", 1.0), ("b", -2.0)])).unwrap();
    assert_eq!(several, capped("game:scores:1:zset 3600000 3 0 1 a -2 b"));
    assert_eq!(text(TOP.zadd("a", 1.5)).unwrap(), keeping("game:top:1:zset 3600000 -11 1.5 a"));
    assert_eq!(text(TOP.zadd_many([("a", 1.0)])).unwrap(), keeping("game:top:1:zset 3600000 -11 1 a"));
    assert_eq!(text(Sliding { id: 1 }.zadd("a", 1.0)).unwrap(), capped("game:sliding:1:zset -3600000 5000 0 1 a"));
    assert_eq!(text(Kept { id: 1 }.zadd("a", 1.0)).unwrap(), capped("game:kept:1:zset  5000 0 1 a"));
}

#[test]
fn options_precede_the_scores() {
    let capped = |rest: &str| call(&lua::ZADD_CAPPED, &format!("game:scores:1:zset 3600000 {rest} 1 a"));
    let add = || SCORES.zadd("a", 1.0);
    assert_eq!(text(add().nx()).unwrap(), capped("3 1 NX"));
    assert_eq!(text(add().nx().ch()).unwrap(), capped("3 2 NX CH"));
    assert_eq!(text(add().gt()).unwrap(), capped("3 1 GT"));
    assert_eq!(text(add().ch().lt()).unwrap(), capped("3 2 LT CH"));
    // An addition that adds no member cannot exceed the cap.
    assert_eq!(text(add().xx()).unwrap(), capped("4294967295 1 XX"));
    assert_eq!(text(add().xx().gt().ch()).unwrap(), capped("4294967295 3 XX GT CH"));
    assert_eq!(text(add().lt().xx()).unwrap(), capped("4294967295 2 XX LT"));
    let keeping = |rest: &str| call(&lua::ZADD_KEEPING, &format!("game:top:1:zset 3600000 -11 {rest} 1 a"));
    assert_eq!(text(TOP.zadd("a", 1.0).nx()).unwrap(), keeping("NX"));
    assert_eq!(text(TOP.zadd("a", 1.0).xx().lt()).unwrap(), keeping("XX LT"));
}

#[test]
fn results_of_additions() {
    let add = |reply| run(|| SCORES.zadd("a", 1.0).ch().into(), [Ok(Value::Int(reply))]).0;
    assert!(add(1).unwrap());
    assert!(!add(0).unwrap());
    assert_eq!(
        add(-4).unwrap_err().to_string(),
        "write to `Scores` (game:scores:1:zset) exceeds `max_len`: 4 elements, at most 3; nothing was changed \
         [collection-size]"
    );
    let added = run(|| SCORES.zadd_many([("a", 1.0), ("b", 2.0)]).into(), [Ok(Value::Int(2))]).0;
    assert_eq!(added.unwrap(), 2);
}

#[test]
fn scores_are_exact() {
    for (score, written) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (0.1, "0.1"),
        (-1.5, "-1.5"),
        (1e15, "1000000000000000"),
        (9_007_199_254_740_993.0, "9007199254740992"),
        (1e16, "1e16"),
        (f64::MAX, "1.7976931348623157e308"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        (5e-324, "5e-324"),
        (1e-5, "0.00001"),
        (9e-6, "9e-6"),
        (f64::INFINITY, "+inf"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(Float(score).to_string(), written);
        assert_eq!(written.parse::<f64>().unwrap().to_bits(), score.to_bits());
    }
    for reply in [Ok(Value::Double(f64::INFINITY)), bulk("inf"), bulk("+inf")] {
        assert_eq!(run(|| SCORES.zscore("a"), [reply]).0.unwrap(), Some(f64::INFINITY));
    }
    assert_eq!(run(|| SCORES.zscore("a"), [bulk("-inf")]).0.unwrap(), Some(f64::NEG_INFINITY));
    assert_eq!(run(|| SCORES.zscore("a"), [bulk("1.7976931348623157e+308")]).0.unwrap(), Some(f64::MAX));
}

#[test]
fn nan_is_not_sent() {
    let nan = f64::NAN;
    let add = "command on `Scores` (game:scores:1:zset) has an invalid argument: the score is NaN";
    let range = "command on `Scores` (game:scores:1:zset) has an invalid argument: a bound of the score range is NaN";
    for (refused, message) in [
        (text(SCORES.zadd("a", nan)), add),
        (text(SCORES.zadd_many([("a", 1.0), ("b", nan)]).xx()), add),
        (text(SCORES.zincr("a", nan)), add),
        (text(SCORES.zrangebyscore(nan.., 5)), range),
        (text(SCORES.zrevrangebyscore_withscores(..nan, 5)), range),
        (text(SCORES.zcount((Bound::Excluded(nan), Bound::Unbounded))), range),
        (text(SCORES.zremrangebyscore(0.0..=nan)), range),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(
            (error.kind(), error.sent(), error.to_string().as_str()),
            (ErrorKind::Argument, SendStatus::No, message)
        );
    }
}

#[test]
fn incrementing_scores() {
    assert_eq!(
        text(SCORES.zincr("a", -2.5)).unwrap(),
        call(&lua::ZADD_CAPPED, "game:scores:1:zset 3600000 3 1 INCR -2.5 a")
    );
    assert_eq!(text(TOP.zincr("a", 1.0)).unwrap(), call(&lua::ZADD_KEEPING, "game:top:1:zset 3600000 -11 INCR 1 a"));
    let incr = |reply| run(|| SCORES.zincr("a", 1.0), [reply]).0;
    assert_eq!(incr(bulk("2.5")).unwrap().to_bits(), 2.5_f64.to_bits());
    assert_eq!(incr(Ok(Value::Int(-4))).unwrap_err().kind(), ErrorKind::CollectionSize);
    let error = incr(server_error("ERR resulting score is not a number (NaN)")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert_eq!(error.to_string(), "increment of `Scores` (game:scores:1:zset) results in NaN; nothing was changed");
}

#[test]
fn ranges_by_rank() {
    assert_eq!(text(SCORES.zrange(0..10)).unwrap(), ["ZRANGE game:scores:1:zset 0 9"]);
    assert_eq!(text(SCORES.zrevrange(5..6)).unwrap(), ["ZREVRANGE game:scores:1:zset 5 5"]);
    assert_eq!(text(SCORES.zrange_withscores(0..10)).unwrap(), ["ZRANGE game:scores:1:zset 0 9 WITHSCORES"]);
    assert_eq!(text(SCORES.zrevrange_withscores(0..5000)).unwrap(), ["ZREVRANGE game:scores:1:zset 0 4999 WITHSCORES"]);
    assert_eq!(text(SCORES.zremrangebyrank(2..u32::MAX)).unwrap(), ["ZREMRANGEBYRANK game:scores:1:zset 2 4294967294"]);
    for refused in [text(SCORES.zrange(0..5001)), text(SCORES.zrevrange_withscores(0..u32::MAX))] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::TooMany);
    }
}

#[test]
fn ranges_by_score() {
    let by_score = |rest: &str| vec![format!("ZRANGEBYSCORE game:scores:1:zset {rest}")];
    assert_eq!(text(SCORES.zrangebyscore(.., 5)).unwrap(), by_score("-inf +inf LIMIT 0 5"));
    assert_eq!(text(SCORES.zrangebyscore(1.5..2.5, 5)).unwrap(), by_score("1.5 (2.5 LIMIT 0 5"));
    assert_eq!(text(SCORES.zrangebyscore(1.0..=1.0, 5000)).unwrap(), by_score("1 1 LIMIT 0 5000"));
    let open = (Bound::Excluded(f64::NEG_INFINITY), Bound::Excluded(1e20));
    assert_eq!(text(SCORES.zrangebyscore(open, 5)).unwrap(), by_score("(-inf (1e20 LIMIT 0 5"));
    assert_eq!(text(SCORES.zrangebyscore_withscores(1.0.., 5)).unwrap(), by_score("1 +inf WITHSCORES LIMIT 0 5"));
    let reversed = |rest: &str| vec![format!("ZREVRANGEBYSCORE game:scores:1:zset {rest}")];
    assert_eq!(text(SCORES.zrevrangebyscore(1.0..2.0, 5)).unwrap(), reversed("(2 1 LIMIT 0 5"));
    assert_eq!(text(SCORES.zrevrangebyscore_withscores(..=2.0, 5)).unwrap(), reversed("2 -inf WITHSCORES LIMIT 0 5"));
    assert_eq!(text(SCORES.zcount(-1.0..)).unwrap(), ["ZCOUNT game:scores:1:zset -1 +inf"]);
    assert_eq!(text(SCORES.zremrangebyscore(..0.0)).unwrap(), ["ZREMRANGEBYSCORE game:scores:1:zset -inf (0"]);
    assert_eq!(text(SCORES.zrangebyscore(.., 5001)).unwrap_err().kind(), ErrorKind::TooMany);
}

#[test]
fn nothing_to_do_is_not_sent() {
    let no_members: [(&str, f64); 0] = [];
    assert_eq!(run(|| SCORES.zadd_many(no_members).into(), []).0.unwrap(), 0);
    assert_eq!(run(|| SCORES.zadd_many(no_members).xx().gt().ch().into(), []).0.unwrap(), 0);
    assert_eq!(run(|| SCORES.zrem_many(Vec::<String>::new()), []).0.unwrap(), 0);
    assert!(run(|| SCORES.zmscore(Vec::<String>::new()), []).0.unwrap().is_empty());
    assert!(run(|| SCORES.zpopmin_many(0), []).0.unwrap().is_empty());
    assert!(run(|| SCORES.zrandmember_many(0), []).0.unwrap().is_empty());
    assert!(run(|| SCORES.zpopmax_many(0), []).0.unwrap().is_empty());
    for empty in [0..0, 7..7, Range { start: 7, end: 3 }] {
        assert!(run(|| SCORES.zrange(empty.clone()), []).0.unwrap().is_empty());
        assert!(run(|| SCORES.zrevrange_withscores(empty.clone()), []).0.unwrap().is_empty());
        assert_eq!(run(|| SCORES.zremrangebyrank(empty.clone()), []).0.unwrap(), 0);
    }
    assert!(run(|| SCORES.zrangebyscore(.., 0), []).0.unwrap().is_empty());
    let excluded = (Bound::Excluded(1.0), Bound::Included(1.0));
    for empty in [(Bound::Included(1.0), Bound::Excluded(1.0)), excluded, (Bound::Included(2.0), Bound::Included(1.0))]
    {
        assert!(run(|| SCORES.zrangebyscore(empty, 5), []).0.unwrap().is_empty());
        assert!(run(|| SCORES.zrevrangebyscore(empty, 5), []).0.unwrap().is_empty());
        assert_eq!(run(|| SCORES.zcount(empty), []).0.unwrap(), 0);
        assert_eq!(run(|| SCORES.zremrangebyscore(empty), []).0.unwrap(), 0);
    }
}

#[test]
fn excess_is_not_sent() {
    let long = "123456789";
    for refused in [
        text(SCORES.zadd(long, 1.0)),
        text(SCORES.zincr(long, 1.0)),
        text(SCORES.zscore(long)),
        text(SCORES.zrem(long)),
    ] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::ValueSize);
    }
    let members = || (0..501).map(|n| n.to_string());
    for refused in [
        text(SCORES.zadd_many(members().map(|member| (member, 1.0)))),
        text(SCORES.zrem_many(members())),
        text(SCORES.zadd_many(iter::repeat(("a", 1.0)))),
        text(SCORES.zrem_many(iter::repeat("a"))),
        text(SCORES.zmscore(iter::repeat("a"))),
        text(SCORES.zmscore(members())),
        text(SCORES.zpopmin_many(501)),
        text(SCORES.zrandmember_many(501)),
        text(SCORES.zrandmember_many_withscores(501)),
        text(SCORES.zpopmax_many(501)),
    ] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
    }
}

#[test]
fn other_commands() {
    for (sent, expected) in [
        (text(SCORES.zscore("a")), "ZSCORE game:scores:1:zset a"),
        (text(SCORES.zmscore(["a", "b"])), "ZMSCORE game:scores:1:zset a b"),
        (text(SCORES.zrank("a")), "ZRANK game:scores:1:zset a"),
        (text(SCORES.zrevrank("a")), "ZREVRANK game:scores:1:zset a"),
        (text(SCORES.zcard()), "ZCARD game:scores:1:zset"),
        (text(SCORES.zrandmember()), "ZRANDMEMBER game:scores:1:zset"),
        (text(SCORES.zrandmember_many(3)), "ZRANDMEMBER game:scores:1:zset 3"),
        (text(SCORES.zrandmember_many_withscores(3)), "ZRANDMEMBER game:scores:1:zset 3 WITHSCORES"),
        (text(SCORES.zpopmin()), "ZPOPMIN game:scores:1:zset"),
        (text(SCORES.zpopmax_many(3)), "ZPOPMAX game:scores:1:zset 3"),
        (text(SCORES.zrem("a")), "ZREM game:scores:1:zset a"),
        (text(SCORES.zrem_many(["a", "b"])), "ZREM game:scores:1:zset a b"),
    ] {
        assert_eq!(sent.unwrap(), [expected]);
    }
    let read = |rest: &str| call(&lua::READ, &format!("game:touched:1:zset 3600000 {rest}"));
    assert_eq!(text(Touched { id: 1 }.zrange_withscores(0..2)).unwrap(), read("ZRANGE 0 1 WITHSCORES"));
    assert_eq!(text(Touched { id: 1 }.zcount(..)).unwrap(), read("ZCOUNT -inf +inf"));
    assert_eq!(text(Touched { id: 1 }.zcount(1.0..1.0)).unwrap(), Vec::<String>::new());
}

#[test]
fn replies_of_both_protocols() {
    let member = |text: &str| Value::BulkString(text.into());
    let flat = Value::Array(vec![member("a"), member("1.5"), member("b"), Value::Double(2.0)]);
    let pair = |text, score| Value::Array(vec![member(text), Value::Double(score)]);
    let nested = Value::Array(vec![pair("a", 1.5), pair("b", 2.0)]);
    let expected = [("a".to_owned(), 1.5), ("b".to_owned(), 2.0)];
    let commands: [fn() -> ScoredCommand; 4] = [
        || SCORES.zpopmin_many(2),
        || SCORES.zrange_withscores(0..2),
        || SCORES.zrevrangebyscore_withscores(.., 2),
        || SCORES.zrandmember_many_withscores(2),
    ];
    for command in commands {
        for reply in [flat.clone(), nested.clone()] {
            assert_eq!(run(command, [Ok(reply)]).0.unwrap(), expected);
        }
        for wrong in
            [Value::Array(vec![member("a")]), Value::Array(vec![Value::Array(vec![member("a")])]), Value::Int(1)]
        {
            assert_eq!(run(command, [Ok(wrong)]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
        }
    }
    assert_eq!(run(|| SCORES.zpopmax(), [Ok(pair("a", 1.5))]).0.unwrap(), Some(("a".to_owned(), 1.5)));
    assert_eq!(run(|| SCORES.zpopmax(), [Ok(Value::Array(Vec::new()))]).0.unwrap(), None);
    let scores = Value::Array(vec![member("1"), Value::Nil, Value::Double(2.0)]);
    assert_eq!(run(|| SCORES.zmscore(["a", "b", "c"]), [Ok(scores)]).0.unwrap(), [Some(1.0), None, Some(2.0)]);
    let one_nil = || Value::Array(vec![Value::Nil]);
    for wrong in [one_nil(), Value::Array(Vec::new()), Value::Nil] {
        let error = run(|| SCORES.zmscore(["a", "b"]), [Ok(wrong)]).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    }
    let touched = |members: &[&str], reply| run(|| Touched { id: 1 }.zmscore(members.iter().copied()), [Ok(reply)]).0;
    assert_eq!(touched(&["a"], one_nil()).unwrap(), [None]);
    assert_eq!(touched(&["a", "b"], one_nil()).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    assert_eq!(run(|| SCORES.zrandmember(), [Ok(Value::Nil)]).0.unwrap(), None);
    assert_eq!(run(|| SCORES.zrank("a"), [Ok(Value::Nil)]).0.unwrap(), None);
    assert_eq!(run(|| SCORES.zrank("a"), [Ok(Value::Int(3))]).0.unwrap(), Some(3));
}

#[test]
fn debug_shows_the_key_only() {
    assert_eq!(format!("{:?}", SCORES.zadd("secret", 1.0)), "ZAdd { key: Ok(\"game:scores:1:zset\"), .. }");
}
