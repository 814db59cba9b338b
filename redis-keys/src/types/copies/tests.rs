//! Commands of hot keys, and their results where copies are missing.

use redis::{RedisResult, Value};

use crate::parameter::bucket::Day;
use crate::schema::ParameterForm;
use crate::testing::{fix_clock, fix_jitter, text};
use crate::tests::mock::{Mock, block_on, bulk, server_error};
use crate::types::copies::CopiedKey;
use crate::{Error, ErrorKind, Rule, SendStatus, StringKey as _};

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
    assert_eq!((error.rule(), error.sent()), (Some(Rule::ValueSize), SendStatus::No));
}

#[test]
fn all_copies_have_the_same_jitter() {
    let drawn: std::collections::BTreeSet<_> = (0..10)
        .flat_map(|_| [text(BANNER.set("a")).unwrap(), text(BANNER.expire()).unwrap()])
        .map(|sent| {
            let times: Vec<_> = sent.iter().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect();
            assert!(times.iter().all(|time| *time == times[0]), "{sent:?}");
            times[0].clone()
        })
        .collect();
    assert!(drawn.len() > 1, "each write has another");
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
    let mut con = Mock::new([Ok(Value::Nil), Ok(Value::Int(0)), Ok(Value::Int(0))]);
    assert_eq!(BANNER.get().query(&mut con).unwrap(), None);
    con.sent
}

fn flags(flags: [i64; 2]) -> [RedisResult<Value>; 2] {
    flags.map(|flag| Ok(Value::Int(flag)))
}

#[test]
fn if_a_copy_is_missing_one_that_exists_is_read_and_nothing_is_written() {
    let _first = fix_jitter(0.0);
    for (existing, read) in [([0, 1], 2), ([1, 0], 1), ([1, 1], 1)] {
        let replies = [Ok(Value::Nil)].into_iter().chain(flags(existing)).chain([bulk("a")]);
        let (found, sent) = get(&BANNER, replies.collect());
        let asked = [
            format!("GET {}", key(0)),
            format!("> EXISTS {}", key(1)),
            format!("| EXISTS {}", key(2)),
            format!("GET {}", key(read)),
        ];
        assert_eq!((found.unwrap().as_deref(), &sent[..]), (Some("a"), &asked[..]));
    }
}

#[test]
fn of_two_copies_the_other_one_is_asked_at_once() {
    let _first = fix_jitter(0.0);
    let (found, sent) = get(&Motto, vec![Ok(Value::Nil), bulk("7")]);
    assert_eq!(
        (found.unwrap().as_deref(), &sent[..]),
        (Some("7"), &["GET shop:motto:0:string".to_owned(), "GET shop:motto:1:string".to_owned()][..])
    );
}

#[test]
fn where_all_are_missing_nothing_is_found() {
    let _last = fix_jitter(1.0);
    let (found, sent) = get(&BANNER, vec![Ok(Value::Nil), Ok(Value::Int(0)), Ok(Value::Int(0))]);
    assert_eq!(found.unwrap(), None);
    assert_eq!(sent, [format!("GET {}", key(2)), format!("> EXISTS {}", key(1)), format!("| EXISTS {}", key(0))]);
    // The others vanish in between: one of them, then all.
    let there = || [Ok(Value::Nil)].into_iter().chain(flags([1, 1]));
    let (found, sent) = get(&BANNER, there().chain([Ok(Value::Nil), bulk("a")]).collect());
    assert_eq!(
        (found.unwrap().as_deref(), &sent[3..]),
        (Some("a"), &[1, 0].map(|copy| format!("GET {}", key(copy)))[..])
    );
    let (found, sent) = get(&BANNER, there().chain([Ok(Value::Nil), Ok(Value::Nil)]).collect());
    assert_eq!((found.unwrap(), sent.len()), (None, 5));
    for second in [bulk("1"), Ok(Value::Int(2)), Ok(Value::Int(-2))] {
        let (found, _) = get(&BANNER, vec![Ok(Value::Nil), Ok(Value::Int(1)), second]);
        assert_eq!(found.unwrap_err().key(), Some(key(0).as_str()));
    }
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
    for (lost, asked) in [(vec![gone()], 2), (vec![Ok(Value::Int(0)), gone()], 1)] {
        let start = || [Ok(Value::Nil)].into_iter().chain(lost.clone());
        let (found, sent) = read(true, start().chain([bulk("a")]).collect());
        assert_eq!((found.unwrap().as_deref(), sent.last()), (Some("a"), Some(&format!("GET {}", key(asked)))));
        // If that is not found either, it is unknown whether there is one.
        for second in [Ok(Value::Nil), gone()] {
            let (found, _) = read(true, start().chain([second]).collect());
            let error = found.unwrap_err();
            assert_eq!((error.kind(), error.key()), (ErrorKind::Connection, Some(key(3 - asked).as_str())));
        }
    }
    // A reply of the server counts, and so does a connection that leads to one server.
    for (cluster, second) in [(true, server_error("OOM no memory")), (false, gone())] {
        let (found, sent) = read(cluster, vec![Ok(Value::Nil), second, Ok(Value::Int(1))]);
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
    let (found, _) = get(
        &BANNER,
        vec![Ok(Value::Nil), Ok(Value::Int(1)), Ok(Value::Int(0)), wrong(), Ok(Value::SimpleString("list".to_owned()))],
    );
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(key(1).as_str())));
    let (found, _) = get(&Motto, vec![bulk("x")]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Decode);
    let (found, _) = get(&Motto, vec![Ok(Value::Nil), bulk("x")]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Decode);
    let (found, _) = get(&Motto, vec![Ok(Value::Nil), Ok(Value::Array(Vec::new()))]);
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
