//! Blocking reads.

use std::time::Duration;

use redis::Value;

use super::super::EntryId;
use super::{Fading, PAID, Payment, Touched, call, decoded, entry, id, paid, word};
use crate::command::blocking::Blocking;
use crate::tests::mock::{Mock, awaits, bulk, sends, server_error, takes};
use crate::types::stream::Entry;
use crate::{Error, ErrorKind, SendStatus, StreamKey as _, lua};

const HALF_A_MINUTE: Duration = Duration::from_secs(30);

fn block(key: &impl crate::StreamKey<Value = Payment>) -> Blocking<Vec<Entry<Payment>>> {
    key.xread_block(id(5, 6), 9, HALF_A_MINUTE)
}

#[test]
fn the_wait_is_in_milliseconds() {
    assert_eq!(sends(block(&PAID)), [["XREAD COUNT 9 BLOCK 30000 STREAMS shop:paid:1:stream 5-6"]]);
    let read = |wait| sends(PAID.group("billing").read_block("a-1", 9, wait));
    let sent = |ms| [[format!("XREADGROUP GROUP billing a-1 COUNT 9 BLOCK {ms} STREAMS shop:paid:1:stream >")]];
    assert_eq!(read(HALF_A_MINUTE), sent(30_000));
    assert_eq!(read(Duration::from_micros(10_001)), sent(11));
    assert_eq!(read(Duration::from_secs(3600)), sent(3_600_000));
    // 0 would wait forever.
    assert_eq!(read(Duration::from_nanos(1)), sent(2));
}

#[test]
fn waits_renew() {
    let (touched, fading) = (Touched { id: 1 }, Fading { id: 1 });
    let pttl = |key: &str| format!("PTTL shop:{key}:1:stream");
    let xread = |block: &str, key: &str| format!("XREAD COUNT 9 {block}STREAMS shop:{key}:1:stream 5-6");
    assert_eq!(
        sends(block(&touched)),
        [
            call(&lua::READ_STREAM, "shop:touched:1:stream 3600000 5-6 XREAD COUNT 9 STREAMS"),
            vec![xread("BLOCK 30000 ", "touched"), pttl("touched")],
        ]
    );
    assert_eq!(
        sends(block(&fading)),
        [vec![xread("", "fading"), pttl("fading")], vec![xread("BLOCK 30000 ", "fading"), pttl("fading")],]
    );
    assert_eq!(
        sends(touched.group("billing").read_block("a-1", 9, HALF_A_MINUTE)),
        [
            call(&lua::READ_STREAM, "shop:touched:1:stream 3600000 > XREADGROUP GROUP billing a-1 COUNT 9 STREAMS"),
            vec![
                "XREADGROUP GROUP billing a-1 COUNT 9 BLOCK 30000 STREAMS shop:touched:1:stream >".to_owned(),
                pttl("touched"),
            ],
        ]
    );
}

/// Returns the commands after a wait if the key has this time left.
fn after_the_wait(key: &impl crate::StreamKey<Value = Payment>, left: i64) -> Vec<String> {
    let mut con = Mock::new([Ok(reply()), Ok(Value::Int(left)), Ok(Value::Int(1))]);
    let entries = awaits(block(key)).expect("it waits").query(&mut con).unwrap();
    assert_eq!(entries.map(decoded), Some(vec![(id(5, 7), Some(paid(7)))]));
    con.sent.split_off(2)
}

#[test]
fn received_entries_renew() {
    let renewed = |key: &str| vec![format!("PEXPIRE shop:{key}:1:stream 3600000")];
    let (touched, fading) = (Touched { id: 1 }, Fading { id: 1 });
    assert_eq!(after_the_wait(&touched, 3_599_999), renewed("touched"));
    assert_eq!(after_the_wait(&touched, -1), renewed("touched"));
    assert_eq!(after_the_wait(&touched, -2), Vec::<String>::new());
    assert_eq!(after_the_wait(&fading, 599_999), renewed("fading"));
    assert_eq!(after_the_wait(&fading, 600_000), Vec::<String>::new());
    assert!(awaits(block(&PAID)).is_none());
}

fn reply() -> Value {
    let entries = Value::Array(vec![entry("5-7", &["order", "7"])]);
    Value::Array(vec![Value::Array(vec![word("shop:paid:1:stream"), entries])])
}

#[test]
fn replies_to_blocking_reads() {
    let read = |reply| takes(block(&PAID)).query(&mut Mock::new([reply]));
    let entries = || Value::Array(vec![entry("5-7", &["order", "7"]), entry("8-0", &["order", "x"])]);
    let resp2 = Value::Array(vec![Value::Array(vec![word("shop:paid:1:stream"), entries()])]);
    let resp3 = Value::Map(vec![(word("shop:paid:1:stream"), entries())]);
    for reply in [resp2, resp3] {
        let entries = read(Ok(reply)).unwrap().expect("there are entries");
        assert_eq!(decoded(entries), [(id(5, 7), Some(paid(7))), (id(8, 0), None)]);
    }
    assert!(read(Ok(Value::Nil)).unwrap().is_none());
    assert_eq!(read(bulk("x")).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    let error = read(server_error("NOGROUP No such key 'secret'")).unwrap_err();
    assert!(error.to_string().ends_with("the consumer group does not exist: create it with `group(…).create(…)`"));
    let error = read(server_error("UNBLOCKED the stream key no longer exists")).unwrap_err();
    assert!(error.to_string().ends_with("the server replied UNBLOCKED: the key was deleted during the wait"));
}

#[test]
fn invalid_arguments_are_refused() {
    fn refused<T>(blocking: Blocking<T>) -> Error {
        let error = blocking.packed().unwrap_err();
        assert_eq!(error.sent(), SendStatus::No);
        error
    }
    let billing = PAID.group("billing");
    for wait in [Duration::ZERO, Duration::from_secs(3601)] {
        for error in [refused(PAID.xread_block(EntryId::MIN, 1, wait)), refused(billing.read_block("a", 1, wait))] {
            let message = "command on `Payments` (shop:paid:1:stream) has an invalid argument: the wait must be longer \
                        than zero and at most one hour";
            assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Argument, message));
        }
    }
    for (count, kind) in [(0, ErrorKind::Argument), (501, ErrorKind::TooMany)] {
        assert_eq!(refused(PAID.xread_block(EntryId::MIN, count, HALF_A_MINUTE)).kind(), kind);
        assert_eq!(refused(billing.read_block("a", count, HALF_A_MINUTE)).kind(), kind);
    }
    assert_eq!(refused(billing.read_block("a b", 1, HALF_A_MINUTE)).kind(), ErrorKind::Argument);
    assert_eq!(refused(PAID.group("Billing").read_block("a", 1, HALF_A_MINUTE)).kind(), ErrorKind::Argument);
    let error = refused(billing.read_block("a", 0, HALF_A_MINUTE));
    assert!(error.to_string().contains("a blocking read needs a count of at least 1"), "{error}");
}
