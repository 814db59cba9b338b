//! Commands of the accessors of `string` keys, word by word.

use std::time::{Duration, SystemTime};

use redis::Value;

use crate::testing::{fix_clock, fix_jitter, text};
use crate::tests::keys::{Balance, Ghost, Level, Name, Note, Rate, Seen, Session, Stock, Token, Total, Views, Weight};
use crate::tests::mock::{bulk, run, server_error};
use crate::{ErrorKind, Rule, SendStatus, StringKey as _, lua};

const NAME: Name<'_> = Name { user: "ada" };
const HOUR: Duration = Duration::from_secs(3600);

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

#[test]
fn set_carries_the_expiry() {
    assert_eq!(text(NAME.set("x")).unwrap(), ["SET user:name:ada:string x PX 3600000"]);
    assert_eq!(text(NAME.set_nx("x")).unwrap(), ["SET user:name:ada:string x PX 3600000 NX"]);
    assert_eq!(text(NAME.set_xx("x")).unwrap(), ["SET user:name:ada:string x PX 3600000 XX"]);
    assert_eq!(text(NAME.set("x").returning_old()).unwrap(), ["SET user:name:ada:string x PX 3600000 GET"]);
    assert_eq!(text(NAME.set_xx("x").returning_old()).unwrap(), ["SET user:name:ada:string x PX 3600000 XX GET"]);
    assert_eq!(text(Total { id: 1 }.set(&5)).unwrap(), ["SET shop:total:1:string 5"]);
}

#[test]
fn jitter_comes_on_top() {
    for (share, ms) in [(0.0, 3_600_000), (0.5, 3_900_000), (1.0, 4_200_000)] {
        let _fixed = fix_jitter(share);
        assert_eq!(text(Views { page: 7 }.set(&1)).unwrap(), [format!("SET page:views:7:string 1 PX {ms}")]);
    }
    for _ in 0..1000 {
        let sent = text(Views { page: 7 }.set(&1)).unwrap();
        let ms: u64 = sent[0].rsplit(' ').next().unwrap().parse().unwrap();
        assert!((3_600_000..=4_200_000).contains(&ms), "{ms}");
    }
}

#[test]
fn fixed_things_are_given_back() {
    let _outer = fix_jitter(1.0);
    drop(fix_jitter(0.0));
    assert_eq!(text(Views { page: 7 }.set(&1)).unwrap(), ["SET page:views:7:string 1 PX 4200000"]);
}

#[test]
fn one_value_can_live_shorter() {
    assert_eq!(text(NAME.set("x").expire_in(HOUR)).unwrap(), ["SET user:name:ada:string x PX 3600000"]);
    assert_eq!(text(NAME.set_nx("x").expire_in(HOUR / 2)).unwrap(), ["SET user:name:ada:string x PX 1800000 NX"]);
    let short = Duration::from_nanos(1);
    assert_eq!(text(NAME.set("x").expire_in(short)).unwrap(), ["SET user:name:ada:string x PX 1"]);
    // The last call counts.
    assert_eq!(text(NAME.set("x").keep_ttl().expire_in(short)).unwrap(), ["SET user:name:ada:string x PX 1"]);
    assert_eq!(text(Total { id: 1 }.set(&5).expire_in(HOUR)).unwrap(), ["SET shop:total:1:string 5 PX 3600000"]);
}

#[test]
fn one_value_cannot_live_longer() {
    let _stopped = fix_clock(SystemTime::UNIX_EPOCH + HOUR);
    let end = |hours: u32| SystemTime::UNIX_EPOCH + HOUR * hours;
    let nano = Duration::from_nanos(1);
    assert_eq!(text(NAME.set("x").expire_at(end(2))).unwrap(), ["SET user:name:ada:string x PXAT 7200000"]);
    assert_eq!(text(NAME.set_nx("x").expire_at(end(2))).unwrap(), ["SET user:name:ada:string x PXAT 7200000 NX"]);
    for refused in [
        NAME.set("x").expire_in(Duration::ZERO),
        NAME.set("x").expire_in(HOUR + nano),
        NAME.set("x").expire_at(end(1)),
        NAME.set("x").expire_at(end(0)),
        NAME.set("x").expire_at(end(2) + nano),
        NAME.set("x").expire_in(HOUR).expire_in(HOUR * 2),
    ] {
        let error = text(refused).unwrap_err();
        assert_eq!((error.kind(), error.rule(), error.sent()), (ErrorKind::Expiry, Some(Rule::Expiry), SendStatus::No));
    }
    assert_eq!(
        text(NAME.set("x").expire_in(HOUR * 2)).unwrap_err().to_string(),
        "expiry of `Name` (user:name:ada:string) exceeds the declared `ttl` of 1h [expiry]"
    );
}

