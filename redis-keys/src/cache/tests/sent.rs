//! Commands of the accessors, word by word, and replies.

use std::time::{Duration, SystemTime};

use redis::{RedisResult, Value};

use crate::cache::{CachedKey as _, Claim, Token};
use crate::command::TimeLeft;
use crate::parameter::bucket::Day;
use crate::testing::{fix_clock, fix_jitter, text};
use crate::tests::mock::{run, server_error};
use crate::{Command, Error, ErrorKind, RedisKey as _, Rule, SendStatus};

macro_rules! keys {
    ($($name:ident $word:ident [$value:ty] ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:$word:{id}:string, value = $value, ttl = 1h, jitter = 10m, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Name name [String] (cache(null_ttl = 5m, lease = 10s, refresh = 80%));
    Plain plain [String] (cache(null_ttl = 5m));
    Long long [String] (cache(null_ttl = 1h));
    Small small [Vec<u8>] (max_bytes = 8B, cache(null_ttl = 5m));
    Stale stale [String] (max_bytes = 8B, cache(null_ttl = 5m, stale = 30m));
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:of.day:{day}:string, value = String, ttl = 1h, jitter = 10m, ttl_from_end_of = day, cache(null_ttl = 10m, lease = 2m), crate = crate)]
struct OfDay {
    day: Day,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:named:{name}:string, value = String, ttl = 1h, jitter = 10m, cache(null_ttl = 5m, refresh = 50%), crate = crate)]
struct UserByName<'a> {
    name: &'a str,
}

const NAME: Name = Name { id: 1 };
const HOUR: Duration = Duration::from_secs(3600);

fn token() -> Token {
    Token::from(*b"0123456789abcdef")
}

fn sent<T>(command: impl Into<Command<T>>) -> String {
    text(command).unwrap().join("; ")
}

#[allow(clippy::unnecessary_wraps, reason = "it is used beside error replies")]
fn bulk(bytes: &[u8]) -> RedisResult<Value> {
    Ok(Value::BulkString(bytes.into()))
}

#[test]
fn values_are_read_and_written_by_native_commands() {
    let _fixed = fix_jitter(0.0);
    assert_eq!(sent(NAME.get()), "GET user:name:1:string");
    assert_eq!(sent(Name::get_many([NAME, Name { id: 2 }])), "MGET user:name:1:string user:name:2:string");
    assert_eq!(sent(NAME.set("Ada")), "SET user:name:1:string Ada PX 3600000");
    assert_eq!(sent(NAME.set("Ada").expire_in(HOUR / 2)), "SET user:name:1:string Ada PX 1800000");
    let _stopped = fix_clock(SystemTime::UNIX_EPOCH + HOUR);
    let end = SystemTime::UNIX_EPOCH + HOUR * 2;
    assert_eq!(sent(NAME.set("Ada").expire_at(end)), "SET user:name:1:string Ada PXAT 7200000");
    assert_eq!(sent(NAME.ttl()), "PTTL user:name:1:string");
    assert_eq!(sent(NAME.unlink()), "UNLINK user:name:1:string");
}

#[test]
fn an_expired_value_is_kept_for_longer() {
    let _fixed = fix_jitter(0.0);
    let key = Stale { id: 1 };
    let stored = |rest: &str| format!("SET user:stale:1:string {rest}");
    let times = r"\xC1s00000018000000000001800000";
    assert_eq!(sent(key.set("Ada")), stored(&format!("{times}Ada PX 5400000")));
    assert_eq!(sent(key.set("Ada").expire_in(HOUR / 2)), stored(&format!("{times}Ada PX 3600000")));
    {
        let _stopped = fix_clock(SystemTime::UNIX_EPOCH + HOUR);
        let end = SystemTime::UNIX_EPOCH + HOUR * 2;
        assert_eq!(sent(key.set("Ada").expire_at(end)), stored(&format!("{times}Ada PXAT 9000000")));
    }
    assert!(text(key.set("12345678")).is_ok(), "the times are no part of the value");
    assert!(text(key.set("123456789")).is_err());
    assert!(text(key.set("Ada").expire_in(HOUR * 3 / 2)).is_err(), "longer than the `ttl`");
    let script = |name: &str, rest: &str| format!("EVALSHA {name}.lua 1 user:stale:1:string {rest}");
    let fill = script("fill", &format!("0123456789abcdef {times}Ada 5400000"));
    assert_eq!(sent(key.fill(&token(), Some("Ada"))), fill);
    assert_eq!(sent(key.fill(&token(), None)), script("fill", r"0123456789abcdef \xC1n 300000"));
    assert_eq!(sent(key.fail(&token())), script("fail", "0123456789abcdef 10000"));
    assert_eq!(sent(Plain { id: 1 }.fail(&token())), "");
    assert_eq!(sent(key.expire()), script("if_cached", "PEXPIRE 3600000"));
    assert_eq!(sent(key.get()), "PTTL user:stale:1:string; GET user:stale:1:string");
    assert_eq!(sent(Stale::get_many([&key])), "PTTL user:stale:1:string; MGET user:stale:1:string");
    assert_eq!(sent(Stale::get_many([0_u32; 0].map(|id| Stale { id }))), "");
    assert_eq!(sent(key.ttl()), "PTTL user:stale:1:string; GETRANGE user:stale:1:string 0 58");
}

