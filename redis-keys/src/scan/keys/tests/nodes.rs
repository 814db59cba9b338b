//! The nodes of a cluster that are scanned, and scanned again.

use redis::{Cmd, ErrorKind as RedisErrorKind, RedisResult, Value};

use crate::run::slot_range::Address;
use crate::scan::keys::route::{ConnectionKind, Route};
use crate::scan::keys::state::KeyScanState;
use crate::scan::keys::topology::SlotOwnership;
use crate::tests::keys::Views;
use crate::tests::mock::{bulk, server_error};
use crate::{Error, ErrorKind, RedisKey as _, SendStatus};

fn line(cmd: &Cmd, route: &Route) -> String {
    let words = cmd.args_iter().map(|word| match word {
        redis::Arg::Simple(word) => String::from_utf8_lossy(word).into_owned(),
        _ => String::new(),
    });
    let words = words.collect::<Vec<_>>().join(" ");
    let (words, _) = words.split_once(" MATCH").unwrap_or((&words, ""));
    match route {
        Route::Any => format!("any: {words}"),
        Route::AllPrimaries => format!("all: {words}"),
        Route::Node(Address { host, port }) => format!("{host}:{port}: {words}"),
    }
}

/// Runs a scan, which has to send these commands and gets these replies. `SCAN` is one with any cursor.
#[track_caller]
fn scan(script: impl IntoIterator<Item = (&'static str, RedisResult<Value>)>) -> Result<Vec<u32>, Error> {
    let mut state = KeyScanState::new(Views::scan(), ConnectionKind::Cluster);
    let mut found = Vec::new();
    let mut script = script.into_iter();
    while let Some((cmd, route)) = state.command() {
        let line = line(&cmd, &route);
        let (sent, reply) = script.next().unwrap_or_else(|| panic!("unexpected command {line}"));
        assert!(line == sent || sent.ends_with("SCAN") && line.starts_with(sent), "{line}, not {sent}");
        state.resume(state.call(), &cmd, reply);
        while let Some(key) = state.key() {
            found.push(key?.page);
        }
    }
    assert!(script.next().is_none(), "more commands were expected");
    Ok(found)
}

fn array(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect())
}

fn text(text: &str) -> Value {
    Value::BulkString(text.as_bytes().to_vec())
}

/// The reply to CLUSTER SLOTS: ranges and the ports of their primaries.
#[allow(clippy::unnecessary_wraps, reason = "it is a reply among others")]
fn slots(ranges: &[(i64, i64, i64)]) -> RedisResult<Value> {
    let node = |port| array([text("a"), Value::Int(port), text("id")]);
    let range = |(first, last, port): &_| array([Value::Int(*first), Value::Int(*last), node(*port), node(99)]);
    Ok(array(ranges.iter().map(range)))
}

