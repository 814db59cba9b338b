//! Changes by other clients: of a key, of all keys, and at the end of its time.

use std::time::{Duration, Instant};

use redis_keys_tests::Con;

use super::keys::{Brief, Number};
use super::{BOUND, LOADED, becomes, copied, hits, new_ids, open, put, read, start, text};
use crate::cache::PATIENCE;

/// A change, and the number that is read after it.
type Change = (&'static str, &'static [&'static [&'static str]], u64);

/// `KEY` is the key, which holds 1, `OTHER` another one, which holds 2.
const CHANGES: &[Change] = &[
    ("SET", &[&["SET", "KEY", "2"]], 2),
    ("SET KEEPTTL", &[&["SET", "KEY", "2", "KEEPTTL"]], 2),
    ("GETSET", &[&["GETSET", "KEY", "2"]], 2),
    ("MSET", &[&["MSET", "OTHER", "3", "KEY", "2"]], 2),
    ("INCR", &[&["INCR", "KEY"]], 2),
    ("APPEND", &[&["APPEND", "KEY", "5"]], 15),
    ("SETRANGE", &[&["SETRANGE", "KEY", "0", "2"]], 2),
    ("a script", &[&["EVAL", "return redis.call('SET', KEYS[1], '2')", "1", "KEY"]], 2),
    ("a transaction", &[&["MULTI"], &["SET", "KEY", "2"], &["EXEC"]], 2),
    ("RENAME onto it", &[&["RENAME", "OTHER", "KEY"]], 2),
    ("COPY onto it", &[&["COPY", "OTHER", "KEY", "REPLACE"]], 2),
    ("DEL", &[&["DEL", "KEY"]], LOADED),
    ("UNLINK", &[&["UNLINK", "KEY"]], LOADED),
    ("GETDEL", &[&["GETDEL", "KEY"]], LOADED),
    ("RENAME away", &[&["RENAME", "KEY", "AWAY"]], LOADED),
    ("MOVE", &[&["MOVE", "KEY", "5"]], LOADED),
    ("PEXPIRE", &[&["PEXPIRE", "KEY", "1"]], LOADED),
    ("GETEX", &[&["GETEX", "KEY", "PX", "1"]], LOADED),
    ("another type", &[&["DEL", "KEY"], &["RPUSH", "KEY", "2"]], LOADED),
    ("SORT", &[&["SORT", "KEY", "BY", "nosort", "STORE", "KEY"]], LOADED),
    ("FLUSHDB", &[&["FLUSHDB"]], LOADED),
    ("FLUSHALL", &[&["FLUSHALL"]], LOADED),
    ("FLUSHALL ASYNC", &[&["FLUSHALL", "ASYNC"]], LOADED),
];

#[tokio::test]
async fn each_kind_of_change_is_seen() {
    let (_server, cache, mut con) = start();
    for (id, (name, commands, expected)) in (new_ids()..).zip(CHANGES) {
        let (key, other) = (Number { id }, Number { id: id + 1_000 });
        put(&mut con, &key, 1);
        put(&mut con, &other, 2);
        if *name == "SORT" {
            let _: u8 = con.raw(&["DEL", &text(&other)]);
            let _: u8 = con.raw(&["RPUSH", &text(&other), "2"]);
        }
        assert_eq!(copied(&cache, &key).await, Some(1), "{name}");
        for words in *commands {
            run(&mut con, words, &key, &other);
        }
        let took = becomes(&cache, &key, Some(*expected), PATIENCE).await;
        assert!(took.is_some(), "{name}: {:?}", read(&cache, &key).await);
    }
    let near = cache.stats().near;
    assert_eq!((near.connections_lost, near.flushes), (0, 3), "{near:?}");
    assert!(near.invalidated >= CHANGES.len() as u64 - 3, "{near:?}");
}

fn run(con: &mut Con, words: &[&str], key: &Number, other: &Number) {
    let (key, other) = (text(key), text(other));
    let away = format!("{other}:away");
    // The source of SORT is the list, and its destination the number.
    let mut is_source = words[0] == "SORT";
    let words: Vec<_> = words
        .iter()
        .map(|word| match *word {
            "KEY" if std::mem::take(&mut is_source) => &*other,
            "KEY" => &*key,
            "OTHER" => &*other,
            "AWAY" => &*away,
            word => word,
        })
        .collect();
    let _: redis::Value = con.raw(&words);
}

/// Keys that live for some milliseconds. The clock begins when the server has replied to their SET, so that they can
/// only be gone earlier.
#[tokio::test]
async fn a_copy_is_not_served_after_its_key_has_expired() {
    expire(60).await;
}

#[tokio::test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_a_copy_is_not_served_after_its_key_has_expired() {
    expire(1_000).await;
}

async fn expire(keys: u64) {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let (mut reads, mut copies, mut late) = (0_u64, 0_u64, 0_u64);
    let first = new_ids();
    for id in first..first + keys {
        let (key, ms) = (Number { id }, fastrand::u64(10..50));
        let _: String = con.raw(&["SET", &text(&key), "1", "PX", &ms.to_string()]);
        let (set, time) = (Instant::now(), Duration::from_millis(ms));
        loop {
            let (before, is_over) = (hits(&cache), set.elapsed() > time);
            let value = read(&cache, &key).await;
            let is_copy = hits(&cache) > before;
            reads += 1;
            copies += u64::from(is_copy);
            late += u64::from(is_copy && is_over && value == Some(1));
            if value != Some(1) {
                break;
            }
            assert!(set.elapsed() < PATIENCE, "the key does not expire");
        }
    }
    println!("soak: {reads} reads of keys that expire, {copies} copies of them, {late} late copies");
    assert_eq!(late, 0);
    assert!(copies > keys, "{copies} of {reads}");
}

/// A server remembers a number of keys for all its clients. Of those that it forgets it says that they have changed.
#[tokio::test]
async fn a_server_that_remembers_few_keys_leaves_no_old_copy() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let _: String = con.raw(&["CONFIG", "SET", "tracking-table-max-keys", "10"]);
    let first = new_ids();
    for version in 0..3 {
        for id in first..first + 50 {
            put(&mut con, &Number { id }, version);
        }
        for id in first..first + 50 {
            assert!(becomes(&cache, &Number { id }, Some(version), BOUND).await.is_some(), "{id}");
            read(&cache, &Number { id }).await;
        }
    }
    assert!(cache.stats().near.invalidated >= 120, "{:?}", cache.stats().near);
}

/// The server says nothing of SWAPDB: a copy ends with its `near`.
#[tokio::test]
async fn near_limits_the_age_of_a_copy_that_is_not_invalidated() {
    let (_server, cache, mut con) = start();
    let key = Brief { id: new_ids() };
    let _: String = con.raw(&["SELECT", "1"]);
    put(&mut con, &key, 2);
    let _: String = con.raw(&["SELECT", "0"]);
    put(&mut con, &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    let _: String = con.raw(&["SWAPDB", "0", "1"]);
    let swapped = Instant::now();
    assert!(becomes(&cache, &key, Some(2), BOUND).await.is_some(), "{:?}", cache.stats().near);
    let age = swapped.elapsed();
    assert!(age < Duration::from_millis(1_500), "{age:?}");
}
