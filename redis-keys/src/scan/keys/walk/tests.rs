//! Which nodes of a cluster are asked, and when again.

use redis::{Cmd, ErrorKind as RedisErrorKind, RedisResult, Value};

use super::{Con, To, Walk};
use crate::{
    Error, ErrorKind, RedisKey as _, Sent,
    testing::{keys::Views, mock::bulk},
};

fn line(cmd: &Cmd, to: &To) -> String {
    let words = cmd.args_iter().map(|word| match word {
        redis::Arg::Simple(word) => String::from_utf8_lossy(word).into_owned(),
        _ => String::new(),
    });
    let words = words.collect::<Vec<_>>().join(" ");
    let (words, _) = words.split_once(" MATCH").unwrap_or((&words, ""));
    match to {
        To::Any => format!("any: {words}"),
        To::Primaries => format!("all: {words}"),
        To::Node { host, port } => format!("{host}:{port}: {words}"),
    }
}

/// Sends all of a scan. What is sent has to be this, and is answered so.
#[track_caller]
fn walk(script: impl IntoIterator<Item = (&'static str, RedisResult<Value>)>) -> Result<Vec<u32>, Error> {
    let mut walk = Walk::new(Views::scan(), Con::Cluster);
    let mut found = Vec::new();
    let mut script = script.into_iter();
    while let Some((cmd, to)) = walk.command() {
        let (sent, reply) = script.next().unwrap_or_else(|| panic!("nothing answers {}", line(&cmd, &to)));
        assert_eq!(line(&cmd, &to), sent);
        walk.read(&cmd, reply);
        while let Some(key) = walk.key() {
            found.push(key?.page);
        }
    }
    assert!(script.next().is_none(), "more would have been sent");
    Ok(found)
}

fn array(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect())
}

fn text(text: &str) -> Value {
    Value::BulkString(text.as_bytes().to_vec())
}

/// CLUSTER SLOTS: who has which slots.
#[allow(clippy::unnecessary_wraps, reason = "it is a reply among others")]
fn slots(ranges: &[(i64, i64, i64)]) -> RedisResult<Value> {
    let node = |port| array([text("a"), Value::Int(port), text("id")]);
    let range = |(first, last, port): &_| array([Value::Int(*first), Value::Int(*last), node(*port), node(99)]);
    Ok(array(ranges.iter().map(range)))
}

/// CLUSTER NODES of one that has these slots, and its epoch as its id.
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

/// Both nodes have the half, and no keys.
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
fn all_primaries_are_asked_and_whether_they_are_as_before() {
    let same = [
        // In other words.
        ("any: CLUSTER SLOTS", slots(&[(5, 9, 2), (0, 2, 1), (3, 4, 1)])),
        ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
    ];
    assert_eq!(walk(first().into_iter().chain(same)).unwrap(), [1, 2, 3]);
}

#[test]
fn where_slots_have_moved_is_asked_again() {
    let moved = [
        ("any: CLUSTER SLOTS", slots(&[(0, 5, 1), (6, 8, 2), (9, 9, 3)])),
        ("a:3: CLUSTER NODES", nodes(4, " 9")),
        ("a:2: CLUSTER NODES", nodes(2, " 6-8")),
        ("a:1: CLUSTER NODES", nodes(3, " 0-5")),
        ("a:1: SCAN 0", page(0, &[1, 4])),
        ("a:2: SCAN 0", page(0, &[2])),
        ("a:3: SCAN 0", page(0, &[5])),
        // The last has gone on to another one meanwhile.
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
    assert_eq!(walk(first().into_iter().chain(moved)).unwrap(), [1, 2, 3, 1, 4, 2, 5, 5]);
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
    assert_eq!(walk(first().into_iter().chain(back)).unwrap(), [1, 2, 3]);
}

/// The node to which it goes is asked behind the one from which it comes, and that one too, since keys can go back; and then no
/// more, however long that takes.
#[test]
fn a_slot_that_is_on_its_way_from_the_first() {
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
    assert_eq!(walk(script).unwrap(), [1, 2, 5, 2]);
}

/// Of a slot that is given up half way the keys go back to a node that has told all, and nothing is left to be seen of it.
#[test]
fn a_slot_that_stays_where_it_was() {
    let slots = || ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)]));
    let claims = |open| {
        let (to, from) = (nodes(2, &format!(" 5-9{open}")), nodes(1, " 0-4"));
        [slots(), ("a:2: CLUSTER NODES", to), ("a:1: CLUSTER NODES", from)]
    };
    let pages = [("a:1: SCAN 0", page(0, &[])), ("a:2: SCAN 0", page(0, &[5]))];
    let again = [("a:1: SCAN 0", page(0, &[1])), ("a:2: SCAN 0", page(0, &[5]))];
    let script = claims(" [1-<-1]").into_iter().chain(pages).chain(claims("")).chain(again).chain(claims(""));
    assert_eq!(walk(script).unwrap(), [5, 1, 5]);
}

