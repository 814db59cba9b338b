//! What a scan sends, page by page, and what it gives.

use std::fmt::Debug;

use futures_util::StreamExt as _;
use redis::{RedisResult, Value};

use crate::{
    Error, ErrorKind, ListKey as _, Scan, Sent, SetKey as _, lua,
    testing::mock::{Mock, block_on, server_error},
};

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:tags:{id}:set, value = u64, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Tags {
    id: u32,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:seen:{id}:set, value = u64, ttl = 1h, renew = read, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Seen {
    id: u32,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:fading:{id}:set, value = u64, ttl = 1h, renew = below(10m), allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Fading {
    id: u32,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:named:{name}:set, value = u64, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Named<'a> {
    name: &'a str,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Recent {
    id: u32,
}

const TAGS: Tags = Tags { id: 1 };

type Given<T> = Vec<Result<T, Error>>;

/// Takes all elements both ways, which must send the same and give the same.
fn walk<T: Debug + Send>(
    scan: impl Fn() -> Scan<T>,
    replies: impl IntoIterator<Item = RedisResult<Value>>,
) -> (Given<T>, Vec<String>) {
    let replies: Vec<_> = replies.into_iter().collect();
    let mut con = Mock::new(replies.clone());
    let given: Given<T> = scan().iter(&mut con).collect();
    let mut other = Mock::new(replies);
    let streamed: Given<T> = block_on(scan().stream(&mut other).collect());
    assert_eq!((format!("{given:?}"), &con.sent), (format!("{streamed:?}"), &other.sent));
    (given, con.sent)
}

fn texts(elements: &[&str]) -> Value {
    Value::Array(elements.iter().map(|text| Value::BulkString((*text).into())).collect())
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply")]
fn page(cursor: &str, elements: Value) -> RedisResult<Value> {
    Ok(Value::Array(vec![Value::BulkString(cursor.into()), elements]))
}

fn all<T>(given: Given<T>) -> Vec<T> {
    given.into_iter().map(Result::unwrap).collect()
}

#[test]
fn pages_go_on_until_the_cursor_is_none() {
    let far = u64::MAX.to_string();
    let replies = [page("7", texts(&["1", "2"])), page(&far, texts(&[])), page("0", Value::Set(vec![Value::Int(3)]))];
    let (given, sent) = walk(|| TAGS.sscan(), replies);
    assert_eq!(all(given), [1, 2, 3]);
    let scan = |cursor: &str| format!("SSCAN user:tags:1:set {cursor} COUNT 100");
    assert_eq!(sent, [scan("0"), scan("7"), scan(&far)]);
}

#[test]
fn who_stops_taking_stops_asking() {
    let mut con = Mock::new([page("7", texts(&["1", "2"]))]);
    assert_eq!(TAGS.sscan().iter(&mut con).take(2).map(Result::unwrap).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(con.sent.len(), 1);
    let mut con = Mock::new([]);
    drop(TAGS.sscan().iter(&mut con));
    assert!(con.sent.is_empty());
}

#[test]
fn a_page_is_as_long_as_it_may_be() {
    for (count, said) in [(0, "1"), (1, "1"), (500, "500")] {
        let (_, sent) = walk(|| TAGS.sscan().count(count), [page("0", texts(&[]))]);
        assert_eq!(sent, [format!("SSCAN user:tags:1:set 0 COUNT {said}")]);
    }
    for refused in [|| TAGS.sscan().count(501), || Recent { id: 1 }.lpages(501)] {
        let (given, sent) = walk(refused, []);
        let [Err(error)] = given.as_slice() else { panic!("{given:?}") };
        assert_eq!((error.kind(), error.sent(), sent.len()), (ErrorKind::TooMany, Sent::No, 0));
    }
}

#[test]
fn a_key_that_is_refused_is_the_only_thing_given() {
    let (given, _) = walk(|| Named { name: "Ada" }.sscan().count(5), []);
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].as_ref().unwrap_err().kind(), ErrorKind::Parameter);
}

#[test]
fn the_first_page_renews() {
    let pages = || [page("7", texts(&[])), page("0", texts(&[]))];
    let (_, sent) = walk(|| Seen { id: 1 }.sscan(), pages());
    let sha1 = lua::READ.sha1;
    assert_eq!(
        sent,
        [
            format!("EVALSHA {sha1} 1 user:seen:1:set 3600000 SSCAN 0 COUNT 100"),
            "SSCAN user:seen:1:set 7 COUNT 100".to_owned()
        ]
    );
    let [first, second] = pages();
    let (_, sent) = walk(|| Fading { id: 1 }.sscan(), [first, Ok(Value::Int(5)), Ok(Value::Int(1)), second]);
    assert_eq!(
        sent,
        [
            "> SSCAN user:fading:1:set 0 COUNT 100",
            "| PTTL user:fading:1:set",
            "PEXPIRE user:fading:1:set 3600000",
            "SSCAN user:fading:1:set 7 COUNT 100"
        ]
    );
}

#[test]
fn after_an_error_there_is_nothing() {
    let (given, sent) = walk(|| TAGS.sscan(), [page("7", texts(&["1"])), server_error("OOM x")]);
    assert!(matches!(given.as_slice(), [Ok(1), Err(error)] if error.kind() == ErrorKind::Server), "{given:?}");
    assert_eq!(sent.len(), 2);
    // What came before it in the same page is given.
    let (given, _) = walk(|| TAGS.sscan(), [page("7", texts(&["1", "secret", "3"]))]);
    let [Ok(1), Err(error)] = given.as_slice() else { panic!("{given:?}") };
    assert_eq!(
        error.to_string(),
        "element of `Tags` (user:tags:1:set) cannot be decoded as `u64`: not an integer in the range of `u64` (6 \
         bytes) [stored-form]"
    );
}

#[test]
fn what_is_no_page_is_no_answer() {
    let wrong = [
        Ok(Value::Int(1)),
        Ok(texts(&["0"])),
        page("x", texts(&[])),
        page("-1", texts(&[])),
        page("0", Value::Int(1)),
        Ok(Value::Array(vec![Value::Int(-1), texts(&[])])),
    ];
    for reply in wrong {
        let (given, _) = walk(|| TAGS.sscan(), [reply]);
        assert_eq!(given[0].as_ref().unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn a_list_goes_by_positions() {
    let replies = [Ok(texts(&["1", "2"])), Ok(texts(&["3", "4"])), Ok(texts(&["5"]))];
    let (given, sent) = walk(|| Recent { id: 1 }.lpages(2), replies);
    assert_eq!(all(given), [1, 2, 3, 4, 5]);
    assert_eq!(sent, ["0 1", "2 3", "4 5"].map(|range| format!("LRANGE user:recent:1:list {range}")));
    let (given, sent) = walk(|| Recent { id: 1 }.lpages(0), [Ok(texts(&["1"])), Ok(texts(&[]))]);
    assert_eq!((all(given), sent.len()), (vec![1], 2));
}

#[test]
fn it_tells_its_key() {
    assert_eq!(format!("{:?}", TAGS.sscan()), "Scan { key: Ok(\"user:tags:1:set\"), .. }");
}
