//! Consumer groups.

use std::time::Duration;

use redis::Value;

use super::super::{Consumer, EntryId, GroupStart, Pending, PendingSummary, RedeliveredEntries};
use super::{Fading, Kept, PAID, Payment, Touched, call, decoded, entry, id, paid, word, words};
use crate::testing::text;
use crate::tests::mock::{bulk, run, server_error};
use crate::{Command, ErrorKind, SendStatus, StreamKey as _, lua};

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn creating_and_removing() {
    let billing = PAID.group("billing");
    let create = |rest: &str| call(&lua::XGROUP, &format!("shop:paid:1:stream 3600000 {rest}"));
    assert_eq!(text(billing.create(GroupStart::Start)).unwrap(), create("billing 0"));
    assert_eq!(text(billing.create(GroupStart::End)).unwrap(), create("billing $"));
    assert_eq!(text(billing.create(GroupStart::After(id(5, 6)))).unwrap(), create("billing 5-6"));
    let kept = Kept { id: 1 };
    let kept = text(kept.group("mail.sender").create(GroupStart::Start)).unwrap();
    assert_eq!(kept, call(&lua::XGROUP, "shop:kept:1:stream  mail.sender 0"));
    let set_id = text(billing.set_id(GroupStart::After(id(5, 6)))).unwrap();
    assert_eq!(set_id, ["XGROUP SETID shop:paid:1:stream billing 5-6"]);
    let drop = |rest: &str| call(&lua::XGROUP_DROP, &format!("shop:paid:1:stream {rest}"));
    assert_eq!(text(billing.destroy()).unwrap(), drop("DESTROY billing"));
    assert_eq!(text(billing.delete_consumer("a-1")).unwrap(), drop("DELCONSUMER billing a-1"));
}

#[test]
fn delivering() {
    let billing = PAID.group("billing");
    let read = |last: &str| vec![format!("XREADGROUP GROUP billing a-1 COUNT 9 STREAMS shop:paid:1:stream {last}")];
    assert_eq!(text(billing.read("a-1", 9)).unwrap(), read(">"));
    assert_eq!(text(billing.read_pending("a-1", EntryId::MIN, 9)).unwrap(), read("0-0"));
    // It starts at this ID, but Redis starts after one.
    assert_eq!(text(billing.read_pending("a-1", id(5, 6), 9)).unwrap(), read("5-5"));
    assert_eq!(
        text(billing.claim("a-1", MINUTE, id(5, 6), 9)).unwrap(),
        ["XAUTOCLAIM shop:paid:1:stream billing a-1 60000 5-6 COUNT 9"]
    );
    let longest = text(billing.claim("a-1", Duration::MAX, EntryId::MIN, 9)).unwrap();
    assert_eq!(longest, ["XAUTOCLAIM shop:paid:1:stream billing a-1 9223372036854775807 0-0 COUNT 9"]);
    assert_eq!(text(billing.ack(id(5, 6))).unwrap(), ["XACK shop:paid:1:stream billing 5-6"]);
    let acks = text(billing.ack_many([id(5, 6), id(7, 0)])).unwrap();
    assert_eq!(acks, ["XACK shop:paid:1:stream billing 5-6 7-0"]);
}

#[test]
fn inspecting() {
    let billing = PAID.group("billing");
    assert_eq!(text(billing.pending(.., 9)).unwrap(), ["XPENDING shop:paid:1:stream billing - + 9"]);
    let range = text(billing.pending(id(5, 6)..=id(7, 0), 9)).unwrap();
    assert_eq!(range, ["XPENDING shop:paid:1:stream billing 5-6 7-0 9"]);
    assert_eq!(text(billing.pending_summary()).unwrap(), ["XPENDING shop:paid:1:stream billing"]);
    assert_eq!(text(billing.consumers()).unwrap(), ["XINFO CONSUMERS shop:paid:1:stream billing"]);
}

#[test]
fn reads_renew() {
    let (touched, fading) = (Touched { id: 1 }, Fading { id: 1 });
    assert_eq!(
        text(touched.group("billing").read("a-1", 9)).unwrap(),
        call(&lua::READ_STREAM, "shop:touched:1:stream 3600000 > XREADGROUP GROUP billing a-1 COUNT 9 STREAMS")
    );
    assert_eq!(
        text(touched.group("billing").claim("a-1", MINUTE, EntryId::MIN, 9)).unwrap(),
        call(&lua::READ, "shop:touched:1:stream 3600000 XAUTOCLAIM billing a-1 60000 0-0 COUNT 9")
    );
    assert_eq!(text(touched.group("billing").pending_summary()).unwrap(), ["XPENDING shop:touched:1:stream billing"]);
    assert_eq!(
        text(fading.group("billing").read_pending("a-1", EntryId::MIN, 9)).unwrap(),
        ["XREADGROUP GROUP billing a-1 COUNT 9 STREAMS shop:fading:1:stream 0-0", "PTTL shop:fading:1:stream"]
    );
}