/// The reply to CLUSTER NODES of a node with these slots, whose id is its epoch.
fn nodes(epoch: u8, slots: &str) -> RedisResult<Value> {
    bulk(&format!(
        "x 127.0.0.1:1@2 slave,myself-not - 0 0 3 connected 0-9\n\
         {epoch} 127.0.0.1:1@2,host myself,master - 0 17 {epoch} connected{slots}\n"
    ))
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply among others")]
fn page(cursor: u64, keys: &[u32]) -> RedisResult<Value> {
    let keys = keys.iter().map(|key| text(&format!("page:views:{key}:string")));
    Ok(array([text(&cursor.to_string()), array(keys)]))
}

fn gone() -> RedisResult<Value> {
    Err((RedisErrorKind::Io, "gone").into())
}

/// Two nodes with half of the slots each.
fn first() -> Vec<(&'static str, RedisResult<Value>)> {
    vec![
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
        ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("a:1: SCAN 0", page(0, &[1])),
        ("a:2: SCAN 0", page(7, &[2])),
        ("a:2: SCAN 7", page(0, &[3])),
    ]
}

#[test]
fn all_primaries_are_scanned_and_surveyed_again() {
    let same = [
        // The same in other ranges.
        ("any: CLUSTER SLOTS", slots(&[(5, 9, 2), (0, 2, 1), (3, 4, 1)])),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
    ];
    assert_eq!(scan(first().into_iter().chain(same)).unwrap(), [1, 2, 3]);
}

#[test]
fn each_node_with_many_pages_is_asked_for_its_size() {
    let long = |scans: [&'static str; 2], size| {
        let [first, next] = scans;
        let pages = (1..=1000).map(move |cursor| (if cursor == 1 { first } else { next }, page(7000 + cursor, &[])));
        pages.chain([size]).chain([(next, page(0, &[]))])
    };
    let script = first().into_iter().take(3);
    let script = script.chain(long(["a:1: SCAN 0", "a:1: SCAN"], ("a:1: DBSIZE", Ok(Value::Int(7)))));
    // It may not be allowed.
    let script = script.chain(long(["a:2: SCAN 0", "a:2: SCAN"], ("a:2: DBSIZE", server_error("NOPERM x"))));
    let same = [
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
        ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
    ];
    assert_eq!(scan(script.chain(same)).unwrap(), [] as [u32; 0]);
}

#[test]
fn nodes_with_other_slots_are_scanned_again() {
    let moved = [
        ("any: CLUSTER SLOTS", slots(&[(0, 5, 1), (6, 8, 2), (9, 9, 3)])),
        ("a:3: CLUSTER NODES", nodes(4, " 9")),
        ("a:2: CLUSTER NODES", nodes(2, " 6-8")),
        ("a:1: CLUSTER NODES", nodes(3, " 0-5")),
        ("a:1: SCAN 0", page(0, &[1, 4])),
        ("a:2: SCAN 0", page(0, &[2])),
        ("a:3: SCAN 0", page(0, &[5])),
        // The last slot has moved on in between.
        ("any: CLUSTER SLOTS", slots(&[(0, 5, 1), (6, 8, 2), (9, 9, 4)])),
        ("a:4: CLUSTER NODES", nodes(5, " 9")),
        ("a:2: CLUSTER NODES", nodes(2, " 6-8")),
        ("a:1: CLUSTER NODES", nodes(3, " 0-5")),
        ("a:4: SCAN 0", page(0, &[5])),
        ("any: CLUSTER SLOTS", slots(&[(0, 5, 1), (6, 8, 2), (9, 9, 4)])),
        ("a:4: CLUSTER NODES", nodes(5, " 9")),
        ("a:2: CLUSTER NODES", nodes(2, " 6-8")),
        ("a:1: CLUSTER NODES", nodes(3, " 0-5")),
    ];
    assert_eq!(scan(first().into_iter().chain(moved)).unwrap(), [1, 2, 3, 1, 4, 2, 5, 5]);
}

#[test]
fn a_slot_that_was_away_and_is_back_has_another_epoch() {
    let slots = || ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)]));
    let back = [
        slots(),
        ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
        ("a:1: CLUSTER NODES", nodes(3, " 0-4")),
        ("a:1: SCAN 0", page(0, &[])),
        slots(),
        ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
        ("a:1: CLUSTER NODES", nodes(3, " 0-4")),
    ];
    assert_eq!(scan(first().into_iter().chain(back)).unwrap(), [1, 2, 3]);
}

/// The receiver is scanned again after the sender, and the sender too, since keys can return. Then neither is scanned
/// again, however long the migration takes.
#[test]
fn a_slot_that_is_migrating_from_the_start() {
    let slots = || ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)]));
    let claims = || {
        [
            slots(),
            ("a:2: CLUSTER NODES", nodes(2, " 5-9 [5->-1]")),
            ("a:1: CLUSTER NODES", nodes(1, " 0-4 [5-<-2] [6-<-2]")),
        ]
    };
    let pages = [("a:1: SCAN 0", page(0, &[1])), ("a:2: SCAN 0", page(0, &[2]))];
    let again = [("a:1: SCAN 0", page(0, &[5])), ("a:2: SCAN 0", page(0, &[2]))];
    let script = claims().into_iter().chain(pages).chain(claims()).chain(again).chain(claims());
    assert_eq!(scan(script).unwrap(), [1, 2, 5, 2]);
}

