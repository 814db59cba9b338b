//! Commands of hot keys, and their results where copies are missing.

use redis::{RedisResult, Value};

use crate::parameter::bucket::Day;
use crate::schema::ParameterForm;
use crate::testing::{fix_clock, fix_jitter, text};
use crate::tests::mock::{Mock, block_on, bulk, server_error};
use crate::{CopiedKey, Error, ErrorKind, Rule, Sent, StringKey as _};

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(shop:banner:{shop}:{copy}:v.{version}:string, value = String, ttl = 1h, jitter = 10m, copies = 3, max_bytes = 8B, crate = crate)]
struct Banner {
    shop: u32,
    version: u8,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(shop:motto:{copy}:string, value = u64, ttl = never, reason = "the books", rebuild = "from the books", copies = 2, crate = crate)]
struct Motto;

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(shop:sale:v.{copy}:{day}:string, value = u64, ttl = 1h, copies = 2, ttl_from_end_of = day, crate = crate)]
struct Sale<T: Copy> {
    day: Day,
    of: std::marker::PhantomData<T>,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(shop:touched:{copy}:string, value = u64, ttl = 1h, copies = 2, renew = read, crate = crate)]
struct Touched;

const BANNER: Banner = Banner { shop: 1, version: 2 };
const SALE: Sale<u8> = Sale { day: const { Day::new(2026, 11, 21).unwrap() }, of: std::marker::PhantomData };

fn key(copy: u32) -> String {
    format!("shop:banner:1:{copy}:v.2:string")
}

#[test]
fn each_copy_has_its_key() {
    assert_eq!(BANNER.keys().unwrap(), [key(0), key(1), key(2)]);
    assert_eq!(BANNER.key_of(2).unwrap(), key(2));
    assert_eq!(Motto.key_of(1).unwrap(), "shop:motto:1:string");
    assert_eq!(SALE.key_of(1).unwrap(), "shop:sale:v.1:20261121:string");
    let error = BANNER.key_of(3).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `copy` of `Banner` (shop:banner:{shop}:{copy}:v.{version}:string) is out of range: the key has 3 \
         copies, counted from 0 [copies]"
    );
    assert_eq!(text(BANNER.copy(3).get()).unwrap_err().kind(), ErrorKind::Parameter);
    assert_eq!(text(BANNER.copy(1).strlen()).unwrap(), [format!("STRLEN {}", key(1))]);
}

#[test]
fn writes_go_to_all() {
    let _jitter = fix_jitter(0.5);
    assert_eq!(text(BANNER.set("a b")).unwrap(), [0, 1, 2].map(|copy| format!("SET {} a b PX 3900000", key(copy))));
    assert_eq!(text(BANNER.expire()).unwrap(), [0, 1, 2].map(|copy| format!("PEXPIRE {} 3900000", key(copy))));
    assert_eq!(text(BANNER.unlink()).unwrap(), [0, 1, 2].map(|copy| format!("UNLINK {}", key(copy))));
    assert_eq!(text(BANNER.exists()).unwrap(), [0, 1, 2].map(|copy| format!("EXISTS {}", key(copy))));
    assert_eq!(text(Motto.set(&7)).unwrap(), ["SET shop:motto:0:string 7", "SET shop:motto:1:string 7"]);
    assert_eq!(text(Motto.expire()).unwrap(), ["PERSIST shop:motto:0:string", "PERSIST shop:motto:1:string"]);
    let _clock = fix_clock(SALE.day.end());
    assert_eq!(
        text(SALE.set(&7)).unwrap(),
        ["SET shop:sale:v.0:20261121:string 7 PX 3600000", "SET shop:sale:v.1:20261121:string 7 PX 3600000"]
    );
    let _over = fix_clock(SALE.day.next().unwrap().end());
    assert_eq!(text(SALE.set(&7)).unwrap_err().kind(), ErrorKind::Expiry);
    let error = text(BANNER.set("123456789")).unwrap_err();
    assert_eq!((error.rule(), error.sent()), (Some(Rule::ValueSize), Sent::No));
}