#[test]
fn nothing_to_do_is_not_sent() {
    assert!(run(|| PAID.group("billing").read("a-1", 0), []).0.unwrap().is_empty());
    let commands: [fn() -> Command<RedeliveredEntries<Payment>>; 2] = [
        || PAID.group("billing").read_pending("a-1", EntryId::MIN, 0),
        || PAID.group("billing").claim("a-1", MINUTE, EntryId::MIN, 0),
    ];
    for command in commands {
        let redelivered = run(command, []).0.unwrap();
        assert_eq!((redelivered.ids().count(), redelivered.next), (0, None));
    }
    assert_eq!(run(|| PAID.group("billing").ack_many(Vec::<EntryId>::new()), []).0.unwrap(), 0);
    assert!(run(|| PAID.group("billing").pending(.., 0), []).0.unwrap().is_empty());
    assert!(run(|| PAID.group("billing").pending(..EntryId::MIN, 5), []).0.unwrap().is_empty());
}

#[test]
fn names_are_checked() {
    let long = "a".repeat(129);
    let refused = |result: Result<Vec<String>, crate::Error>, message: &str| {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
        let message = format!("command on `Payments` (shop:paid:1:stream) has an invalid argument: {message}");
        assert_eq!(error.to_string(), message);
    };
    for name in ["", "Secret", "a b", "a:b", "a..b", ".a", "a.", "a-b", "é", &long] {
        let group = PAID.group(name);
        let message = "a group name consists of lower-case words separated by dots, of at most 128 bytes";
        refused(text(group.create(GroupStart::Start)), message);
        refused(text(group.set_id(GroupStart::Start)), message);
        refused(text(group.destroy()), message);
        refused(text(group.delete_consumer("a")), message);
        refused(text(group.read("a", 1)), message);
        refused(text(group.read_pending("a", EntryId::MIN, 1)), message);
        refused(text(group.claim("a", MINUTE, EntryId::MIN, 1)), message);
        refused(text(group.ack(id(5, 6))), message);
        refused(text(group.pending(.., 1)), message);
        refused(text(group.pending_summary()), message);
        refused(text(group.consumers()), message);
    }
    for name in ["", "a secret", "é", "a\n", &long] {
        let group = PAID.group("billing");
        let message = "a consumer name consists of 1 to 128 visible ASCII characters";
        refused(text(group.read(name, 1)), message);
        refused(text(group.read_pending(name, EntryId::MIN, 1)), message);
        refused(text(group.claim(name, MINUTE, EntryId::MIN, 1)), message);
        refused(text(group.delete_consumer(name)), message);
    }
    // redis-rs expects the key after this word.
    let message = "`streams` is a keyword of the command";
    refused(text(PAID.group("streams").read("a", 1)), message);
    refused(text(PAID.group("billing").read("Streams", 1)), message);
    assert!(text(PAID.group("mail.2").read("Host_1.example:80/x", 1)).is_ok());
}

#[test]
fn replies_to_reads() {
    let entries = || Value::Array(vec![entry("5-6", &["order", "7"]), entry("8-0", &["order", "x"])]);
    let resp2 = Value::Array(vec![Value::Array(vec![word("shop:paid:1:stream"), entries()])]);
    let resp3 = Value::Map(vec![(word("shop:paid:1:stream"), entries())]);
    for reply in [resp2, resp3] {
        let entries = run(|| PAID.group("billing").read("a", 5), [Ok(reply)]).0.unwrap();
        assert_eq!(decoded(entries), [(id(5, 6), Some(paid(7))), (id(8, 0), None)]);
    }
    assert!(run(|| PAID.group("billing").read("a", 5), [Ok(Value::Nil)]).0.unwrap().is_empty());
}

#[test]
fn deleted_entries_are_separate() {
    let deleted = |id: &str| Value::Array(vec![word(id), Value::Nil]);
    let reply = |entries| Value::Map(vec![(word("shop:paid:1:stream"), Value::Array(entries))]);
    let read =
        |entries| run(|| PAID.group("billing").read_pending("a", EntryId::MIN, 3), [Ok(reply(entries))]).0.unwrap();
    let redelivered = read(vec![deleted("1-0"), entry("5-6", &["order", "7"])]);
    assert_eq!(redelivered.ids().collect::<Vec<_>>(), [id(5, 6), id(1, 0)]);
    assert_eq!((redelivered.deleted, redelivered.next), (vec![id(1, 0)], Some(id(5, 7))));
    assert_eq!(read(vec![entry("5-6", &["order", "7"]), deleted("9-0")]).next, Some(id(9, 1)));
    let redelivered = read(Vec::new());
    assert_eq!((redelivered.ids().count(), redelivered.next), (0, None));
}

