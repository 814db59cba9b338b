//! The commands of a scan for each page, and its results.

use std::fmt::Debug;

use futures_util::StreamExt as _;
use redis::{RedisResult, Value};

use crate::scan::Scan;
use crate::tests::keys::Views;
use crate::tests::mock::{Mock, SharedMock, block_on, server_error};
use crate::{Error, ErrorKind, ListKey as _, RedisKey as _, SendStatus, SetKey as _, lua};

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:tags:{id}:set, value = u64, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Tags {
    id: u32,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:seen:{id}:set, value = u64, ttl = 1h, renew = read, allow(overlap, sliding_ttl, reason = "each test has keys of its own"), crate = crate)]
struct SeenIds {
    id: u32,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:fading:{id}:set, value = u64, ttl = 1h, renew = below(10m), allow(overlap, sliding_ttl, reason = "each test has keys of its own"), crate = crate)]
struct Fading {
    id: u32,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:named:{name}:set, value = u64, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct NamedSet<'a> {
    name: &'a str,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Recent {
    id: u32,
}

const TAGS: Tags = Tags { id: 1 };

type Elements<T> = Vec<Result<T, Error>>;

/// Scans on both kinds of connections, which must send the same and return the same.
fn scan_all<T: Debug + Send>(
    scan: impl Fn() -> Scan<T>,
    replies: impl IntoIterator<Item = RedisResult<Value>>,
) -> (Elements<T>, Vec<String>) {
    let replies: Vec<_> = replies.into_iter().collect();
    let mut con = Mock::new(replies.clone());
    let given: Elements<T> = scan().iter(&mut con).collect();
    let other = SharedMock::new(replies);
    let streamed: Elements<T> = block_on(scan().stream(&other).collect());
    assert_eq!((format!("{given:?}"), &con.sent), (format!("{streamed:?}"), &other.sent()));
    (given, con.sent)
}

fn texts(elements: &[&str]) -> Value {
    Value::Array(elements.iter().map(|text| Value::BulkString((*text).into())).collect())
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply")]
fn page(cursor: &str, elements: Value) -> RedisResult<Value> {
    Ok(Value::Array(vec![Value::BulkString(cursor.into()), elements]))
}

fn all<T>(given: Elements<T>) -> Vec<T> {
    given.into_iter().map(Result::unwrap).collect()
}

#[test]
fn pages_follow_until_the_cursor_is_zero() {
    let far = u64::MAX.to_string();
    let replies = [page("7", texts(&["1", "2"])), page(&far, texts(&[])), page("0", Value::Set(vec![Value::Int(3)]))];
    let (given, sent) = scan_all(|| TAGS.sscan(), replies);
    assert_eq!(all(given), [1, 2, 3]);
    let scan = |cursor: &str| format!("SSCAN user:tags:1:set {cursor} COUNT 100");
    assert_eq!(sent, [scan("0"), scan("7"), scan(&far)]);
}

#[test]
fn cursors_that_repeat_are_an_error() {
    // The same one again, and two in turn.
    for cursors in [vec!["7", "7"], vec!["0007", "8", "7"], vec!["1", "7", "8", "7", "8", "7", "8", "7", "8"]] {
        let mut cursors = cursors.into_iter();
        let mut con = Mock::new(cursors.by_ref().map(|cursor| page(cursor, texts(&["1"]))));
        let given: Elements<u64> = TAGS.sscan().iter(&mut con).take(20).collect();
        let (last, before) = given.split_last().unwrap();
        let error = last.as_ref().unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::UnexpectedReply, SendStatus::Yes));
        assert_eq!(error.key(), Some("user:tags:1:set"));
        assert!(before.iter().all(Result::is_ok) && before.len() == con.sent.len(), "{given:?}");
    }
}

/// A server with three elements and three keys whose cursors grow for ever.
#[derive(Default)]
struct Growing {
    pages: i64,
    sizes: Vec<String>,
}

impl redis::ConnectionLike for Growing {
    fn req_packed_command(&mut self, cmd: &[u8]) -> RedisResult<Value> {
        let text = String::from_utf8_lossy(cmd);
        let name = text.lines().nth(2).unwrap_or_default().to_owned();
        match name.as_str() {
            "SCAN" | "SSCAN" => {
                self.pages += 1;
                Ok(Value::Array(vec![Value::Int(self.pages), Value::Array(Vec::new())]))
            }
            "CLUSTER" => Err((redis::ServerErrorKind::ResponseError.into(), "no cluster").into()),
            _ => {
                self.sizes.push(name);
                Ok(Value::Int(3))
            }
        }
    }