#[test]
fn each_copy_has_a_jitter_of_its_own() {
    let drawn = || {
        let sent = text(BANNER.set("a")).unwrap();
        sent.iter().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    assert!((0..10).any(|_| drawn().len() > 1));
}

/// Reads both ways, which must send the same and find the same.
fn get<K: CopiedKey>(key: &K, replies: Vec<RedisResult<Value>>) -> (Result<Option<String>, Error>, Vec<String>)
where
    K::Value: crate::stored::Stored<Output: std::fmt::Display + std::fmt::Debug>,
{
    let mut con = Mock::new(replies.clone());
    let found = key.get().query(&mut con);
    let mut other = Mock::new(replies);
    let other_found = block_on(key.get().query_async(&mut other));
    assert_eq!((format!("{found:?}"), &con.sent), (format!("{other_found:?}"), &other.sent));
    (found.map(|found| found.map(|found| found.to_string())), con.sent)
}

#[test]
fn a_read_asks_one_copy() {
    let _middle = fix_jitter(0.5);
    let (found, sent) = get(&BANNER, vec![bulk("a")]);
    assert_eq!((found.unwrap().as_deref(), sent), (Some("a"), vec![format!("GET {}", key(1))]));
    let (found, sent) = get(&Touched, vec![bulk("7")]);
    assert_eq!(
        (found.unwrap().as_deref(), sent),
        (Some("7"), vec!["GETEX shop:touched:0:string PX 3600000".to_owned()])
    );
}

#[test]
fn any_copy_is_read() {
    let read = || BANNER.any_copy().number();
    let seen: std::collections::BTreeSet<_> = (0..200).map(|_| read()).collect();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    for _ in 0..200 {
        let sent = get_missing();
        let asked: std::collections::BTreeSet<_> = sent.iter().filter_map(|line| line.rsplit(' ').next()).collect();
        assert_eq!(asked.len(), 3, "{sent:?}");
    }
}

fn get_missing() -> Vec<String> {
    let mut con = Mock::new([Ok(Value::Nil), Ok(Value::Int(-2)), Ok(Value::Int(-2))]);
    assert_eq!(BANNER.get().query(&mut con).unwrap(), None);
    con.sent
}

#[test]
fn a_missing_copy_is_filled_from_one_that_is_there() {
    let _first = fix_jitter(0.0);
    let elsewhere = |left| {
        vec![Ok(Value::Nil), Ok(Value::Int(-2)), Ok(Value::Int(5)), bulk("a"), Ok(Value::Int(left)), Ok(Value::Okay)]
    };
    let asked = [
        format!("GET {}", key(0)),
        format!("> PTTL {}", key(1)),
        format!("| PTTL {}", key(2)),
        format!("> GET {}", key(2)),
        format!("| PTTL {}", key(2)),
    ];
    let (found, sent) = get(&BANNER, elsewhere(1234));
    assert_eq!((found.unwrap().as_deref(), &sent[..5]), (Some("a"), &asked[..]));
    assert_eq!(sent[5..], [format!("SET {} a PX 1234 NX", key(0))]);
    // Another client has removed its expiry.
    let (found, sent) = get(&BANNER, elsewhere(-1));
    assert_eq!((found.unwrap().as_deref(), &sent[5..]), (Some("a"), &[format!("SET {} a PX 3600000 NX", key(0))][..]));
    // It has vanished in between, or is about to.
    for left in [-2, 0] {
        let (found, sent) = get(&BANNER, elsewhere(left));
        assert_eq!((found.unwrap().as_deref(), &sent[..]), (Some("a"), &asked[..]));
    }
}

#[test]
fn of_those_that_are_there_the_one_that_stays_longest_is_read() {
    let _first = fix_jitter(0.0);
    for (left, longest) in [([5, 6], 2), ([6, 5], 1), ([5, 5], 1), ([-1, 5], 1), ([5, -1], 2), ([0, -2], 1)] {
        let [one, other] = left.map(|left| Ok(Value::Int(left)));
        let (found, sent) =
            get(&BANNER, vec![Ok(Value::Nil), one, other, bulk("a"), Ok(Value::Int(5)), Ok(Value::Okay)]);
        assert_eq!((found.unwrap().as_deref(), &sent[3]), (Some("a"), &format!("> GET {}", key(longest))), "{left:?}");
    }
}

#[test]
fn of_two_copies_the_other_one_is_asked_at_once() {
    let _first = fix_jitter(0.0);
    let (found, sent) = get(&Motto, vec![Ok(Value::Nil), bulk("7"), Ok(Value::Int(-1)), Ok(Value::Okay)]);
    assert_eq!((found.unwrap().as_deref(), sent[3].as_str()), (Some("7"), "SET shop:motto:0:string 7 NX"));
    assert_eq!(sent[1..3], ["> GET shop:motto:1:string", "| PTTL shop:motto:1:string"]);
}

#[test]
fn a_copy_that_can_not_be_filled_is_no_error() {
    let _first = fix_jitter(0.0);
    for answer in [Ok(Value::Nil), server_error("OOM command not allowed"), server_error("READONLY no writes")] {
        let there = || Ok(Value::Int(1234));
        let (found, sent) = get(&BANNER, vec![Ok(Value::Nil), there(), there(), bulk("a"), there(), answer]);
        assert_eq!((found.unwrap().as_deref(), sent.len()), (Some("a"), 6));
    }
}

#[test]
fn where_all_are_missing_nothing_is_found() {
    let _last = fix_jitter(1.0);
    let (found, sent) = get(&BANNER, vec![Ok(Value::Nil), Ok(Value::Int(-2)), Ok(Value::Int(-2))]);
    assert_eq!(found.unwrap(), None);
    assert_eq!(sent, [format!("GET {}", key(2)), format!("> PTTL {}", key(1)), format!("| PTTL {}", key(0))]);
    // The last one vanishes in between.
    let gone = vec![Ok(Value::Nil), Ok(Value::Int(5)), Ok(Value::Int(-2)), Ok(Value::Nil), Ok(Value::Int(-2))];
    let (found, sent) = get(&BANNER, gone);
    assert_eq!((found.unwrap(), sent.len()), (None, 5));
    let (found, _) = get(&BANNER, vec![Ok(Value::Nil), Ok(Value::Int(5)), bulk("5")]);
    assert_eq!(found.unwrap_err().key(), Some(key(0).as_str()));
}

#[test]
fn where_a_node_is_lost_another_copy_is_asked() {
    let _first = fix_jitter(0.0);
    let gone = || Err((redis::ErrorKind::Io, "gone").into());
    let read = |cluster: bool, replies: Vec<RedisResult<Value>>| {
        let mut con = Mock::new(replies);
        con.pipelines = !cluster;
        (BANNER.get().query(&mut con), con.sent)
    };
    let (found, sent) = read(true, vec![gone(), bulk("a")]);
    assert_eq!(
        (found.unwrap().as_deref(), sent),
        (Some("a"), vec![format!("GET {}", key(0)), format!("GET {}", key(1))])
    );
    for second in [gone(), Ok(Value::Nil), server_error("OOM no memory"), Ok(Value::Array(Vec::new()))] {
        let (found, sent) = read(true, vec![gone(), second]);
        let error = found.unwrap_err();
        assert_eq!((error.kind(), error.key(), sent.len()), (ErrorKind::Connection, Some(key(0).as_str()), 2));
    }
    // Others say that the node is lost, each in its way.
    for first in ["MOVED 5 127.0.0.1:7", "CLUSTERDOWN Hash slot not served", "LOADING it", "MASTERDOWN Link"] {
        let (found, sent) = read(true, vec![server_error(first), bulk("a")]);
        assert_eq!((found.unwrap().as_deref(), sent.len()), (Some("a"), 2), "{first}");
    }
    // A reply of the server counts, and so does a connection that leads to one server.
    for (cluster, first) in
        [(true, server_error("OOM no memory")), (true, Ok(Value::Array(Vec::new()))), (false, gone())]
    {
        let (found, sent) = read(cluster, vec![first]);
        assert_eq!((found.unwrap_err().key(), sent.len()), (Some(key(0).as_str()), 1));
    }
}

#[test]
fn where_the_node_of_another_copy_is_lost_one_of_the_rest_is_asked() {
    let _first = fix_jitter(0.0);
    let gone = || Err((redis::ErrorKind::Io, "gone").into());
    let read = |cluster: bool, replies: Vec<RedisResult<Value>>| {
        let mut con = Mock::new(replies);
        con.pipelines = !cluster;
        (BANNER.get().query(&mut con), con.sent)
    };
    let there = || Ok(Value::Int(1234));
    for (lost, asked) in [(vec![gone()], 2), (vec![Ok(Value::Int(-2)), gone()], 1)] {
        let start = || [Ok(Value::Nil)].into_iter().chain(lost.clone());
        let (found, sent) = read(true, start().chain([bulk("a"), there(), Ok(Value::Okay)]).collect());
        assert_eq!(found.unwrap().as_deref(), Some("a"));
        let rest = [format!("GET {}", key(asked)), format!("PTTL {}", key(asked))];
        assert_eq!(sent[sent.len() - 3..sent.len() - 1], rest);
        assert_eq!(sent.last().unwrap(), &format!("SET {} a PX 1234 NX", key(0)));
        // If that is not found either, it is unknown whether there is one.
        for second in [vec![Ok(Value::Nil), Ok(Value::Int(-2))], vec![gone()]] {
            let (found, _) = read(true, start().chain(second).collect());
            let error = found.unwrap_err();
            assert_eq!((error.kind(), error.key()), (ErrorKind::Connection, Some(key(3 - asked).as_str())));
        }
    }
    // A reply of the server counts, and so does a connection that leads to one server.
    for (cluster, second) in [(true, server_error("OOM no memory")), (false, gone())] {
        let (found, sent) = read(cluster, vec![Ok(Value::Nil), second, there()]);
        assert!(found.is_err() && sent.iter().filter(|line| line.contains("GET")).count() == 1, "{sent:?}");
    }
}

#[test]
fn errors_tell_the_copy() {
    let _first = fix_jitter(0.0);
    let wrong = || server_error("WRONGTYPE Operation against a key");
    let (found, _) = get(&BANNER, vec![wrong(), Ok(Value::SimpleString("list".to_owned()))]);
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(key(0).as_str())));
    let (found, _) =
        get(&BANNER, vec![Ok(Value::Nil), wrong(), Ok(Value::Int(5)), Ok(Value::SimpleString("list".to_owned()))]);
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(key(1).as_str())));
    let (found, _) = get(&Motto, vec![bulk("x")]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Decode);
    let (found, _) = get(&Motto, vec![Ok(Value::Nil), bulk("x"), Ok(Value::Int(-1))]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Decode);
    let (found, _) = get(&Motto, vec![Ok(Value::Nil), Ok(Value::Nil), Ok(Value::Nil)]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    // One of the writes.
    let mut con = Mock::new([Ok(Value::Okay), server_error("OOM no memory"), Ok(Value::Okay)]);
    let error = BANNER.set("a").query(&mut con).unwrap_err();
    assert_eq!((error.kind(), error.key()), (ErrorKind::Server, Some(key(1).as_str())));
}

#[test]
fn numbers_are_added_up() {
    let mut con = Mock::new([Ok(Value::Int(1)), Ok(Value::Int(0)), Ok(Value::Int(1))]);
    assert_eq!(BANNER.unlink().query(&mut con).unwrap(), 2);
}

#[test]
fn the_schema_tells_the_copies() {
    let forms: Vec<_> = Banner::SCHEMA.parameters.iter().map(|one| (one.name, one.form)).collect();
    let plain = ParameterForm::Plain;
    assert_eq!(forms, [("shop", plain), ("copy", ParameterForm::Copy(3)), ("version", plain)]);
    assert_eq!((Banner::COPIES, Sale::<u8>::SCHEMA.ttl_from_end_of), (3, Some("day")));
}