#[test]
fn replies_to_claims() {
    let claim = |reply| run(|| PAID.group("billing").claim("a", MINUTE, EntryId::MIN, 3), [Ok(Value::Array(reply))]).0;
    let entries = || Value::Array(vec![entry("5-6", &["order", "7"])]);
    let redelivered = claim(vec![word("9-0"), entries(), words(&["1-0", "2-0"])]).unwrap();
    assert_eq!((redelivered.deleted, redelivered.next), (vec![id(1, 0), id(2, 0)], Some(id(9, 0))));
    assert_eq!(decoded(redelivered.entries), [(id(5, 6), Some(paid(7)))]);
    // Redis 6.2.
    let redelivered = claim(vec![word("0-0"), Value::Array(vec![Value::Nil, entry("5-6", &["order", "7"])])]).unwrap();
    assert_eq!((redelivered.entries.len(), redelivered.deleted.len(), redelivered.next), (1, 0, None));
    for wrong in [vec![], vec![word("0-0")], vec![word("0"), entries()], vec![word("0-0"), entries(), Value::Int(1)]] {
        assert_eq!(claim(wrong).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn replies_about_pending_entries() {
    let entry = Value::Array(vec![word("5-6"), word("a-1"), Value::Int(1500), Value::Int(2)]);
    let pending = run(|| PAID.group("billing").pending(.., 9), [Ok(Value::Array(vec![entry]))]).0.unwrap();
    let expected =
        Pending { id: id(5, 6), consumer: "a-1".to_owned(), idle: Duration::from_millis(1500), deliveries: 2 };
    assert_eq!(pending, [expected]);
    let summary = |reply| run(|| PAID.group("billing").pending_summary(), [Ok(Value::Array(reply))]).0;
    let consumers = Value::Array(vec![words(&["a-1", "2"]), words(&["b", "1"])]);
    assert_eq!(
        summary(vec![Value::Int(3), word("5-6"), word("8-0"), consumers]).unwrap(),
        PendingSummary {
            count: 3,
            ids: Some((id(5, 6), id(8, 0))),
            consumers: vec![("a-1".to_owned(), 2), ("b".to_owned(), 1)]
        }
    );
    let nothing = summary(vec![Value::Int(0), Value::Nil, Value::Nil, Value::Nil]).unwrap();
    assert_eq!(nothing, PendingSummary::default());
    assert_eq!(summary(vec![Value::Int(0)]).unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn replies_about_consumers() {
    let flat = Value::Array(vec![
        word("name"),
        word("a-1"),
        word("pending"),
        Value::Int(2),
        word("idle"),
        Value::Int(1500),
        word("inactive"),
        Value::Int(-1),
    ]);
    let map = Value::Map(vec![
        (word("idle"), Value::Int(1500)),
        (word("name"), word("a-1")),
        (word("pending"), Value::Int(2)),
    ]);
    for reply in [flat, map] {
        let consumers = run(|| PAID.group("billing").consumers(), [Ok(Value::Array(vec![reply]))]).0.unwrap();
        assert_eq!(consumers, [Consumer { name: "a-1".to_owned(), pending: 2, idle: Duration::from_millis(1500) }]);
    }
    let partial = Value::Array(vec![Value::Map(vec![(word("name"), word("a-1"))])]);
    let error = run(|| PAID.group("billing").consumers(), [Ok(partial)]).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn errors_of_missing_groups_and_keys() {
    let message = |reply: &str| {
        let error = run(|| PAID.group("billing").read("a", 5), [server_error(reply)]).0.unwrap_err();
        assert_eq!((error.kind(), error.key()), (ErrorKind::Server, Some("shop:paid:1:stream")));
        error.to_string()
    };
    assert_eq!(
        message("NOGROUP No such key 'secret' or consumer group 'secret' in XREADGROUP with GROUP option"),
        "command on `Payments` (shop:paid:1:stream) failed: the server replied NOGROUP: the consumer group does not \
         exist: create it with `group(…).create(…)`"
    );
    for reply in ["ERR no such key", "ERR The XGROUP subcommand requires the key to exist. Note that"] {
        assert!(message(reply).ends_with("the server replied ERR: the key does not exist"));
    }
}

#[test]
fn results_of_writes() {
    assert!(run(|| PAID.group("a").create(GroupStart::Start), [Ok(Value::Int(1))]).0.unwrap());
    assert!(!run(|| PAID.group("a").create(GroupStart::Start), [Ok(Value::Int(0))]).0.unwrap());
    assert!(run(|| PAID.group("a").destroy(), [Ok(Value::Int(1))]).0.unwrap());
    assert_eq!(run(|| PAID.group("a").delete_consumer("b"), [Ok(Value::Int(3))]).0.unwrap(), 3);
    run(|| PAID.group("a").set_id(GroupStart::End), [Ok(Value::Okay)]).0.unwrap();
    assert_eq!(
        run(|| PAID.group("a").set_id(GroupStart::End), [bulk("x")]).0.unwrap_err().kind(),
        ErrorKind::UnexpectedReply
    );
    assert!(run(|| PAID.group("a").ack(id(1, 0)), [Ok(Value::Int(1))]).0.unwrap());
}
