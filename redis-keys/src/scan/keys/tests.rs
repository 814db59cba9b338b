//! The commands of a scan of keys for each page, and the keys it returns.

mod nodes;

use std::collections::BTreeSet;

use futures_util::TryStreamExt as _;
use redis::{RedisResult, Value};
use redis_keys_macros::RedisKey;

use crate::scan::keys::KeyScan;
use crate::tests::keys::Views;
use crate::tests::mock::{Mock, SharedMock, block_on, bulk, server_error};
use crate::{Error, ErrorKind, ParseKey, RedisKey as _, SendStatus, testing};

#[derive(RedisKey)]
#[redis_key(cart:{#id}:v.{version}:items:hyperloglog, value = u32, ttl = 1h, crate = crate)]
struct Items {
    id: u64,
    version: u8,
}

#[derive(RedisKey)]
#[redis_key(app:settings:geo, value = String, ttl = 1h, crate = crate)]
struct Settings;

#[allow(clippy::unnecessary_wraps, reason = "it is a reply among others")]
fn page(cursor: u64, keys: &[&str]) -> RedisResult<Value> {
    let keys = keys.iter().map(|key| Value::BulkString(key.as_bytes().to_vec())).collect();
    Ok(Value::Array(vec![Value::BulkString(cursor.to_string().into_bytes()), Value::Array(keys)]))
}

fn no_cluster() -> RedisResult<Value> {
    server_error("ERR This instance has cluster support disabled")
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply among others")]
fn slots(ports: &[i64]) -> RedisResult<Value> {
    let node = |port| Value::Array(vec![Value::BulkString(b"127.0.0.1".to_vec()), Value::Int(port)]);
    let range = |port: &i64| Value::Array(vec![Value::Int(0), Value::Int(1), node(*port), node(99)]);
    Ok(Value::Array(ports.iter().map(range).collect()))
}

fn node(slots: &str) -> RedisResult<Value> {
    bulk(&format!("a 127.0.0.1:1@2 myself,master - 0 17 1 connected{slots}\n"))
}

/// Scans on both kinds of connections, which must send the same and find the same.
fn run<K: for<'k> ParseKey<'k> + Send>(
    scan: impl Fn() -> KeyScan<K>,
    replies: impl IntoIterator<Item = RedisResult<Value>>,
) -> (Result<Vec<String>, Error>, Vec<String>) {
    let replies: Vec<_> = replies.into_iter().collect();
    let text = |key: K| String::from(key.key().unwrap());
    let mut con = Mock::new(replies.clone());
    let found: Result<Vec<_>, _> = scan().iter(&mut con).map(|key| key.map(text)).collect();
    let other = SharedMock::new(replies);
    let other_found: Result<Vec<_>, _> = block_on(scan().stream(&other).map_ok(text).try_collect());
    assert_eq!((format!("{found:?}"), &con.sent), (format!("{other_found:?}"), &other.sent()));
    (found, con.sent)
}

#[test]
fn a_page_follows_the_other() {
    let replies = [
        no_cluster(),
        page(7, &["page:views:1:string", "page:views:2:string"]),
        page(9, &[]),
        page(0, &["page:views:1:string"]),
    ];
    let (found, sent) = run(Views::scan, replies);
    assert_eq!(found.unwrap(), ["page:views:1:string", "page:views:2:string", "page:views:1:string"]);
    let scan = |cursor| format!("SCAN {cursor} MATCH page:views:*:string COUNT 500 TYPE string");
    assert_eq!(sent, ["CLUSTER SLOTS".to_owned(), scan(0), scan(7), scan(9)]);
}

#[test]
fn cursors_that_repeat_are_an_error() {
    let replies = [no_cluster(), page(7, &["page:views:1:string"]), page(7, &[])];
    let (found, sent) = run(Views::scan, replies);
    assert_eq!((found.unwrap_err().kind(), sent.len()), (ErrorKind::UnexpectedReply, 3));
}

#[test]
fn the_declaration_makes_the_pattern() {
    let (_, sent) = run(|| Items::scan().with_count(10), [no_cluster(), page(0, &[])]);
    assert_eq!(sent[1], "SCAN 0 MATCH cart:{*}:v.*:items:hyperloglog COUNT 10 TYPE string");
    let (found, sent) = run(Settings::scan, [no_cluster(), page(0, &["app:settings:geo"])]);
    assert_eq!(sent[1], "SCAN 0 MATCH app:settings:geo COUNT 500 TYPE zset");
    assert_eq!(found.unwrap(), ["app:settings:geo"]);
    let (_, sent) = run(|| Views::scan().with_count(0), [no_cluster(), page(0, &[])]);
    assert!(sent[1].contains("COUNT 1 TYPE"));
}

#[test]
fn what_is_no_key_is_skipped() {
    let keys =
        ["page:views:007:string", "page:views:7:more:string", "page:views:7:string", "page:views::string", "\u{e9}"];
    let (found, _) = run(Views::scan, [no_cluster(), page(0, &keys)]);
    assert_eq!(found.unwrap(), ["page:views:7:string"]);
}

#[test]
fn a_test_finds_the_keys_of_its_own() {
    let keys = testing::own_keys();
    let own = keys.prefix();
    let scan = Views::scan();
    // The thread that takes the keys does not have the prefix.
    drop(keys);
    let names = [format!("{own}page:views:1:string"), "page:views:2:string".to_owned()];
    let replies = [no_cluster(), page(0, &names.each_ref().map(String::as_str))];
    let mut con = Mock::new(replies);
    let found: Vec<u32> = scan.iter(&mut con).map(|key| key.unwrap().page).collect();
    assert_eq!(found, [1]);
    assert_eq!(con.sent[1], format!("SCAN 0 MATCH {own}page:views:*:string COUNT 500 TYPE string"));
}

#[test]
fn a_node_of_a_cluster_is_rejected() {
    let (found, sent) = run(Views::scan, [slots(&[1, 2, 1])]);
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::Unsupported, SendStatus::No, None));
    assert_eq!(
        error.to_string(),
        "command on `Views` (page:views:{page}:string) needs a connection to the whole cluster: pass the cluster \
         connection, with the feature `cluster`"
    );
    assert_eq!(sent, ["CLUSTER SLOTS"]);
    // The only node has all keys.
    let all = [slots(&[1, 1]), node(" 0-3"), page(0, &["page:views:1:string"]), slots(&[1, 1]), node(" 0-3")];
    let (found, sent) = run(Views::scan, all);
    assert_eq!(found.unwrap().len(), 1);
    assert_eq!([&sent[1], &sent[3], &sent[4]], ["CLUSTER NODES", "CLUSTER SLOTS", "CLUSTER NODES"]);
    // If it still is the only one.
    let parts = [slots(&[1, 1]), node(" 0-3"), page(0, &["page:views:1:string"]), slots(&[1, 2])];
    let (found, _) = run(Views::scan, parts);
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Unsupported, SendStatus::Yes));
}