#[test]
fn the_last_expiry_counts() {
    let set = || NAME.set("x").expire_in(Duration::ZERO);
    assert_eq!(text(set().expire_in(HOUR)).unwrap(), ["SET user:name:ada:string x PX 3600000"]);
    assert_eq!(text(set().keep_ttl()).unwrap(), text(NAME.set("x").keep_ttl()).unwrap());
    assert_eq!(text(NAME.set("x").keep_ttl().expire_in(HOUR * 2)).unwrap_err().kind(), ErrorKind::Expiry);
}

#[test]
fn an_expiry_is_one_that_redis_can_count() {
    let total = Total { id: 1 };
    let most = Duration::from_millis(i64::MAX as u64 / 2);
    assert_eq!(text(total.set(&5).expire_in(most)).unwrap(), ["SET shop:total:1:string 5 PX 4611686018427387903"]);
    let far = SystemTime::UNIX_EPOCH + Duration::from_secs(i64::MAX as u64);
    for set in [
        total.set(&5).expire_in(most + Duration::from_nanos(1)),
        total.set(&5).expire_in(Duration::MAX),
        total.set(&5).expire_at(far),
    ] {
        assert_eq!(
            text(set).unwrap_err().to_string(),
            "expiry of `Total` (shop:total:1:string) exceeds what Redis can represent [expiry]"
        );
    }
}

#[test]
fn a_set_borrows_nothing_of_its_key() {
    fn for_ever<T: 'static>(value: T) -> T {
        value
    }
    let user = String::from("ada");
    let set = for_ever(Name { user: &user }.set("x"));
    let new = for_ever(Name { user: &user }.set_nx("x"));
    drop(user);
    assert_eq!(text(set).unwrap(), ["SET user:name:ada:string x PX 3600000"]);
    assert_eq!(text(new).unwrap(), ["SET user:name:ada:string x PX 3600000 NX"]);
}

#[test]
fn a_hint_makes_no_more_room_than_a_value_may_have() {
    let refused = text(Ghost { id: 1 }.set(&"x".repeat(10_241))).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ValueSize);
    assert_eq!(text(Ghost { id: 1 }.set("x")).unwrap(), ["SET user:ghost:1:string x PX 3600000"]);
}

#[test]
fn a_kept_expiry_is_never_none() {
    let keeping = |rest| call(&lua::SET_KEEPING_TTL, rest);
    assert_eq!(text(NAME.set("x").keep_ttl()).unwrap(), keeping("user:name:ada:string x 3600000"));
    assert_eq!(text(NAME.set_xx("x").keep_ttl()).unwrap(), keeping("user:name:ada:string x 3600000 XX"));
    let both = text(NAME.set_xx("x").returning_old().keep_ttl()).unwrap();
    assert_eq!(both, keeping("user:name:ada:string x 3600000 XX GET"));
    assert_eq!(text(Total { id: 1 }.set(&5).keep_ttl()).unwrap(), ["SET shop:total:1:string 5 KEEPTTL"]);
}

