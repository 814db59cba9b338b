//! Whole collections: each member and field once, and no more than the declaration allows.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use std::fmt::Debug;

use redis::{RedisResult, Value};

use crate::scan::Scan;
use crate::tests::mock::{Mock, SharedMock, block_on, server_error};
use crate::{
    Error, ErrorKind, GeoKey as _, HashKey as _, ListKey as _, RedisKey as _, Rule, SendStatus, SetKey as _,
    ZSetKey as _, lua,
};

macro_rules! keys {
    ($($name:ident $template:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(app:$template:{id}:$kind, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Tags tags set (value = u64, ttl = 1h, max_len = 3);
    Seen seen set (value = u64, ttl = 1h, renew = read);
    Votes votes hash (field = String, value = i32, ttl = 1h, max_len = 3);
    Scores scores zset (value = u64, ttl = 1h, keep_top = 2);
    Places places geo (value = u64, ttl = 1h, max_len = 3);
    Recent recent list (value = u64, ttl = 1h, keep_last = 2);
    Notes notes hash (field = u32, value = String, ttl = 1h);
}

#[cfg(feature = "json")]
keys! {
    Lists lists hash (field = u32, value = Json<Vec<Vec<u8>>>, ttl = 1h);
}

/// Collects on both kinds of connections, which must send the same and return the same.
fn collect<T: Debug>(
    scan: impl Fn() -> Scan<T>,
    replies: impl IntoIterator<Item = RedisResult<Value>>,
) -> (Result<Vec<T>, Error>, Vec<String>) {
    let replies: Vec<_> = replies.into_iter().collect();
    let mut con = Mock::new(replies.clone());
    let collected = scan().query(&mut con);
    let other = SharedMock::new(replies);
    let other_collected = block_on(scan().collect(&other));
    assert_eq!((format!("{collected:?}"), &con.sent), (format!("{other_collected:?}"), &other.sent()));
    (collected, con.sent)
}

fn texts(elements: &[&str]) -> Value {
    Value::Array(elements.iter().map(|text| Value::BulkString((*text).into())).collect())
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply")]
fn page(cursor: &str, elements: Value) -> RedisResult<Value> {
    Ok(Value::Array(vec![Value::BulkString(cursor.into()), elements]))
}

#[test]
fn each_member_is_returned_once() {
    let replies = [page("7", texts(&["1", "2", "1"])), page("9", texts(&["2", "1"])), page("0", texts(&["3", "2"]))];
    let (members, sent) = collect(|| Tags { id: 1 }.sscan().with_count(500), replies);
    assert_eq!(members.unwrap(), [1, 2, 3]);
    assert_eq!(sent, ["0", "7", "9"].map(|cursor| format!("SSCAN app:tags:1:set {cursor} COUNT 500")));
}

#[test]
fn each_field_is_returned_once() {
    let votes = || Votes { id: 1 }.hscan();
    let flat = [page("7", texts(&["a", "1", "b", "1"])), page("0", texts(&["b", "2", "1", "1"]))];
    let map = Value::Map(vec![(Value::BulkString(b"b".into()), Value::BulkString(b"2".into()))]);
    for replies in [flat, [page("7", texts(&["a", "1", "b", "1", "1", "1"])), page("0", map)]] {
        let (fields, _) = collect(votes, replies);
        assert_eq!(fields.unwrap(), [("a".to_owned(), 1), ("b".to_owned(), 1), ("1".to_owned(), 1)]);
    }
    let (members, _) =
        collect(|| Scores { id: 1 }.zscan(), [page("7", texts(&["1", "2.5"])), page("0", texts(&["1", "3"]))]);
    assert_eq!(members.unwrap(), [(1, 2.5)]);
}

#[test]
fn nothing_is_collected_from_a_missing_key() {
    assert!(collect(|| Tags { id: 1 }.sscan(), [page("0", texts(&[]))]).0.unwrap().is_empty());
    assert!(collect(|| Recent { id: 1 }.lpages(2), [Ok(texts(&[]))]).0.unwrap().is_empty());
}

#[test]
fn items_of_a_list_may_be_equal() {
    let (items, sent) = collect(|| Recent { id: 1 }.lpages(2), [Ok(texts(&["1", "1"])), Ok(texts(&[]))]);
    assert_eq!((items.unwrap(), sent.len()), (vec![1, 1], 2));
}

#[test]
fn a_collection_with_too_many_elements_is_an_error() {
    let first = || page("7", texts(&["1", "2", "3", "4"]));
    let (members, sent) = collect(|| Tags { id: 1 }.sscan(), [first(), Ok(Value::Int(6))]);
    let error = members.unwrap_err();
    assert_eq!(sent, ["SSCAN app:tags:1:set 0 COUNT 100", "SCARD app:tags:1:set"]);
    assert_eq!(
        (error.kind(), error.sent(), error.rule()),
        (ErrorKind::CollectionSize, SendStatus::Yes, Some(Rule::CollectionSize))
    );
    assert_eq!(
        error.to_string(),
        "collection of `Tags` (app:tags:1:set) exceeds `max_len`: 6 elements, at most 3; it was written by another \
         program or under a higher limit: iterate instead of collecting, or `purge` it [collection-size]"
    );
    for reply in [Ok(Value::Int(-1)), Ok(Value::Nil)] {
        let (members, _) = collect(|| Tags { id: 1 }.sscan(), [first(), reply]);
        assert_eq!(members.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn each_type_is_asked_for_its_length() {
    let pairs = |cursor| page(cursor, texts(&["1", "1", "2", "1", "3", "1", "4", "1"]));
    let (fields, sent) = collect(|| Votes { id: 1 }.hscan(), [pairs("0"), Ok(Value::Int(4))]);
    assert!(fields.unwrap_err().to_string().contains("exceeds `max_len`: 4 fields, at most 3"));
    assert_eq!(sent[1], "HLEN app:votes:1:hash");
    let (members, sent) = collect(|| Scores { id: 1 }.zscan(), [pairs("7"), Ok(Value::Int(4))]);
    assert!(members.unwrap_err().to_string().contains("exceeds `keep_top`: 4 elements, at most 2"));
    assert_eq!(sent[1], "ZCARD app:scores:1:zset");
    let (items, sent) = collect(|| Recent { id: 1 }.lpages(3), [Ok(texts(&["1", "2", "3"])), Ok(Value::Int(4))]);
    assert!(items.unwrap_err().to_string().contains("exceeds `keep_last`: 4 elements, at most 2"));
    assert_eq!(sent[1], "LLEN app:recent:1:list");
    assert_eq!(Places::SCHEMA.kind.redis_type(), "zset");
    assert!(collect(|| Places { id: 1 }.zscan(), [page("0", texts(&[]))]).0.unwrap().is_empty());
}

/// While other clients replace members, the pages contain more of them than there are at any time.
#[test]
fn members_that_come_and_go_are_not_an_error() {
    let replies =
        [page("7", texts(&["1", "2"])), page("9", texts(&["3", "4"])), Ok(Value::Int(3)), page("0", texts(&["5"]))];
    let (members, sent) = collect(|| Tags { id: 1 }.sscan(), replies);
    assert_eq!(members.unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(sent.len(), 4, "the length is asked for once");
}

#[test]
fn a_collection_without_end_is_an_error() {
    let page = || Ok(Value::Array((0..500).map(|_| Value::BulkString(b"1".into())).collect()));
    let replies = [page(), Ok(Value::Int(2))].into_iter().chain((0..10).map(|_| page()));
    let (items, sent) = collect(|| Recent { id: 1 }.lpages(500), replies);
    assert!(items.unwrap_err().to_string().contains("exceeds `keep_last`: 5500 elements, at most 2"));
    assert_eq!(sent.len(), 12);
}

#[test]
fn what_takes_too_much_memory_is_an_error() {
    let text = "x".repeat(4096);
    // With its name and the cursor, 4,098 bytes.
    let field = |number: u64| page(&number.to_string(), texts(&[&number.to_string(), &text]));
    let collect_in = |bytes| collect(|| Notes { id: 1 }.hscan().with_max_bytes(bytes), [field(1), field(2), field(0)]);
    let (fields, sent) = collect_in(3 * 4098);
    assert_eq!((fields.unwrap().len(), sent.len()), (3, 3));
    let (fields, sent) = collect_in(3 * 4098 - 1);
    let error = fields.unwrap_err();
    assert_eq!((error.kind(), error.sent(), sent.len()), (ErrorKind::CollectionSize, SendStatus::Yes, 3));
    assert_eq!(
        error.to_string(),
        "collection of `Notes` (app:notes:1:hash) takes more than 12293 bytes: iterate instead of collecting, or set \
         `max_bytes` of the scan [collection-size]"
    );
    // Without a setting, 64MB.
    let large = "x".repeat(1024 * 1024);
    let names: Vec<_> = (0..64).map(|name| name.to_string()).collect();
    let elements: Vec<_> = names.iter().flat_map(|name| [name.as_str(), &large]).collect();
    let (fields, _) = collect(|| Notes { id: 1 }.hscan(), [page("0", texts(&elements))]);
    assert_eq!(fields.unwrap_err().kind(), ErrorKind::CollectionSize);
    assert_eq!(collect(|| Notes { id: 1 }.hscan(), [page("0", texts(&elements[2..]))]).0.unwrap().len(), 63);
}

/// A few bytes that take much memory when they are decoded.
#[cfg(feature = "json")]
#[test]
fn memory_that_decoding_takes_counts_too() {
    let many = format!("[{}]", vec!["[]"; 1000].join(","));
    let field = |number: u64| page(&number.to_string(), texts(&[&number.to_string(), &many]));
    let collect_in = |bytes| collect(|| Lists { id: 1 }.hscan().with_max_bytes(bytes), [field(1), field(2), field(0)]);
    let decoded = 1000 * size_of::<Vec<u8>>();
    assert_eq!(collect_in(4 * (decoded + many.len())).0.unwrap().len(), 3);
    let (fields, sent) = collect_in(2 * decoded);
    assert_eq!((fields.unwrap_err().kind(), sent.len()), (ErrorKind::CollectionSize, 2));
}

#[test]
fn the_first_page_renews() {
    let (members, sent) = collect(|| Seen { id: 1 }.sscan(), [page("0", texts(&["1"]))]);
    assert_eq!(members.unwrap(), [1]);
    assert_eq!(sent, [format!("EVALSHA {} 1 app:seen:1:set 3600000 SSCAN 0 COUNT 100", lua::READ.file)]);
}

#[test]
fn the_first_error_is_returned() {
    let (members, _) = collect(|| Tags { id: 1 }.sscan(), [page("7", texts(&["1"])), server_error("OOM x")]);
    assert_eq!(members.unwrap_err().kind(), ErrorKind::Server);
    let (members, sent) = collect(|| Tags { id: 1 }.sscan(), [page("7", texts(&["1", "secret"]))]);
    let message = members.unwrap_err().to_string();
    assert!(message.starts_with("element of `Tags` (app:tags:1:set) cannot be decoded as `u64`"), "{message}");
    assert_eq!(sent.len(), 1);
    for wrong in [Ok(Value::Int(1)), page("x", texts(&[])), page("0", Value::Int(1)), page("7", texts(&["1"]))] {
        let same_cursor = page("7", texts(&["1"]));
        let (members, _) = collect(|| Tags { id: 1 }.sscan(), [wrong, same_cursor]);
        assert_eq!(members.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
    let (members, sent) = collect(|| Tags { id: 1 }.sscan().with_count(501), []);
    assert_eq!((members.unwrap_err().kind(), sent.len()), (ErrorKind::TooMany, 0));
}