/// The keys of an aborted migration return to a node that has been scanned, and no mark is left.
#[test]
fn an_aborted_migration() {
    let slots = || ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)]));
    let claims = |open| {
        let (to, from) = (nodes(2, &format!(" 5-9{open}")), nodes(1, " 0-4"));
        [slots(), ("a:2: CLUSTER NODES", to), ("a:1: CLUSTER NODES", from)]
    };
    let pages = [("a:1: SCAN 0", page(0, &[])), ("a:2: SCAN 0", page(0, &[5]))];
    let again = [("a:1: SCAN 0", page(0, &[1])), ("a:2: SCAN 0", page(0, &[5]))];
    let script = claims(" [1-<-1]").into_iter().chain(pages).chain(claims("")).chain(again).chain(claims(""));
    assert_eq!(scan(script).unwrap(), [5, 1, 5]);
}

/// A node without slots is not reported, but has some of the keys.
#[test]
fn a_slot_that_is_migrating_to_a_node_without_slots() {
    let half = || {
        [
            ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
            ("a:2: CLUSTER NODES", nodes(2, " 5-9 [9->-3]")),
            ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ]
    };
    let moved = || {
        [
            ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 8, 2), (9, 9, 3)])),
            ("a:3: CLUSTER NODES", nodes(3, " 9")),
            ("a:2: CLUSTER NODES", nodes(2, " 5-8")),
            ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ]
    };
    let start = || first().into_iter().chain(half()).chain([("a:2: SCAN 0", page(0, &[2]))]);
    let again = [("a:2: SCAN 0", page(0, &[2])), ("a:3: SCAN 0", page(0, &[9]))];
    let script = start().chain(half()).chain(moved()).chain(again).chain(moved());
    assert_eq!(scan(script).unwrap(), [1, 2, 3, 2, 2, 9]);
    // The migration never ends.
    let never = (0..98).flat_map(|_| half());
    let error = scan(start().chain(never).chain(half().into_iter().take(1))).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Contended, SendStatus::Yes));
}

#[test]
fn the_survey_repeats_until_all_slots_have_owners() {
    let later = [
        // Its node has lost it, and the others do not know yet.
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
        ("a:2: CLUSTER NODES", nodes(2, " 5-8")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("a:2: SCAN 0", page(0, &[])),
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
        ("a:2: CLUSTER NODES", nodes(2, " 5-8")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 8, 2), (9, 9, 3)])),
        ("a:3: CLUSTER NODES", nodes(3, " 9")),
        ("a:2: CLUSTER NODES", nodes(2, " 5-8")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("a:3: SCAN 0", page(0, &[9])),
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 8, 2), (9, 9, 3)])),
        ("a:3: CLUSTER NODES", nodes(3, " 9")),
        ("a:2: CLUSTER NODES", nodes(2, " 5-8")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
    ];
    assert_eq!(scan(first().into_iter().chain(later)).unwrap(), [1, 2, 3, 9]);
    // But not endlessly.
    let never = (0..99).flat_map(|_| {
        [
            ("any: CLUSTER SLOTS", slots(&[(0, 5, 1), (6, 9, 2)])),
            ("a:2: CLUSTER NODES", nodes(2, " 5-8")),
            ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ]
    });
    let mut first = first();
    first[1].1 = nodes(2, " 5-8");
    let last = [("any: CLUSTER SLOTS", slots(&[(0, 5, 1), (6, 9, 2)]))];
    let error = scan(first.into_iter().chain(never).chain(last)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Contended, SendStatus::Yes));
    assert_eq!(
        error.to_string(),
        "scan of `Views` (page:views:{page}:string) may be incomplete: slots kept moving between nodes, or the \
         connection does not reach every node; scan again when the topology is stable"
    );
}

