//! Large collections that are removed step by step.

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::FakeServer;

use super::run::{Folder, Ran, act, calls, connect, dump, in_front_of, make_idle, number_of, plan, run, start};

/// Each type, with a command that adds an element, and the command that removes some.
const TYPES: [(&str, &str, &str); 6] = [
    ("hash", "HSET", "hdel"),
    ("list", "RPUSH", "ltrim"),
    ("set", "SADD", "spop"),
    ("intset", "SADD", "spop"),
    ("zset", "ZADD", "zremrangebyrank"),
    ("stream", "XADD", "xtrim"),
];

/// Writes a collection of this many elements.
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

/// Lets collections of up to this many elements be compact.
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

/// A server in front of another one that refuses more scripts than so many, so that steps without effect end.
fn at_most(scripts: u32, server: &Server) -> FakeServer {
    in_front_of(
        server,
        move |index, forward| {
            if index < scripts { forward() } else { b"-ERR too many steps\r\n".to_vec() }
        },
    )
}

fn remove(elements: u32, compact: Option<u32>) {
    let (server, mut con) = start();
    if let Some(entries) = compact {
        set_compact(&mut con, entries);
    }
    // Steps are not whole nodes of a stream.
    let _: String = run(&mut con, &["CONFIG", "SET", "stream-node-max-entries", "30"]);
    for (kind, add, _) in TYPES {
        write(&mut con, &format!("old:{kind}"), kind, add, elements);
        write(&mut con, &format!("other:{kind}"), kind, add, 150);
    }
    let mut expected = dump(&mut con);
    let folder = Folder::new();
    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*", "--without-last-use"]);
    // Each step removes 100, and UNLINK what is left.
    let steps = elements.div_ceil(100) - 1;
    let ran = act(&folder, "purge", &at_most(20 * steps, &server).url(), &file, &["--stepwise"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 6), "{ran:?}");
    expected.retain(|name, _| name.starts_with(b"other:"));
    assert_eq!(dump(&mut con), expected);
    let steps = u64::from(steps);
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

/// Without `--stepwise` each key is removed in one step.
#[test]
fn without_steps_each_key_is_unlinked() {
    let (server, mut con) = start();
    for (kind, add, _) in TYPES {
        write(&mut con, &format!("old:{kind}"), kind, add, 250);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let before = calls(&mut con, "eval");
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 6), "{ran:?}");
    let scripts = calls(&mut con, "eval") - before;
    assert_eq!((calls(&mut con, "unlink"), scripts, calls(&mut con, "hdel")), (6, 6, 0));
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

/// Removes a list of 350 elements. After two steps, which have removed 200 of them, another client changes it.
fn remove_with(change: &'static [&[&str]]) -> (Server, Connection, Ran) {
    let (server, mut con) = start();
    write(&mut con, "old:list", "list", "RPUSH", 350);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let url = server.url();
    let front = in_front_of(&server, move |index, forward| {
        for words in change.iter().filter(|_| index == 2) {
            let _: redis::Value = run(&mut connect(&url), words);
        }
        forward()
    });
    let ran = act(&folder, "purge", &front.url(), &file, &["--stepwise"]);
    (server, con, ran)
}

#[test]
fn a_collection_whose_rest_vanishes_is_removed() {
    let (_server, mut con, ran) = remove_with(&[&["DEL", "old:list"]]);
    assert_eq!((ran.status, number_of(&ran, "removed"), number_of(&ran, "gone already")), (Some(0), 1, 0), "{ran:?}");
    assert!(dump(&mut con).is_empty() && !ran.stdout.contains("in part"), "{ran:?}");
}

#[test]
fn a_collection_whose_rest_changes_stays() {
    let cases: [(&[&[&str]], &str, u64); 4] = [
        (&[&["DEL", "old:list"], &["SADD", "old:list", "x"]], "it has another type", 1),
        (&[&["PEXPIRE", "old:list", "3600000"]], "it has another expiry", 150),
        (&[&["RPUSH", "old:list", "x"]], "it was used", 151),
        (&[&["SET", "old:list", "x"]], "it has another type", 1),
    ];
    for (change, why, left) in cases {
        let (_server, mut con, ran) = remove_with(change);
        assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 0), "{ran:?}");
        let is_another = why == "it has another type";
        assert!(ran.stdout.contains(&format!("  old:list: {why}\n")), "{ran:?}");
        assert_eq!(number_of(&ran, "removed in part"), u64::from(!is_another), "{ran:?}");
        let size = if is_another { "EXISTS" } else { "LLEN" };
        assert_eq!(run::<u64>(&mut con, &[size, "old:list"]), left, "{why}");
    }
}

#[test]
fn a_named_key_can_be_removed_in_steps() {
    let (server, mut con) = start();
    write(&mut con, "old:hash", "hash", "HSET", 5_000);
    let folder = Folder::new();
    let arguments = ["purge", &at_most(200, &server).url(), "--key", "old:hash", "--yes", "--stepwise", "--full-speed"];
    let ran = super::run::change(&folder, &arguments);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    assert!(dump(&mut con).is_empty());
}
