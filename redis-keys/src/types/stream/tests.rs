//! Commands and replies of the accessors of `stream` keys.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

mod groups;
mod waits;

use std::ops::Bound;
use std::time::{Duration, UNIX_EPOCH};

use redis::{RedisResult, Value};

use super::{Entry, EntryId, ParseEntryIdError};
use crate::testing::text;
use crate::tests::mock::{Mock, bulk, run, server_error};
use crate::{Command, Error, ErrorKind, Rule, SendStatus, StreamKey as _, lua};

#[derive(Debug, PartialEq, redis_keys_macros::RedisHash)]
#[redis_hash(crate = crate)]
struct Payment {
    order: u32,
    #[redis_hash(rename = "code")]
    coupon: Option<String>,
}

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(shop:$word:{id}:stream, value = Payment, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Payments paid (ttl = 1h, max_len = 3, max_member_bytes = 8B);
    Last last (ttl = 1h, keep_last = 10);
    AboutLast about (ttl = 1h, renew = write, keep_last = ~10);
    Books books (ttl = never, reason = "the books", rebuild = "from the books", keep_last = 10);
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
    Touched touched (ttl = 1h, renew = read);
    Fading fading (ttl = 1h, renew = below(10m));
}

const PAID: Payments = Payments { id: 1 };

fn paid(order: u32) -> Payment {
    Payment { order, coupon: None }
}

fn id(ms: u64, seq: u64) -> EntryId {
    EntryId::new(ms, seq)
}

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", script.file)]
}

fn word(text: &str) -> Value {
    Value::BulkString(text.into())
}

fn words(texts: &[&str]) -> Value {
    Value::Array(texts.iter().map(|text| word(text)).collect())
}

fn entry(id: &str, fields: &[&str]) -> Value {
    Value::Array(vec![word(id), words(fields)])
}

/// The IDs, and the records that decode.
fn decoded(entries: Vec<Entry<Payment>>) -> Vec<(EntryId, Option<Payment>)> {
    entries.into_iter().map(|entry| (entry.id, entry.value.ok())).collect()
}

type ReadResult = Result<Vec<Entry<Payment>>, Error>;

fn read(reply: Value) -> ReadResult {
    run(|| PAID.xrange(.., 10), [Ok(reply)]).0
}

#[test]
fn adding() {
    let coupon = Payment { order: 7, coupon: Some("ten".to_owned()) };
    let capped = |rest: &str| call(&lua::XADD_CAPPED, rest);
    let write = |rest: &str| call(&lua::WRITE, rest);
    assert_eq!(text(PAID.xadd(&paid(7))).unwrap(), capped("shop:paid:1:stream 3600000 3 * order 7"));
    assert_eq!(text(PAID.xadd(&coupon)).unwrap(), capped("shop:paid:1:stream 3600000 3 * order 7 code ten"));
    let last = write("shop:last:1:stream 3600000 XADD MAXLEN = 10 * order 7");
    assert_eq!(text(Last { id: 1 }.xadd(&paid(7))).unwrap(), last);
    let about = write("shop:about:1:stream -3600000 XADD MAXLEN ~ 10 * order 7");
    assert_eq!(text(AboutLast { id: 1 }.xadd(&paid(7))).unwrap(), about);
    assert_eq!(text(Books { id: 1 }.xadd(&paid(7))).unwrap(), ["XADD shop:books:1:stream MAXLEN = 10 * order 7"]);
    assert_eq!(text(Kept { id: 1 }.xadd(&paid(7))).unwrap(), capped("shop:kept:1:stream  5000 * order 7"));
}

