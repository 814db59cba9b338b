//! Large collections that are removed step by step.

use redis::Connection;

use super::run::{Folder, act, calls, dump, make_idle, number_of, plan, run, start};

/// Each type, with a command that adds an element, and the command that removes some.
const TYPES: [(&str, &str, &str); 6] = [
    ("hash", "HSET", "hdel"),
    ("list", "RPUSH", "ltrim"),
    ("set", "SADD", "spop"),
    ("intset", "SADD", "spop"),
    ("zset", "ZADD", "zremrangebyrank"),
    ("stream", "XADD", "xtrim"),
];

/// Writes a collection of so many elements.
fn write(con: &mut Connection, name: &str, kind: &str, add: &str, elements: u32) {
    for start in (0..elements).step_by(1_000) {
        let mut pipe = redis::pipe();
        for element in start..elements.min(start + 1_000) {
            let cmd = pipe.cmd(add).arg(name);
            match kind {
                "hash" => cmd.arg(element).arg("value"),
                "zset" => cmd.arg(element).arg(format!("member-{element}")),
                "stream" => cmd.arg(format!("1-{}", element + 1)).arg("field").arg(element),
                "set" => cmd.arg(format!("member-{element}")),
                _ => cmd.arg(element),
            };
        }
        pipe.exec(con).unwrap();
    }
    make_idle(con, name);
}

/// Lets collections of up to so many elements be compact.
fn set_compact(con: &mut Connection, entries: u32) {
    for setting in [
        "hash-max-ziplist-entries",
        "zset-max-ziplist-entries",
        "set-max-intset-entries",
        "set-max-listpack-entries",
        "list-max-ziplist-size",
    ] {
        // Older servers know fewer of them.
        let mut cmd = redis::cmd("CONFIG");
        let _: redis::RedisResult<()> = cmd.arg(&["SET", setting, &entries.to_string()]).query(con);
    }
}

fn remove(elements: u32, compact: Option<u32>) {
    let (server, mut con) = start();
    if let Some(entries) = compact {
        set_compact(&mut con, entries);
    }
    for (kind, add, _) in TYPES {
        write(&mut con, &format!("old:{kind}"), kind, add, elements);
        write(&mut con, &format!("other:{kind}"), kind, add, 150);
    }
    let mut expected = dump(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    let ran = act(&folder, "purge", &server.url(), &file, &["--stepwise"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 6), "{ran:?}");
    expected.retain(|name, _| name.starts_with(b"other:"));
    assert_eq!(dump(&mut con), expected);
    // Each step removes 100, and UNLINK what is left.
    let steps = u64::from(elements.div_ceil(100) - 1);
    for (_, _, removal) in TYPES {
        let sets = if removal == "spop" { 2 } else { 1 };
        // A step of a hash can be shorter.
        let done = calls(&mut con, removal);
        let is_right = if removal == "hdel" { (steps..steps * 3).contains(&done) } else { done == steps * sets };
        assert!(is_right, "{removal}: {done}, {steps} steps");
    }
    assert_eq!((calls(&mut con, "unlink"), calls(&mut con, "del")), (6, 0));
}

#[test]
fn small_and_compact_collections() {
    remove(250, Some(512));
}

#[test]
fn small_collections() {
    remove(250, Some(10));
}

#[test]
fn large_collections() {
    remove(10_000, None);
}

#[test]
fn large_and_compact_collections() {
    remove(10_000, Some(20_000));
}

/// Without `--stepwise` each key is removed at once.
#[test]
fn without_steps_each_key_is_unlinked() {
    let (server, mut con) = start();
    for (kind, add, _) in TYPES {
        write(&mut con, &format!("old:{kind}"), kind, add, 250);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 6), "{ran:?}");
    assert_eq!((calls(&mut con, "unlink"), calls(&mut con, "eval"), calls(&mut con, "hdel")), (6, 6, 0));
}

/// The checks come before the first step.
#[test]
fn a_collection_that_was_used_is_not_begun() {
    let (server, mut con) = start();
    for (kind, add, _) in TYPES {
        write(&mut con, &format!("old:{kind}"), kind, add, 250);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let before = dump(&mut con);
    for (kind, _, _) in TYPES {
        let _: u64 = run(&mut con, &["TOUCH", &format!("old:{kind}")]);
    }
    let ran = act(&folder, "purge", &server.url(), &file, &["--stepwise"]);
    assert_eq!((ran.status, number_of(&ran, "changed since")), (Some(1), 6), "{ran:?}");
    assert_eq!(dump(&mut con), before);
}

#[test]
fn a_named_key_can_be_removed_in_steps() {
    let (server, mut con) = start();
    write(&mut con, "old:hash", "hash", "HSET", 5_000);
    let folder = Folder::new();
    let arguments = ["purge", &server.url(), "--key", "old:hash", "--yes", "--stepwise", "--full-speed"];
    let ran = super::run::change(&folder, &arguments);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    assert!(dump(&mut con).is_empty());
}