#[test]
fn what_a_set_finds() {
    run(|| NAME.set("x").into(), [Ok(Value::Okay)]).0.unwrap();
    assert!(run(|| NAME.set_nx("x").into(), [Ok(Value::Okay)]).0.unwrap());
    assert!(!run(|| NAME.set_nx("x").into(), [Ok(Value::Nil)]).0.unwrap());
    assert!(!run(|| NAME.set_xx("x").into(), [Ok(Value::Nil)]).0.unwrap());
    let old = |reply: redis::RedisResult<Value>| run(|| NAME.set("x").returning_old().into(), [reply]).0.unwrap();
    assert_eq!((old(bulk("old")).as_deref(), old(Ok(Value::Nil))), (Some("old"), None));
}

#[test]
fn reads() {
    assert_eq!(text(NAME.get()).unwrap(), ["GET user:name:ada:string"]);
    assert_eq!(text(NAME.get_del()).unwrap(), ["GETDEL user:name:ada:string"]);
    assert_eq!(text(NAME.get_ex()).unwrap(), ["GETEX user:name:ada:string PX 3600000"]);
    assert_eq!(text(NAME.strlen()).unwrap(), ["STRLEN user:name:ada:string"]);
    assert_eq!(text(Total { id: 1 }.get_ex()).unwrap(), ["GETEX shop:total:1:string PERSIST"]);
    assert_eq!(text(Seen { page: 1 }.get()).unwrap(), ["GET page:seen:1:string"]);
    assert_eq!(text(Token { id: 1 }.get()).unwrap(), ["GETEX user:token:1:string PX 3600000"]);
}

#[test]
fn a_read_renews_what_is_about_to_expire() {
    let read = ["> GET user:session:1:string", "| PTTL user:session:1:string"];
    let renewal = "PEXPIRE user:session:1:string 3600000";
    for (left, renewed) in [(599_999, true), (0, true), (-1, true), (600_000, false), (3_600_000, false), (-2, false)] {
        let replies = [bulk("x"), Ok(Value::Int(left)), Ok(Value::Int(1))].into_iter().take(2 + usize::from(renewed));
        let (found, sent) = run(|| Session { id: 1 }.get(), replies);
        assert_eq!(found.unwrap().as_deref(), Some("x"));
        assert_eq!(
            (&sent[..2], sent.get(2).map(String::as_str)),
            (&read.map(String::from)[..], renewed.then_some(renewal))
        );
    }
}

#[test]
fn many_keys_with_one_command() {
    let keys = || (0..150).map(|page| Views { page });
    let numbers =
        |from, to| Ok(Value::Array((from..to).map(|n| if n == 3 { Value::Nil } else { Value::Int(n) }).collect()));
    let (found, sent) = run(|| Views::get_many(keys()), [numbers(0, 100), numbers(100, 150)]);
    let expected: Vec<_> = (0..150).map(|n| (n != 3).then_some(n)).collect();
    assert_eq!(found.unwrap(), expected);
    assert_eq!(sent.len(), 2);
    assert!(sent[0].starts_with("> MGET page:views:0:string page:views:1:string "), "{}", sent[0]);
    assert!(sent[1].ends_with(" page:views:148:string page:views:149:string"), "{}", sent[1]);
    assert_eq!([0, 1].map(|line| sent[line].split(' ').count() - 2), [100, 50]);
}

#[test]
fn a_single_mget_is_no_pipeline() {
    let keys = [Views { page: 1 }];
    let (_, sent) = run(|| Views::get_many(&keys), [Ok(Value::Array(vec![Value::Nil]))]);
    assert_eq!(sent, ["MGET page:views:1:string"]);
}

