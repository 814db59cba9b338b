//! The commands of each step of a purge.

use redis::{RedisResult, Value};

use super::{Purge, PurgeResult};
use crate::tests::keys::Name;
use crate::tests::mock::{Mock, block_on, server_error};
use crate::{Error, ErrorKind, RedisKey as _, SendStatus};

macro_rules! keys {
    ($($name:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(much:of:it:$kind, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name;
    )*};
}

keys! {
    Items list (value = String, ttl = 1h);
    Members set (value = String, ttl = 1h);
    Ranks zset (value = String, ttl = 1h);
    Places geo (value = String, ttl = 1h);
    Fields hash (field = String, value = String, ttl = 1h);
    Unique hyperloglog (value = String, ttl = 1h);
    Bits bitmap (ttl = 1h);
    Kept list (value = String, ttl = never, reason = "the books", rebuild = "from the books");
}

/// Purges on both kinds of connections, which must send the same and find the same.
fn run(
    purge: impl Fn() -> Purge,
    replies: impl IntoIterator<Item = RedisResult<Value>>,
) -> (Result<PurgeResult, Error>, Vec<String>) {
    let replies: Vec<_> = replies.into_iter().collect();
    let mut con = Mock::new(replies.clone());
    let purged = purge().query(&mut con);
    let mut other = Mock::new(replies);
    let other_purged = block_on(purge().query_async(&mut other));
    assert_eq!((format!("{purged:?}"), &con.sent), (format!("{other_purged:?}"), &other.sent));
    (purged, con.sent)
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply")]
fn int(number: i64) -> RedisResult<Value> {
    Ok(Value::Int(number))
}

#[allow(clippy::unnecessary_wraps, reason = "it is a reply")]
fn texts(count: usize) -> Value {
    Value::Array((0..count).map(|number| Value::BulkString(format!("m{number}").into())).collect())
}

#[test]
fn a_key_without_elements_is_unlinked_at_once() {
    for (purge, key) in [
        ((|| Name { user: "ada" }.purge()) as fn() -> Purge, "user:name:ada:string"),
        (|| Unique.purge(), "much:of:it:hyperloglog"),
        (|| Bits.purge(), "much:of:it:bitmap"),
    ] {
        for there in [0, 1] {
            let (purged, sent) = run(purge, [int(there)]);
            let purged = purged.unwrap();
            assert_eq!((purged.existed(), purged.steps), (there == 1, there.unsigned_abs()));
            assert_eq!(sent, [format!("UNLINK {key}")]);
        }
    }
}

#[test]
fn a_small_collection_is_unlinked_at_once() {
    let (purged, sent) = run(|| Items.purge(), [int(100), int(-1), int(1)]);
    assert_eq!(purged.unwrap().steps, 1);
    assert_eq!(sent, ["> LLEN much:of:it:list", "| PTTL much:of:it:list", "UNLINK much:of:it:list"]);
    let (purged, sent) = run(|| Items.purge(), [int(0), int(-2)]);
    assert_eq!((purged.unwrap().existed(), sent.len()), (false, 2));
}

#[test]
fn a_large_collection_is_removed_in_steps() {
    let ok = || Ok(Value::Okay);
    let (purged, sent) = run(|| Items.purge(), [int(250), int(5), ok(), ok(), int(1)]);
    assert_eq!(purged.unwrap().steps, 3);
    assert_eq!(sent[2..], ["LTRIM much:of:it:list 0 -101", "LTRIM much:of:it:list 0 -101", "UNLINK much:of:it:list"]);
    let (purged, sent) = run(|| Members.purge(), [int(101), int(5), Ok(texts(100)), int(1)]);
    assert_eq!(purged.unwrap().steps, 2);
    assert_eq!(sent[0], "> SCARD much:of:it:set");
    assert_eq!(sent[2..], ["SPOP much:of:it:set 100", "UNLINK much:of:it:set"]);
    for (purge, key) in
        [((|| Ranks.purge()) as fn() -> Purge, "much:of:it:zset"), (|| Places.purge(), "much:of:it:geo")]
    {
        // Other clients remove some too.
        let (purged, sent) = run(purge, [int(400), int(5), int(100), int(100), int(0), int(0)]);
        assert_eq!(purged.unwrap().steps, 2);
        assert_eq!(sent[0], format!("> ZCARD {key}"));
        let removal = format!("ZREMRANGEBYRANK {key} 0 99");
        assert_eq!(sent[2..], [removal.clone(), removal.clone(), removal, format!("UNLINK {key}")]);
    }
}

#[test]
fn the_fields_of_a_hash_are_listed_first() {
    let page =
        |cursor: &str, fields: usize| Ok(Value::Array(vec![Value::BulkString(cursor.into()), texts(2 * fields)]));
    let replies = [int(300), int(5), page("7", 150), int(100), int(50), page("9", 0), page("0", 30), int(30), int(1)];
    let (purged, sent) = run(|| Fields.purge(), replies);
    assert_eq!(purged.unwrap().steps, 4);
    let words: Vec<_> = sent[2..].iter().map(|line| line.split(' ').collect::<Vec<_>>()).collect();
    assert_eq!(words[0], ["HSCAN", "much:of:it:hash", "0", "COUNT", "100"]);
    assert_eq!((words[1][0], words[1].len(), words[2].len()), ("HDEL", 102, 52));
    let mut names = [&words[1][2..], &words[2][2..]].concat();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 150, "each once, and no value: {names:?}");
    assert!(names.contains(&"m0") && names.contains(&"m298") && !names.contains(&"m1"));
    assert_eq!((words[3][2], words[4][2]), ("7", "9"));
    assert_eq!((words[5][0], words[6][0]), ("HDEL", "UNLINK"));
}

#[test]
fn cursors_that_repeat_are_an_error() {
    let page = || Ok(Value::Array(vec![Value::BulkString(b"7".to_vec()), texts(0)]));
    let (purged, sent) = run(|| Fields.purge(), [int(300), int(5), page(), page()]);
    assert_eq!((purged.unwrap_err().kind(), sent.len()), (ErrorKind::UnexpectedReply, 4));
}

#[test]
fn the_size_is_not_asked_for_again() {
    let page = |page: i64| Ok(Value::Array(vec![Value::Int(page), texts(0)]));
    let replies = [int(300), int(5)].into_iter().chain((1..=1500).map(page)).chain([page(0), int(1)]);
    let (purged, sent) = run(|| Fields.purge(), replies);
    assert_eq!((purged.unwrap().steps, sent.len()), (1, 1504));
}

#[test]
fn a_missing_expiry_is_set_before_the_first_step() {
    let (_, sent) = run(|| Ranks.purge(), [int(150), int(-1), int(1), int(100), int(1)]);
    assert_eq!(sent[2..4], ["PEXPIRE much:of:it:zset 3600000", "ZREMRANGEBYRANK much:of:it:zset 0 99"]);
    let (_, sent) = run(|| Kept.purge(), [int(150), int(-1), Ok(Value::Okay), int(1)]);
    assert_eq!(sent[2], "LTRIM much:of:it:list 0 -101");
}

#[test]
fn an_error_ends_the_purge() {
    let (purged, sent) = run(|| Ranks.purge(), [int(150), int(5), server_error("NOPERM secret")]);
    let error = purged.unwrap_err();
    assert_eq!(
        (error.kind(), error.sent(), error.key(), sent.len()),
        (ErrorKind::Server, SendStatus::Yes, Some("much:of:it:zset"), 3)
    );
    let (purged, sent) = run(|| Name { user: "Ada" }.purge(), []);
    assert_eq!((purged.unwrap_err().kind(), sent.len()), (ErrorKind::Parameter, 0));
    for wrong in [Ok(Value::Okay), int(-1)] {
        let (purged, _) = run(|| Ranks.purge(), [int(150), int(5), wrong]);
        assert_eq!(purged.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}