#[test]
fn an_expired_value_is_found_by_fail_alone() {
    let content = b"\xC1s00000018000000000001700000Ada";
    let get = |left, content| run(|| Stale { id: 1 }.get(), [Ok(Value::Int(left)), content]).0;
    assert_eq!(get(1_800_001, bulk(content)).unwrap(), Some("Ada".to_owned()));
    for left in [1_800_000, 1_750_000, 1] {
        assert_eq!(get(left, bulk(content)).unwrap(), None, "{left}");
    }
    assert_eq!(get(-2, Ok(Value::Nil)).unwrap(), None);
    assert_eq!(get(1, bulk(b"\xC1n")).unwrap(), None);
    assert_eq!(get(1, bulk(b"old")).unwrap(), Some("old".to_owned()), "stored before `stale` was declared");
    let many = |left| {
        let replies = [Ok(Value::Int(left)), bulk(content), Ok(Value::Int(-2)), Ok(Value::Nil)];
        run(|| Stale::get_many([Stale { id: 1 }, Stale { id: 2 }]), replies).0.unwrap()
    };
    assert_eq!(many(1_800_001), [Some("Ada".to_owned()), None]);
    assert_eq!(many(1_800_000), [None, None]);
    let ttl = |left, head| run(|| Stale { id: 1 }.ttl(), [Ok(Value::Int(left)), head]).0.unwrap();
    assert_eq!(ttl(1_800_001, bulk(content)), TimeLeft::Left(Duration::from_millis(1)));
    assert_eq!(ttl(1_800_000, bulk(content)), TimeLeft::Stale(HOUR / 2));
    assert_eq!(ttl(9, bulk(b"\xC1n")), TimeLeft::Left(Duration::from_millis(9)));
    assert_eq!(ttl(-2, bulk(b"")), TimeLeft::Missing);
    let fail = |reply| run(|| Stale { id: 1 }.fail(&token()), [reply]).0;
    assert_eq!(fail(bulk(content)).unwrap(), Some("Ada".to_owned()));
    assert_eq!(fail(bulk(b"Ada")).unwrap(), Some("Ada".to_owned()));
    assert_eq!(fail(Ok(Value::Nil)).unwrap(), None);
    let claim = run(|| Stale { id: 1 }.claim(&token()), [bulk(content)]).0;
    assert_eq!(claim.unwrap(), Claim::Stale("Ada".to_owned()));
    // A key whose declaration has lost its `stale` cannot tell whether the value has expired.
    assert_eq!(run(|| NAME.get(), [bulk(content)]).0.unwrap(), None);
}

#[test]
fn one_value_cannot_live_longer() {
    for refused in [NAME.set("Ada").expire_in(HOUR * 2), NAME.set("Ada").expire_in(Duration::ZERO)] {
        assert_eq!(text(refused).unwrap_err().rule(), Some(Rule::Expiry));
    }
}

#[test]
fn a_marker_is_no_key_to_exists_and_expire() {
    let _fixed = fix_jitter(0.0);
    assert_eq!(sent(NAME.exists()), "EVALSHA if_cached.lua 1 user:name:1:string EXISTS");
    assert_eq!(sent(NAME.expire()), "EVALSHA if_cached.lua 1 user:name:1:string PEXPIRE 3600000");
}

#[test]
fn claims_carry_the_lease() {
    assert_eq!(sent(NAME.claim(&token())), "EVALSHA claim.lua 1 user:name:1:string 0123456789abcdef 10000");
    assert_eq!(
        sent(NAME.claim_refresh(&token())),
        "EVALSHA claim_refresh.lua 1 user:name:1:string 0123456789abcdef 10000 720000 60000"
    );
    assert_eq!(sent(NAME.abandon(&token())), "EVALSHA abandon.lua 1 user:name:1:string 0123456789abcdef 10000");
}