/// No node reports the other one yet.
#[test]
fn a_slot_that_leaves_the_only_node_is_noticed() {
    let half = || [slots(&[1, 1]), node(" 0-3 [3->-b]")];
    let keys = || page(0, &["page:views:1:string"]);
    let start = half().into_iter().chain([keys()]).chain(half()).chain([keys()]);
    let never = (0..100).flat_map(|_| half());
    let (found, _) = run(Views::scan, start.chain(never));
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Contended);
}

#[test]
fn an_unknown_cluster_connection_is_rejected() {
    let mut con = Mock::new([]);
    con.pipelines = false;
    let found: Vec<_> = Views::scan().iter(&mut con).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].as_ref().err().map(Error::kind), Some(ErrorKind::Unsupported));
}

#[test]
fn after_an_error_there_are_no_more_keys() {
    for (reply, kind) in [
        (server_error("NOPERM no"), ErrorKind::Server),
        (bulk("x"), ErrorKind::UnexpectedReply),
        (Ok(Value::Array(vec![])), ErrorKind::UnexpectedReply),
        (Ok(Value::Array(vec![Value::Nil, Value::Array(vec![])])), ErrorKind::UnexpectedReply),
        (Err((redis::ErrorKind::Io, "gone").into()), ErrorKind::Connection),
    ] {
        let (found, _) = run(Views::scan, [no_cluster(), page(7, &["page:views:1:string"]), reply.clone()]);
        let error = found.unwrap_err();
        assert_eq!((error.kind(), error.key()), (kind, None));
        let mut con = Mock::new([no_cluster(), page(7, &["page:views:1:string"]), reply]);
        assert_eq!(Views::scan().iter(&mut con).count(), 2);
    }
    let (found, _) = run(Views::scan, [Err((redis::ErrorKind::Io, "gone").into())]);
    assert_eq!(found.unwrap_err().kind(), ErrorKind::Connection);
    let (found, sent) = run(|| Views::scan().with_count(501), []);
    assert_eq!((found.unwrap_err().kind(), sent), (ErrorKind::TooMany, vec![]));
}

#[test]
fn pages_are_sent_on_demand() {
    let mut con = Mock::new([no_cluster(), page(7, &["page:views:1:string", "page:views:2:string"])]);
    let found: BTreeSet<_> = Views::scan().iter(&mut con).take(2).map(|key| key.unwrap().page).collect();
    assert_eq!((found.len(), con.sent.len()), (2, 2));
}

#[test]
fn debug_shows_the_pattern() {
    assert_eq!(format!("{:?}", Items::scan()), r#"KeyScan { pattern: "cart:{*}:v.*:items:hyperloglog", .. }"#);
}