#[test]
fn many_keys_and_one_that_is_wrong() {
    let keys = [Name { user: "ada" }, Name { user: "Bea" }];
    assert_eq!(text(Name::get_many(&keys)).unwrap_err().rule(), Some(Rule::LowerCase));
    let values = vec![Value::Int(1), Value::BulkString(b"secret".to_vec())];
    let (found, _) = run(|| Views::get_many([4, 5].map(|page| Views { page })), [Ok(Value::Array(values))]);
    assert_eq!(
        found.unwrap_err().to_string(),
        "value of `Views` (page:views:5:string) cannot be decoded as `u64`: not an integer in the range of `u64` (6 \
         bytes) [stored-form]"
    );
    let (found, _) = run(|| Views::get_many([4, 5].map(|page| Views { page })), [Ok(Value::Array(vec![Value::Nil]))]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn many_keys_are_renewed_each_by_itself() {
    let replies = [bulk("a"), Ok(Value::Int(5)), Ok(Value::Nil), Ok(Value::Int(-2)), Ok(Value::Int(1))];
    let (found, sent) = run(|| Session::get_many([1, 2].map(|id| Session { id })), replies);
    assert_eq!(found.unwrap(), [Some("a".to_owned()), None]);
    assert_eq!(sent[4], "PEXPIRE user:session:1:string 3600000");
}

#[test]
fn counting() {
    let count = |rest: &str| call(&lua::COUNT, rest);
    let i64_max = i64::MAX;
    let views = |step: &str| count(&format!("page:seen:7:string {step} 0 {i64_max} -3600000"));
    let seen = Seen { page: 7 };
    assert_eq!(text(seen.incr()).unwrap(), views("1 -1"));
    assert_eq!(text(seen.decr()).unwrap(), views("-1 1"));
    assert_eq!(text(seen.incr_by(5)).unwrap(), views("5 -5"));
    assert_eq!(text(seen.decr_by(5)).unwrap(), views("-5 5"));
    assert_eq!(text(Level { id: 1 }.incr()).unwrap(), count("game:level:1:string 1 -1 0 255 3600000"));
    let whole = format!("shop:balance:1:string 1 -1 {} {i64_max} 3600000", i64::MIN);
    assert_eq!(text(Balance { id: 1 }.incr()).unwrap(), count(&whole));
    // Without an expiry and with the whole range there is nothing to see to.
    assert_eq!(text(Total { id: 1 }.decr_by(5)).unwrap(), ["INCRBY shop:total:1:string -5"]);
    assert_eq!(text(Stock { id: 1 }.incr()).unwrap(), count("shop:stock:1:string 1 -1 0 4294967295 "));
}

#[test]
fn a_count_out_of_range() {
    let (found, _) = run(|| Level { id: 1 }.incr(), [Ok(Value::Nil)]);
    let error = found.unwrap_err();
    assert_eq!(
        error.to_string(),
        "increment of `Level` (game:level:1:string) leaves the range from 0 to 255; nothing was changed"
    );
    let natural = "increment of `Seen` (page:seen:7:string) leaves the range from 0 to 9223372036854775807; nothing \
                   was changed";
    let step = "increment of `Total` (shop:total:1:string) cannot be applied in one step: split it into several";
    for (refused, message) in [
        (text(Seen { page: 7 }.incr_by(u64::MAX)), natural),
        (text(Seen { page: 7 }.decr_by(u64::MAX)), natural),
        (text(Total { id: 1 }.incr_by(i64::MIN)), step),
        (text(Total { id: 1 }.decr_by(i64::MIN)), step),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(
            (error.kind(), error.sent(), error.to_string().as_str()),
            (ErrorKind::OutOfRange, SendStatus::No, message)
        );
    }
    let (found, _) = run(|| Total { id: 1 }.incr(), [server_error("ERR increment or decrement would overflow")]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::OutOfRange);
    let (found, _) = run(|| Total { id: 1 }.incr(), [server_error("ERR value is not an integer or out of range")]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Decode);
    // Without counting, the server complains of something else.
    let (found, _) = run(|| NAME.set("x").into(), [server_error("ERR value is not an integer or out of range")]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Server);
}

#[test]
fn large_counts_come_as_text() {
    assert_eq!(run(|| Seen { page: 7 }.incr(), [bulk("9007199254740993")]).0.unwrap(), 9_007_199_254_740_993);
    assert_eq!(run(|| Seen { page: 7 }.incr(), [Ok(Value::Int(5))]).0.unwrap(), 5);
}

#[test]
fn counting_with_floats() {
    assert_eq!(
        text(Rate { id: 1 }.incr_by_float(0.1)).unwrap(),
        call(&lua::COUNT_FLOAT, "shop:rate:1:string 0.1 1.7976931348623157e308 3600000")
    );
    assert_eq!(
        text(Weight { id: 1 }.incr_by_float(-2.5)).unwrap(),
        call(&lua::COUNT_FLOAT, "shop:weight:1:string -2.5 1.7976931348623157e308 ")
    );
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(text(Rate { id: 1 }.incr_by_float(wrong)).unwrap_err().kind(), ErrorKind::Encode);
        assert_eq!(text(Rate { id: 1 }.set(&wrong)).unwrap_err().kind(), ErrorKind::Encode);
    }
    assert!((run(|| Rate { id: 1 }.incr_by_float(0.5), [bulk("2.5")]).0.unwrap() - 2.5).abs() < f64::EPSILON);
    assert_eq!(
        run(|| Rate { id: 1 }.incr_by_float(0.5), [Ok(Value::Nil)]).0.unwrap_err().to_string(),
        "increment of `Rate` (shop:rate:1:string) leaves the range of `f64`; nothing was changed"
    );
}

#[test]
fn a_part() {
    assert_eq!(text(NAME.getrange(0..80)).unwrap(), ["GETRANGE user:name:ada:string 0 79"]);
    assert_eq!(text(NAME.getrange(7..8)).unwrap(), ["GETRANGE user:name:ada:string 7 7"]);
    let touched = call(&lua::READ, "user:token:1:string 3600000 GETRANGE 0 79");
    assert_eq!(text(Token { id: 1 }.getrange(0..80)).unwrap(), touched);
    let fading = text(Session { id: 1 }.getrange(0..80)).unwrap();
    assert_eq!(fading, ["GETRANGE user:session:1:string 0 79", "PTTL user:session:1:string"]);
    for empty in [0..0, 7..7, std::ops::Range { start: 7, end: 3 }] {
        assert!(run(|| NAME.getrange(empty.clone()), []).0.unwrap().is_empty());
    }
    assert!(text(NAME.getrange(5..1_048_581)).is_ok());
    let error = text(NAME.getrange(5..1_048_582)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
    assert_eq!(run(|| NAME.getrange(0..2), [Ok(Value::BulkString(vec![0xc3]))]).0.unwrap(), [0xc3]);
    assert_eq!(run(|| NAME.getrange(0..2), [bulk("")]).0.unwrap(), b"");
    assert_eq!(run(|| NAME.getrange(0..2), [Ok(Value::Nil)]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn appending() {
    assert_eq!(text(NAME.append("x")).unwrap(), call(&lua::APPEND, "user:name:ada:string x 10240 3600000"));
    assert_eq!(text(Token { id: 1 }.append("x")).unwrap(), call(&lua::APPEND, "user:token:1:string x 10240 -3600000"));
    assert_eq!(run(|| NAME.append("x"), [Ok(Value::Int(5))]).0.unwrap(), 5);
    let error = run(|| Note { id: 1 }.append(b"x"), [Ok(Value::Int(-9))]).0.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::ValueSize, SendStatus::Yes));
    assert!(
        error
            .to_string()
            .ends_with("exceeds `max_bytes`: 9 bytes, at most 8; declare `max_bytes = 9B` to allow it [value-size]"),
        "{error}"
    );
}

#[test]
fn a_value_that_is_too_large_is_not_sent() {
    assert_eq!(text(Note { id: 1 }.set(b"12345678")).unwrap(), ["SET user:note:1:string 12345678 PX 3600000"]);
    for refused in [text(Note { id: 1 }.set(b"123456789")), text(Note { id: 1 }.append(b"123456789"))] {
        assert_eq!(
            refused.unwrap_err().to_string(),
            "value of `Note` (user:note:1:string) exceeds `max_bytes`: 9 bytes, at most 8; declare `max_bytes = 9B` to allow it [value-size]"
        );
    }
}

#[test]
fn a_value_that_cannot_be_read() {
    let error = run(|| Ghost { id: 1 }.get(), [bulk("secret")]).0.unwrap_err();
    assert_eq!(
        error.to_string(),
        "value of `Ghost` (user:ghost:1:string) cannot be decoded as `Unreadable`: never decodes (6 bytes) \
         [stored-form]"
    );
}