#[test]
fn a_key_without_refresh_sends_nothing_to_claim_one() {
    assert_eq!(sent(Plain { id: 1 }.claim_refresh(&token())), "");
    assert!(!run(|| Plain { id: 1 }.claim_refresh(&token()), []).0.unwrap());
}

#[test]
fn a_fill_carries_the_expiry_of_the_value_or_of_its_absence() {
    let _fixed = fix_jitter(0.0);
    let fill = |rest: &str| format!("EVALSHA fill.lua 1 user:name:1:string 0123456789abcdef {rest}");
    assert_eq!(sent(NAME.fill(&token(), Some("Ada"))), fill("Ada 3600000"));
    assert_eq!(sent(NAME.fill(&token(), None)), fill(r"\xC1n 300000"));
}

#[test]
fn an_absence_has_its_share_of_the_jitter() {
    for (share, value, absence, long) in [
        (0.0, 3_600_000, 300_000, 3_600_000),
        (0.5, 3_900_000, 325_000, 3_900_000),
        (1.0, 4_200_000, 350_000, 4_200_000),
    ] {
        let _fixed = fix_jitter(share);
        let drawn = |command| sent(command).rsplit(' ').next().and_then(|ms| ms.parse::<u64>().ok());
        assert_eq!(drawn(NAME.fill(&token(), Some("Ada"))), Some(value));
        assert_eq!(drawn(NAME.fill(&token(), None)), Some(absence));
        assert_eq!(drawn(Long { id: 1 }.fill(&token(), None)), Some(long));
    }
}

#[test]
fn values_that_begin_like_a_marker_are_escaped() {
    let _fixed = fix_jitter(0.0);
    let small = Small { id: 1 };
    assert_eq!(sent(small.set(b"\xC1n")), r"SET user:small:1:string \xC1v\xC1n PX 3600000");
    assert_eq!(
        sent(small.fill(&token(), Some(b"\xC1n"))),
        r"EVALSHA fill.lua 1 user:small:1:string 0123456789abcdef \xC1v\xC1n 3600000"
    );
    assert_eq!(sent(small.set(b"\xC2n")), r"SET user:small:1:string \xC2n PX 3600000");
}

#[test]
fn a_limit_applies_to_what_is_stored() {
    let small = Small { id: 1 };
    assert!(text(small.set(b"12345678")).is_ok());
    assert!(text(small.set(b"\xC123456")).is_ok());
    for refused in [
        text(small.set(b"123456789")),
        text(small.set(b"\xC1234567")),
        text(small.fill(&token(), Some(b"123456789"))),
        text(small.fill(&token(), Some(b"\xC1234567"))),
    ] {
        assert_eq!(refused.unwrap_err().rule(), Some(Rule::ValueSize));
    }
}

#[test]
fn a_refused_key_is_refused_by_every_accessor() {
    let hostile = UserByName { name: "a:b" };
    for refused in [
        text(hostile.get()),
        text(UserByName::get_many([&hostile])),
        text(hostile.set("Ada")),
        text(hostile.claim(&token())),
        text(hostile.claim_refresh(&token())),
        text(hostile.fill(&token(), Some("Ada"))),
        text(hostile.fill(&token(), None)),
        text(hostile.abandon(&token())),
        text(hostile.exists()),
        text(hostile.expire()),
    ] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Parameter, SendStatus::No), "{error}");
    }
}