    fn req_packed_commands(&mut self, _cmd: &[u8], _offset: usize, _count: usize) -> RedisResult<Vec<Value>> {
        unreachable!("a page is one command")
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}

type Run<'r> = &'r dyn Fn(&mut Growing) -> Option<Result<(), Error>>;

#[test]
fn cursors_that_grow_for_ever_are_an_error() {
    let iter = |con: &mut Growing| TAGS.sscan().with_count(500).iter(con).last().map(|last| last.map(drop));
    let collect = |con: &mut Growing| Some(TAGS.sscan().with_count(500).query(con).map(drop));
    let keys = |con: &mut Growing| Views::scan().iter(con).last().map(|last| last.map(drop));
    for (scan, size) in [(&iter as Run<'_>, "SCARD"), (&collect, "SCARD"), (&keys, "DBSIZE")] {
        let mut con = Growing::default();
        let error = scan(&mut con).unwrap().unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::UnexpectedReply, SendStatus::Yes));
        // A table of a billion buckets that is nearly empty has about 200,000 pages.
        assert_eq!((con.sizes, (200_000..300_000).contains(&con.pages)), (vec![size.to_owned()], true));
    }
}

#[test]
fn pages_are_sent_on_demand() {
    let mut con = Mock::new([page("7", texts(&["1", "2"]))]);
    assert_eq!(TAGS.sscan().iter(&mut con).take(2).map(Result::unwrap).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(con.sent.len(), 1);
    let mut con = Mock::new([]);
    drop(TAGS.sscan().iter(&mut con));
    assert!(con.sent.is_empty());
}

#[test]
fn a_page_is_as_long_as_it_may_be() {
    for (count, sent_count) in [(0, "1"), (1, "1"), (500, "500")] {
        let (_, sent) = scan_all(|| TAGS.sscan().with_count(count), [page("0", texts(&[]))]);
        assert_eq!(sent, [format!("SSCAN user:tags:1:set 0 COUNT {sent_count}")]);
    }
    for refused in [|| TAGS.sscan().with_count(501), || Recent { id: 1 }.lpages(501)] {
        let (given, sent) = scan_all(refused, []);
        let [Err(error)] = given.as_slice() else { panic!("{given:?}") };
        assert_eq!((error.kind(), error.sent(), sent.len()), (ErrorKind::TooMany, SendStatus::No, 0));
    }
}

#[test]
fn a_rejected_key_is_the_only_item() {
    let (given, _) = scan_all(|| NamedSet { name: "Ada" }.sscan().with_count(5), []);
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].as_ref().unwrap_err().kind(), ErrorKind::Parameter);
}

#[test]
fn the_first_page_renews() {
    let pages = || [page("7", texts(&[])), page("0", texts(&[]))];
    let (_, sent) = scan_all(|| SeenIds { id: 1 }.sscan(), pages());
    let script = lua::READ.file;
    assert_eq!(
        sent,
        [
            format!("EVALSHA {script} 1 user:seen:1:set 3600000 SSCAN 0 COUNT 100"),
            "SSCAN user:seen:1:set 7 COUNT 100".to_owned()
        ]
    );
    let [first, second] = pages();
    let (_, sent) = scan_all(|| Fading { id: 1 }.sscan(), [first, Ok(Value::Int(5)), Ok(Value::Int(1)), second]);
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
    let (given, sent) = scan_all(|| TAGS.sscan(), [page("7", texts(&["1"])), server_error("OOM x")]);
    assert!(matches!(given.as_slice(), [Ok(1), Err(error)] if error.kind() == ErrorKind::Server), "{given:?}");
    assert_eq!(sent.len(), 2);
    // The elements before it in the same page are returned.
    let (given, _) = scan_all(|| TAGS.sscan(), [page("7", texts(&["1", "secret", "3"]))]);
    let [Ok(1), Err(error)] = given.as_slice() else { panic!("{given:?}") };
    assert_eq!(
        error.to_string(),
        "element of `Tags` (user:tags:1:set) cannot be decoded as `u64`: not an integer in the range of `u64` (6 \
         bytes) [stored-form]"
    );
}

#[test]
fn what_is_no_page_is_an_unexpected_reply() {
    let wrong = [
        Ok(Value::Int(1)),
        Ok(texts(&["0"])),
        page("x", texts(&[])),
        page("-1", texts(&[])),
        page("0", Value::Int(1)),
        Ok(Value::Array(vec![Value::Int(-1), texts(&[])])),
    ];
    for reply in wrong {
        let (given, _) = scan_all(|| TAGS.sscan(), [reply]);
        assert_eq!(given[0].as_ref().unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn a_list_goes_by_positions() {
    let replies = [Ok(texts(&["1", "2"])), Ok(texts(&["3", "4"])), Ok(texts(&["5"]))];
    let (given, sent) = scan_all(|| Recent { id: 1 }.lpages(2), replies);
    assert_eq!(all(given), [1, 2, 3, 4, 5]);
    assert_eq!(sent, ["0 1", "2 3", "4 5"].map(|range| format!("LRANGE user:recent:1:list {range}")));
    let (given, sent) = scan_all(|| Recent { id: 1 }.lpages(0), [Ok(texts(&["1"])), Ok(texts(&[]))]);
    assert_eq!((all(given), sent.len()), (vec![1], 2));
}

#[test]
fn debug_shows_the_key() {
    assert_eq!(format!("{:?}", TAGS.sscan()), "Scan { key: Ok(\"user:tags:1:set\"), .. }");
}