#[test]
fn an_explicit_id() {
    let capped = call(&lua::XADD_CAPPED, "shop:paid:1:stream 3600000 3 5-6 order 7");
    assert_eq!(text(PAID.xadd(&paid(7)).id(id(5, 6))).unwrap(), capped);
    assert_eq!(text(PAID.xadd(&paid(7)).id(EntryId::MAX).id(id(5, 6))).unwrap(), capped);
    let last = call(&lua::WRITE, "shop:last:1:stream 3600000 XADD MAXLEN = 10 5-0 order 7");
    assert_eq!(text(Last { id: 1 }.xadd(&paid(7)).id(id(5, 0))).unwrap(), last);
    let books = text(Books { id: 1 }.xadd(&paid(7)).id(id(0, 1))).unwrap();
    assert_eq!(books, ["XADD shop:books:1:stream MAXLEN = 10 0-1 order 7"]);
    let error = text(PAID.xadd(&paid(7)).id(EntryId::MIN)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
    assert_eq!(
        error.to_string(),
        "command on `Payments` (shop:paid:1:stream) has an invalid argument: 0-0 is not a valid entry ID"
    );
    let low = "ERR The ID specified in XADD is equal or smaller than the target stream top item";
    let error = run(|| PAID.xadd(&paid(7)).id(id(5, 6)).into(), [server_error(low)]).0.unwrap_err();
    assert!(error.to_string().ends_with("the server replied ERR: the entry ID is not greater than all previous ones"));
}

#[test]
fn results_of_additions() {
    let add = |reply| run(|| PAID.xadd(&paid(7)).into(), [reply]).0;
    assert_eq!(add(bulk("5-6")).unwrap(), id(5, 6));
    assert_eq!(
        add(Ok(Value::Int(4))).unwrap_err().to_string(),
        "write to `Payments` (shop:paid:1:stream) exceeds `max_len`: 4 elements, at most 3; nothing was changed \
         [collection-size]"
    );
    for wrong in [bulk("5"), bulk("-"), Ok(Value::Nil), Ok(Value::Okay)] {
        assert_eq!(add(wrong).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn each_field_has_its_limit() {
    let long = Payment { order: 1, coupon: Some("123456789".to_owned()) };
    let error = text(PAID.xadd(&long).id(id(5, 6))).unwrap_err();
    assert_eq!(
        (error.kind(), error.rule(), error.sent()),
        (ErrorKind::ValueSize, Some(Rule::ValueSize), SendStatus::No)
    );
    assert_eq!(error.key(), Some("shop:paid:1:stream"));
    assert!(error.to_string().contains("exceeds `max_member_bytes`: 9 bytes, at most 8"), "{error}");
}

#[test]
fn ranges() {
    let range = |rest: &str| vec![format!("XRANGE shop:paid:1:stream {rest}")];
    let reversed = |rest: &str| vec![format!("XREVRANGE shop:paid:1:stream {rest}")];
    assert_eq!(text(PAID.xrange(.., 5)).unwrap(), range("- + COUNT 5"));
    assert_eq!(text(PAID.xrange(id(1, 0)..id(2, 0), 5)).unwrap(), range("1-0 1-18446744073709551615 COUNT 5"));
    assert_eq!(text(PAID.xrange(id(1, 0)..=id(1, 0), 500)).unwrap(), range("1-0 1-0 COUNT 500"));
    let after = (Bound::Excluded(id(1, u64::MAX)), Bound::Unbounded);
    assert_eq!(text(PAID.xrange(after, 5)).unwrap(), range("2-0 + COUNT 5"));
    assert_eq!(text(PAID.xrevrange(..id(2, 5), 5)).unwrap(), reversed("2-4 - COUNT 5"));
    assert_eq!(text(PAID.xrevrange(id(2, 5).., 5)).unwrap(), reversed("+ 2-5 COUNT 5"));
}

#[test]
fn nothing_to_do_is_not_sent() {
    let nothing = |command: fn() -> Command<Vec<Entry<Payment>>>| assert!(run(command, []).0.unwrap().is_empty());
    nothing(|| PAID.xrange(.., 0));
    nothing(|| PAID.xrevrange(.., 0));
    nothing(|| PAID.xread(EntryId::MIN, 0));
    nothing(|| Touched { id: 1 }.xread(EntryId::MIN, 0));
    nothing(|| PAID.xrange(..EntryId::MIN, 5));
    nothing(|| PAID.xrange((Bound::Excluded(EntryId::MAX), Bound::Unbounded), 5));
    nothing(|| PAID.xrange(id(2, 0)..id(2, 0), 5));
    nothing(|| PAID.xrevrange((Bound::Included(id(2, 0)), Bound::Included(id(1, 0))), 5));
    assert_eq!(run(|| PAID.xdel_many(Vec::<EntryId>::new()), []).0.unwrap(), 0);
}

#[test]
fn excess_is_not_sent() {
    let ids = || (0..501).map(|ms| id(ms, 1));
    for refused in [
        text(PAID.xrange(.., 501)),
        text(PAID.xrevrange(.., 501)),
        text(PAID.xread(EntryId::MIN, 501)),
        text(PAID.xdel_many(ids())),
        text(PAID.group("a").read("b", 501)),
        text(PAID.group("a").read_pending("b", EntryId::MIN, 501)),
        text(PAID.group("a").claim("b", Duration::ZERO, EntryId::MIN, 501)),
        text(PAID.group("a").pending(.., 501)),
        text(PAID.group("a").ack_many(ids())),
        text(PAID.group("a").ack_many(std::iter::repeat(id(1, 1)))),
        text(PAID.xdel_many(std::iter::repeat(id(1, 1)))),
    ] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
        assert_eq!(error.key(), Some("shop:paid:1:stream"));
    }
}

#[test]
fn other_commands() {
    let ids = [id(5, 6)];
    for (sent, expected) in [
        (text(PAID.xlen()), "XLEN shop:paid:1:stream"),
        (text(PAID.xread(id(5, 6), 9)), "XREAD COUNT 9 STREAMS shop:paid:1:stream 5-6"),
        (text(PAID.xdel(id(5, 6))), "XDEL shop:paid:1:stream 5-6"),
        (text(PAID.xdel_many([id(5, 6), id(7, 0)])), "XDEL shop:paid:1:stream 5-6 7-0"),
        (text(PAID.xdel_many(ids.iter())), "XDEL shop:paid:1:stream 5-6"),
        (text(PAID.xtrim(2)), "XTRIM shop:paid:1:stream MAXLEN = 2"),
        (text(PAID.xtrim_about(2)), "XTRIM shop:paid:1:stream MAXLEN ~ 2"),
        (text(PAID.xtrim_before(id(5, 6))), "XTRIM shop:paid:1:stream MINID = 5-6"),
    ] {
        assert_eq!(sent.unwrap(), [expected]);
    }
}

#[test]
fn reads_renew() {
    let read = |rest: &str| call(&lua::READ, &format!("shop:touched:1:stream 3600000 {rest}"));
    assert_eq!(text(Touched { id: 1 }.xrange(.., 5)).unwrap(), read("XRANGE - + COUNT 5"));
    assert_eq!(text(Touched { id: 1 }.xlen()).unwrap(), read("XLEN"));
    assert_eq!(
        text(Touched { id: 1 }.xread(id(5, 6), 9)).unwrap(),
        call(&lua::READ_STREAM, "shop:touched:1:stream 3600000 5-6 XREAD COUNT 9 STREAMS")
    );
    let fading = ["XREAD COUNT 9 STREAMS shop:fading:1:stream 5-6", "PTTL shop:fading:1:stream"];
    assert_eq!(text(Fading { id: 1 }.xread(id(5, 6), 9)).unwrap(), fading);
    let replies = || [Ok(Value::Nil), Ok(Value::Int(1)), Ok(Value::Int(1))];
    let (entries, sent) = run(|| Fading { id: 1 }.xread(id(5, 6), 9), replies());
    assert!(entries.unwrap().is_empty());
    assert_eq!(sent[2], "PEXPIRE shop:fading:1:stream 3600000");
}

#[test]
fn replies_of_both_protocols() {
    let entries = || Value::Array(vec![entry("5-6", &["order", "7"]), entry("8-0", &["code", "ten", "order", "8"])]);
    let expected =
        || vec![(id(5, 6), Some(paid(7))), (id(8, 0), Some(Payment { order: 8, coupon: Some("ten".to_owned()) }))];
    assert_eq!(decoded(read(entries()).unwrap()), expected());
    let resp2 = Value::Array(vec![Value::Array(vec![word("shop:paid:1:stream"), entries()])]);
    let resp3 = Value::Map(vec![(word("shop:paid:1:stream"), entries())]);
    for reply in [resp2, resp3] {
        assert_eq!(decoded(run(|| PAID.xread(EntryId::MIN, 5), [Ok(reply)]).0.unwrap()), expected());
    }
    for nothing in [Value::Nil, Value::Array(Vec::new()), Value::Map(Vec::new())] {
        assert!(run(|| PAID.xread(EntryId::MIN, 5), [Ok(nothing)]).0.unwrap().is_empty());
    }
}

#[test]
fn malformed_entries_are_unexpected() {
    for wrong in [
        Value::Int(1),
        Value::Array(vec![word("5-6")]),
        Value::Array(vec![words(&["5-6"])]),
        Value::Array(vec![entry("5", &["order", "7"])]),
        Value::Array(vec![entry("5-+6", &["order", "7"])]),
    ] {
        assert_eq!(read(wrong).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn an_entry_that_does_not_decode_does_not_affect_others() {
    let reply = Value::Array(vec![
        entry("1-0", &["order", "1"]),
        entry("2-0", &["order", "secret"]),
        entry("3-0", &["other", "1"]),
        entry("4-0", &["order"]),
        entry("5-0", &["order", "5", "other", "x"]),
    ]);
    let entries = read(reply).unwrap();
    let ids: Vec<_> = entries.iter().map(|entry| entry.id.ms()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    let errors: Vec<_> = entries.iter().filter_map(|entry| entry.value.as_ref().err()).collect();
    assert_eq!(
        errors[0].to_string(),
        "field `order` of entry 2-0 of `Payments` (shop:paid:1:stream) cannot be decoded as `u32`: not an integer in \
         the range of `u32` (6 bytes) [stored-form]"
    );
    assert_eq!(errors[0].kind(), ErrorKind::Decode);
    assert_eq!(
        errors[1].to_string(),
        "field `order` of entry 3-0 of `Payments` (shop:paid:1:stream) is missing [record]"
    );
    assert_eq!(errors[2].kind(), ErrorKind::UnexpectedReply);
    assert_eq!(entries.last().unwrap().value.as_ref().ok(), Some(&paid(5)));
    assert_eq!(errors.len(), 3);
}

#[test]
fn pages_continue_after_the_last_entry() {
    let page = |ids: &[&str]| -> RedisResult<Value> {
        Ok(Value::Array(ids.iter().map(|id| entry(id, &["order", "1"])).collect()))
    };
    let scan = |len, replies: Vec<RedisResult<Value>>| {
        let mut con = Mock::new(replies);
        let ids: Vec<_> = PAID.xpages(len).iter(&mut con).map(|entry| entry.unwrap().id).collect();
        (ids, con.sent)
    };
    let end = "18446744073709551615-18446744073709551615";
    let (ids, sent) = scan(2, vec![page(&["1-0", "1-18446744073709551615"]), page(&["3-0", end])]);
    assert_eq!(ids, [id(1, 0), id(1, u64::MAX), id(3, 0), EntryId::MAX]);
    let range = |from: &str| format!("XRANGE shop:paid:1:stream {from} + COUNT 2");
    assert_eq!(sent, [range("0-0"), range("2-0")]);
    let (ids, sent) = scan(2, vec![page(&["1-0", "1-1"]), page(&["1-2"])]);
    assert_eq!((ids.len(), sent), (3, vec![range("0-0"), range("1-2")]));
    let (ids, _) = scan(2, vec![page(&["1-0", "1-1"]), page(&[])]);
    assert_eq!(ids.len(), 2);
}

#[test]
fn pages_that_do_not_advance_are_an_error() {
    let page = || Ok(Value::Array(vec![entry("1-0", &["order", "1"])]));
    let mut con = Mock::new([page(), page()]);
    let given: Vec<_> = PAID.xpages(1).iter(&mut con).take(5).collect();
    assert_eq!((given.len(), con.sent.len()), (3, 2));
    assert_eq!(given[2].as_ref().unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn the_first_page_renews() {
    let mut con = Mock::new([Ok(Value::Array(vec![entry("1-0", &["order", "1"])])), Ok(Value::Array(Vec::new()))]);
    assert_eq!(Touched { id: 1 }.xpages(1).iter(&mut con).count(), 1);
    let first = call(&lua::READ, "shop:touched:1:stream 3600000 XRANGE 0-0 + COUNT 1");
    assert_eq!(con.sent, [first[0].clone(), "XRANGE shop:touched:1:stream 1-1 + COUNT 1".to_owned()]);
}

#[test]
fn debug_shows_no_value() {
    let secret = Payment { order: 1, coupon: Some("secret".to_owned()) };
    assert_eq!(format!("{:?}", PAID.xadd(&secret)), "XAdd { key: Ok(\"shop:paid:1:stream\"), .. }");
    let group = format!("{:?}", PAID.group("secret"));
    assert!(group.contains("shop:paid:1:stream") && !group.contains("secret"), "{group}");
    let command: Command<EntryId> = PAID.xadd(&secret).into();
    assert!(!format!("{command:?}").contains("secret"));
}

#[test]
fn ids_parse_as_they_are_displayed() {
    for (text, id) in [
        ("0-0", EntryId::MIN),
        ("1767225600000-3", EntryId::new(1_767_225_600_000, 3)),
        ("18446744073709551615-18446744073709551615", EntryId::MAX),
    ] {
        assert_eq!(text.parse(), Ok(id));
        assert_eq!(id.to_string(), text);
        assert_eq!(EntryId::from_bits(id.to_bits()), id);
        assert_eq!(EntryId::from(<(u64, u64)>::from(id)), id);
    }
    assert_eq!("007-01".parse(), Ok(EntryId::new(7, 1)));
    assert_eq!(format!("{:?}", EntryId::new(7, 1)), "EntryId(7-1)");
}

#[test]
fn invalid_ids_do_not_parse() {
    for text in [
        "",
        "-",
        "1",
        "1-",
        "-1",
        "1-2-3",
        "+1-2",
        "1-+2",
        "1--2",
        " 1-2",
        "1-2 ",
        "18446744073709551616-0",
        "$",
        "é-1",
    ] {
        let error: ParseEntryIdError = text.parse::<EntryId>().unwrap_err();
        assert_eq!(error.to_string(), "expected an entry ID of two integers, such as `1767225600000-3`");
    }
}

#[test]
fn ids_are_ordered_by_milliseconds_first() {
    let ids = [EntryId::MIN, EntryId::new(0, 1), EntryId::new(0, u64::MAX), EntryId::new(1, 0), EntryId::MAX];
    assert!(ids.is_sorted());
    assert_eq!(ids[2].next(), Some(ids[3]));
    assert_eq!(ids[3].previous(), Some(ids[2]));
    assert_eq!((EntryId::MIN.previous(), EntryId::MAX.next()), (None, None));
}

#[test]
fn ids_of_moments() {
    let moment = UNIX_EPOCH + Duration::from_millis(1_500);
    assert_eq!(EntryId::at(moment), EntryId::new(1_500, 0));
    assert_eq!(EntryId::at(moment).time(), Some(moment));
    assert_eq!(EntryId::at(UNIX_EPOCH - Duration::from_secs(1)), EntryId::MIN);
}