/// Nothing that is stored may outlive the day and the `ttl` after it.
#[test]
fn claims_and_markers_end_with_the_bucket() {
    let _fixed = fix_jitter(1.0);
    let key = OfDay { day: Day::new(2026, 11, 21).unwrap() };
    let end = u64::try_from(key.day.end_seconds()).unwrap();
    let sent_at = |seconds| {
        let _stopped = fix_clock(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        [
            key.claim(&token()).into_text(),
            key.abandon(&token()).into_text(),
            key.fill(&token(), None).into_text(),
            key.fill(&token(), Some("x")).into_text(),
        ]
        .map(|text| text.map(|text| text[0].rsplit(' ').next().unwrap().to_owned()))
    };
    let expiries = |seconds| sent_at(seconds).map(Result::unwrap);
    // With 24 hours before the end, and with 5 minutes and 1 minute after which nothing may be left but the jitter.
    assert_eq!(expiries(end - 86_400), ["120000", "120000", "700000", "90600000"]);
    assert_eq!(expiries(end + 3_300), ["120000", "120000", "350000", "900000"]);
    assert_eq!(expiries(end + 3_540), ["60000", "60000", "70000", "660000"]);
    for refused in sent_at(end + 3_600) {
        assert_eq!(refused.unwrap_err().rule(), Some(Rule::Expiry));
    }
}

trait IntoText {
    fn into_text(self) -> Result<Vec<String>, Error>;
}

impl<T> IntoText for Command<T> {
    fn into_text(self) -> Result<Vec<String>, Error> {
        text(self)
    }
}

#[test]
fn what_a_get_finds() {
    let get = |reply| run(|| NAME.get(), [reply]).0;
    assert_eq!(get(Ok(Value::Nil)).unwrap(), None);
    assert_eq!(get(bulk(b"Ada")).unwrap(), Some("Ada".to_owned()));
    assert_eq!(get(bulk(b"\xC1rxxxxxxxxxxxxxxxx1700000000000Ada")).unwrap(), Some("Ada".to_owned()));
    for marker in
        [&b"\xC1n"[..], b"\xC1lxxxxxxxxxxxxxxxx", b"\xC1axxxxxxxxxxxxxxxx", b"\xC1rxxxxxxxxxxxxxxxx1700000000000\xC1n"]
    {
        assert_eq!(get(bulk(marker)).unwrap(), None);
    }
    let error = get(bulk(b"\xC1secret")).unwrap_err();
    assert_eq!((error.kind(), error.rule()), (ErrorKind::Decode, Some(Rule::StoredForm)));
    assert_eq!(
        error.to_string(),
        "value of `Name` (user:name:1:string) cannot be decoded as `String`: unknown marker of a cached key (7 bytes) \
         [stored-form]"
    );
    assert_eq!(get(server_error("ERR x")).unwrap_err().kind(), ErrorKind::Server);
}

#[test]
fn what_many_gets_find() {
    let found = run(
        || Name::get_many([1, 2, 3, 4].map(|id| Name { id })),
        [Ok(Value::Array(vec![
            bulk(b"Ada").unwrap(),
            bulk(b"\xC1n").unwrap(),
            Value::Nil,
            bulk(b"\xC1lxxxxxxxxxxxxxxxx").unwrap(),
        ]))],
    );
    assert_eq!(found.0.unwrap(), [Some("Ada".to_owned()), None, None, None]);
    let error =
        run(|| Name::get_many([NAME, Name { id: 2 }]), [Ok(Value::Array(vec![Value::Nil, bulk(b"\xC1").unwrap()]))]);
    assert_eq!(error.0.unwrap_err().key(), Some("user:name:2:string"));
}

#[test]
fn what_a_claim_finds() {
    let claim = |reply| run(|| NAME.claim(&token()), [reply]).0;
    assert_eq!(claim(Ok(Value::Okay)).unwrap(), Claim::Mine);
    assert_eq!(claim(bulk(b"OK")).unwrap(), Claim::Found("OK".to_owned()));
    assert_eq!(claim(bulk(b"\xC1n")).unwrap(), Claim::Absent);
    assert_eq!(claim(bulk(b"\xC1lfedcba9876543210")).unwrap(), Claim::Theirs(Token::from(*b"fedcba9876543210")));
    assert_eq!(claim(bulk(b"\xC1rxxxxxxxxxxxxxxxx1700000000000Ada")).unwrap(), Claim::Found("Ada".to_owned()));
    assert_eq!(claim(bulk(b"\xC1lshort")).unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(claim(Ok(Value::Nil)).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    assert_eq!(claim(server_error("ERR x")).unwrap_err().kind(), ErrorKind::Server);
}

#[test]
fn what_the_other_scripts_find() {
    let _fixed = fix_jitter(0.0);
    for (reply, flag) in [(0, false), (1, true)] {
        assert_eq!(run(|| NAME.claim_refresh(&token()), [Ok(Value::Int(reply))]).0.unwrap(), flag);
        assert_eq!(run(|| NAME.fill(&token(), Some("Ada")), [Ok(Value::Int(reply))]).0.unwrap(), flag);
        assert_eq!(run(|| NAME.abandon(&token()), [Ok(Value::Int(reply))]).0.unwrap(), flag);
        assert_eq!(run(|| NAME.exists(), [Ok(Value::Int(reply))]).0.unwrap(), flag);
        assert_eq!(run(|| NAME.expire(), [Ok(Value::Int(reply))]).0.unwrap(), flag);
    }
    assert_eq!(run(|| NAME.fill(&token(), None), [bulk(b"x")]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn a_set_borrows_nothing_of_its_key_and_does_not_show_the_value() {
    let name = String::from("ada");
    let set = UserByName { name: &name }.set("secret");
    drop(name);
    assert_eq!(format!("{set:?}"), r#"Set { key: Ok("user:named:ada:string"), .. }"#);
    drop(set);
}