/// Who serves nothing yet is named by nobody, and has some of the keys.
#[test]
fn a_slot_that_is_on_its_way_to_a_node_without_any() {
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
    assert_eq!(walk(script).unwrap(), [1, 2, 3, 2, 2, 9]);
    // One that never comes to serve it.
    let never = (0..98).flat_map(|_| half());
    let error = walk(start().chain(never).chain(half().into_iter().take(1))).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Contended, Sent::Yes));
}

#[test]
fn what_nobody_owns_up_to_is_looked_for_until_it_is_found() {
    let later = [
        // Its node has lost it, and nobody has told the others yet.
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
    assert_eq!(walk(first().into_iter().chain(later)).unwrap(), [1, 2, 3, 9]);
    // But not for ever.
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
    let error = walk(first.into_iter().chain(never).chain(last)).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Contended, Sent::Yes));
    assert_eq!(
        error.to_string(),
        "scan of `Views` (page:views:{page}:string) may be incomplete: slots kept moving between nodes, or the \
         connection does not reach every node; scan again when the topology is stable"
    );
}

#[test]
fn who_takes_the_place_of_a_lost_one_is_asked() {
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
    assert_eq!(walk(before().chain(replaced)).unwrap(), [1, 2, 2, 3]);
    // One that is still there is asked once more from its beginning, and no third time.
    let again = || {
        [
            ("a:2: SCAN 7", gone()),
            ("any: CLUSTER SLOTS", slots(&[(0, 4, 1), (5, 9, 2)])),
            ("a:2: CLUSTER NODES", nodes(2, " 5-9")),
            ("a:1: CLUSTER NODES", nodes(1, " 0-4")),
        ]
    };
    let end = [("a:2: SCAN 0", page(0, &[2, 3]))].into_iter().chain(again().into_iter().skip(1));
    assert_eq!(walk(before().chain(again()).chain(end)).unwrap(), [1, 2, 2, 3]);
    let error = walk(before().chain(again()).chain([("a:2: SCAN 0", gone())])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
    // Nor is one that does not answer.
    let error = walk(before().chain(again().into_iter().take(2)).chain([("a:2: CLUSTER NODES", gone())])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
}

#[test]
fn without_addresses_the_connection_knows_them() {
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
        assert_eq!(walk(all).unwrap(), [2, 1]);
        // It does not know all of them.
        let some = [slots(), claims(1)].into_iter().chain(pages().into_iter().skip(1));
        let some = some.chain((0..99).flat_map(|_| [slots(), claims(1)])).chain([slots()]);
        assert_eq!(walk(some).unwrap_err().kind(), ErrorKind::Contended);
    }
}

#[test]
fn what_is_no_answer_ends_it() {
    for reply in ["", "x", "x a myself", "x a myself - 0 0 1 connected x-y", "x a myself - 0 0 1 connected 5-3"] {
        let start = first().into_iter().take(1);
        let error = walk(start.chain([("a:2: CLUSTER NODES", bulk(reply))])).unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::UnexpectedReply, Sent::Yes), "{reply}");
    }
    let error = walk([("any: CLUSTER SLOTS", slots(&[]))]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    // In RESP3 it is text of a form of its own, and a replica has no slots.
    let verbatim = Value::VerbatimString {
        format: redis::VerbatimFormat::Text,
        text: "x a slave,myself,nofailover y 0 0 1 connected\n".to_owned(),
    };
    let claim =
        super::Claim::read(&verbatim).map(|claim| claim == super::Claim::read(&text("x a myself - 0 0 1 c")).unwrap());
    assert_eq!(claim, Some(false));
}