#[test]
fn the_replacement_of_a_lost_node_is_scanned() {
    let before = || first().into_iter().take(5);
    let replaced = [
        ("a:2: SCAN 7", gone()),
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 3)])),
        ("a:3: CLUSTER NODES", nodes(4, " 5-9")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("a:3: SCAN 0", page(0, &[2, 3])),
        ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 3)])),
        ("a:3: CLUSTER NODES", nodes(4, " 5-9")),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
    ];
    assert_eq!(scan(before().chain(replaced)).unwrap(), [1, 2, 2, 3]);
    // A node that still exists is scanned again from the start, but not a third time.
    let again = || {
        [
            ("a:2: SCAN 7", gone()),
            ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
            ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
            ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ]
    };
    let end = [("a:2: SCAN 0", page(0, &[2, 3]))].into_iter().chain(again().into_iter().skip(1));
    assert_eq!(scan(before().chain(again()).chain(end)).unwrap(), [1, 2, 2, 3]);
    let error = scan(before().chain(again()).chain([("a:2: SCAN 0", gone())])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
    // Nor is a node that does not reply.
    let error = scan(before().chain(again().into_iter().take(2)).chain([("a:2: CLUSTER NODES", gone())])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
}

#[test]
fn without_addresses_those_of_the_connection_are_scanned() {
    for nowhere in [Value::Nil, text(""), text("?"), text("0.0.0.0"), text("::")] {
        let slots = || {
            let node = |port| array([nowhere.clone(), Value::Int(port), text("id")]);
            let known = array([text("a"), Value::Int(1), text("id")]);
            let range = |first, last, node| array([Value::Int(first), Value::Int(last), node]);
            ("any: CLUSTER SLOTS", Ok(array([range(0, 4, known), range(5, 9, node(2))])))
        };
        let claims = |known: usize| {
            let claims = [("b:1", nodes(1, " 0-4")), ("b:2", nodes(2, " 5-9"))];
            let claims = claims.into_iter().take(known).map(|(node, claim)| (text(node), claim.unwrap()));
            ("all: CLUSTER NODES", Ok(Value::Map(claims.collect())))
        };
        let pages = || [("b:2: SCAN 0", page(0, &[2])), ("b:1: SCAN 0", page(0, &[1]))];
        let all = [slots(), claims(2)].into_iter().chain(pages()).chain([slots(), claims(2)]);
        assert_eq!(scan(all).unwrap(), [2, 1]);
        // The connection does not know all nodes.
        let some = [slots(), claims(1)].into_iter().chain(pages().into_iter().skip(1));
        let some = some.chain((0..99).flat_map(|_| [slots(), claims(1)])).chain([slots()]);
        assert_eq!(scan(some).unwrap_err().kind(), ErrorKind::Contended);
    }
}

#[test]
fn an_unexpected_reply_ends_the_scan() {
    for reply in ["", "x", "x a myself", "x a myself - 0 0 1 connected x-y", "x a myself - 0 0 1 connected 5-3"] {
        let start = first().into_iter().take(1);
        let error = scan(start.chain([("a:2: CLUSTER NODES", bulk(reply))])).unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::UnexpectedReply, SendStatus::Yes), "{reply}");
    }
    let error = scan([("any: CLUSTER SLOTS", slots(&[]))]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    // RESP3 has verbatim strings, and a replica has no slots.
    let verbatim = Value::VerbatimString {
        format: redis::VerbatimFormat::Text,
        text: "x a slave,myself,nofailover y 0 0 1 connected\n".to_owned(),
    };
    let claim = SlotOwnership::read(&verbatim)
        .map(|claim| claim == SlotOwnership::read(&text("x a myself - 0 0 1 c")).unwrap());
    assert_eq!(claim, Some(false));
}

#[test]
fn ranges_that_no_cluster_has_are_not_understood() {
    for slots in ["0-18446744073709551615", "1-9223372036854775807 1-9223372036854775807 1-9", "7-5", "x"] {
        let nodes = text(&format!("id a:1@2 myself,master - 0 0 1 connected {slots}"));
        assert!(SlotOwnership::read(&nodes).is_none(), "{slots}");
    }
}
