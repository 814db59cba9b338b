//! Uses of keys that a server does not note: while it has a child process, on replicas, and with `CLIENT NO-TOUCH`.

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::{FakeServer, forward, wait_until};
use serde_json::Value;

use super::run::{
    Folder, Ran, act, change, command, connect, dump, has_no_touch, in_front_of, make_idle, number_of, plan, planned,
    run, start, write_idle,
};

const KEYS: u32 = 60;
const UNCERTAIN: &str = "left as is, since a use may not have been noted: see `--without-last-use`";

fn name(id: u32) -> String {
    format!("user:name:{id}:string")
}

/// A server with keys that are idle.
fn filled() -> (Server, Connection) {
    let (server, mut con) = start();
    for id in 0..KEYS {
        // Keys of small numbers share an object, and its idle time.
        write_idle(&mut con, &["SET", &name(id), "50000"]);
    }
    (server, con)
}

fn info(con: &mut Connection, field: &str) -> u64 {
    let info: String = run(con, &["INFO"]);
    let value = info.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    value.and_then(|value| value.trim().parse().ok()).unwrap_or_else(|| panic!("{field}: {info}"))
}

/// Starts a save that takes some milliseconds for each key.
fn save_slowly(con: &mut Connection, micros: &str) {
    let _: String = run(con, &["CONFIG", "SET", "rdb-key-save-delay", micros]);
    let _: String = run(con, &["BGSAVE"]);
    wait_until("the server saves", || info(con, "rdb_bgsave_in_progress") == 1);
}

fn wait_for_children(con: &mut Connection) {
    for field in ["rdb_bgsave_in_progress", "aof_rewrite_in_progress"] {
        wait_until("no child is left", || info(con, field) == 0);
    }
}

/// Acts on a plan of which nothing may be removed.
#[track_caller]
fn assert_all_stay(folder: &Folder, server: &Server, con: &mut Connection, file: &str, why: &str) {
    let ran = act(folder, "purge", &server.url(), file, &[]);
    assert_eq!((ran.status, number_of(&ran, UNCERTAIN)), (Some(1), u64::from(KEYS)), "{ran:?}");
    assert!(ran.stdout.contains(why), "{ran:?}");
    assert_eq!(run::<u32>(con, &["DBSIZE"]), KEYS);
}

const CHILD: &str = ": its server has had a child process since the plan was made, such as one that saves";

/// While a server saves, it notes neither reads nor writes in place.
#[test]
fn a_save_between_the_plan_and_the_act() {
    let (server, mut con) = filled();
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    assert_eq!(planned(&file).len(), KEYS as usize);
    save_slowly(&mut con, "20000");
    let _: String = run(&mut con, &["GET", &name(0)]);
    let _: u64 = run(&mut con, &["INCR", &name(1)]);
    let idle = [0, 1].map(|id| run::<u64>(&mut con, &["OBJECT", "IDLETIME", &name(id)]));
    assert!(idle.iter().all(|idle| *idle >= 1_000), "{idle:?}");
    assert_all_stay(&folder, &server, &mut con, &file, CHILD);
    wait_for_children(&mut con);
    assert_all_stay(&folder, &server, &mut con, &file, CHILD);
    let ran = act(&folder, "purge", &server.url(), &file, &["--json"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["uncertain"], KEYS, "{ran:?}");
    // That is asked for. A digest shows the write.
    let changed = u64::from(has_no_touch(&mut con));
    let ran = act(&folder, "purge", &server.url(), &file, &["--without-last-use"]);
    assert_eq!(number_of(&ran, "removed"), u64::from(KEYS) - changed, "{ran:?}");
}

#[test]
fn a_rewrite_of_the_aof_a_new_replica_and_a_reset() {
    let (server, mut con) = filled();
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let _: String = run(&mut con, &["BGREWRITEAOF"]);
    wait_for_children(&mut con);
    assert_all_stay(&folder, &server, &mut con, &file, CHILD);

    std::fs::remove_file(&file).unwrap();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let (_replica, mut replica_con) = start();
    let _: String = run(&mut replica_con, &["REPLICAOF", "127.0.0.1", &server.port().to_string()]);
    wait_until("the replica has the keys", || run::<u32>(&mut replica_con, &["DBSIZE"]) == KEYS);
    wait_for_children(&mut con);
    assert_all_stay(&folder, &server, &mut con, &file, CHILD);

    // The number of children is that of the plan again.
    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    assert_all_stay(&folder, &server, &mut con, &file, "`CONFIG RESETSTAT` has reset what its server counts");
}

#[test]
fn a_server_that_saves_gets_no_plan() {
    let (server, mut con) = filled();
    let folder = Folder::new();
    let file = folder.file("plan");
    save_slowly(&mut con, "50000");
    let arguments = ["purge", &server.url(), "--schema", "Name", "--plan", &file];
    let ran = change(&folder, &arguments);
    assert!(ran.failure().contains("has a child process, such as one that saves, and does not note"), "{ran:?}");
    assert!(ran.failure().contains("`INFO persistence` shows no child in progress, or add `--without-"), "{ran:?}");
    assert!(!std::fs::exists(&file).unwrap());
    let ran = change(&folder, &["purge", &server.url(), "--key", &name(0), "--plan", &file]);
    assert!(ran.failure().contains("has a child process"), "{ran:?}");
    // A key that is named is looked at just before.
    let ran = change(&folder, &["purge", &server.url(), "--key", &name(0), "--yes"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    write_idle(&mut con, &["SET", &name(0), "50000"]);
    let ran = change(&folder, &[&arguments[..], &["--without-last-use", "--full-speed"]].concat());
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), u64::from(KEYS)), "{ran:?}");
    wait_for_children(&mut con);
    assert_all_stay(&folder, &server, &mut con, &file, "does not say whether it noted all uses");
}

#[test]
fn a_save_while_a_plan_is_made_is_said() {
    let (server, mut con) = filled();
    let folder = Folder::new();
    let file = folder.file("plan");
    let (port, url) = (server.port(), server.url());
    let front = FakeServer::start(move |words| {
        if words[0] == b"SCAN" {
            let _: String = run(&mut connect(&url), &["BGSAVE"]);
        }
        forward(port, words).unwrap()
    });
    let ran = change(&folder, &["purge", &front.url(), "--schema", "Name", "--plan", &file, "--full-speed"]);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), u64::from(KEYS)), "{ran:?}");
    assert!(ran.stdout.contains("not checked: last use of the keys of 127.0.0.1:"), "{ran:?}");
    assert!(ran.stdout.contains("had a child process while the plan was made"), "{ran:?}");
    wait_for_children(&mut con);
    assert_all_stay(&folder, &server, &mut con, &file, CHILD);
}

/// The server begins to save before the script for the eleventh key runs.
#[test]
fn a_save_during_an_act_leaves_the_rest_alone() {
    let (server, mut con) = filled();
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let url = server.url();
    let front = in_front_of(&server, move |index, forward| {
        if index == 10 {
            let _: String = run(&mut connect(&url), &["BGSAVE"]);
        }
        forward()
    });
    let ran = act(&folder, "purge", &front.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 10), "{ran:?}");
    assert_eq!(number_of(&ran, UNCERTAIN), 50, "{ran:?}");
    assert_eq!(run::<u32>(&mut con, &["DBSIZE"]), 50);
}

#[test]
fn replicas_are_said() {
    let (server, mut con) = filled();
    let (_replica, mut replica_con) = start();
    let _: String = run(&mut replica_con, &["REPLICAOF", "127.0.0.1", &server.port().to_string()]);
    wait_until("the replica has the keys", || run::<u32>(&mut replica_con, &["DBSIZE"]) == KEYS);
    wait_for_children(&mut con);
    let folder = Folder::new();
    let file = folder.file("plan");
    let address = format!("127.0.0.1:{}", server.port());
    let note =
        format!("not checked: reads from replicas: {address} has 1 replica, and does not note what is read there");
    let ran = change(&folder, &["purge", &server.url(), "--schema", "Name", "--plan", &file, "--full-speed"]);
    assert!(ran.stdout.contains(&note), "{ran:?}");
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), u64::from(KEYS)), "{ran:?}");
    assert!(ran.stdout.contains(&note), "{ran:?}");
}

fn as_user(folder: &Folder, arguments: &[&str]) -> Ran {
    Ran::new(command(folder, arguments).env("REDISCLI_AUTH", "sesame").output().unwrap())
}

#[test]
fn a_user_without_info_or_time() {
    let (server, mut con) = filled();
    let folder = Folder::new();
    let url = server.url().replace("redis://", "redis://ada@");
    let _: String = run(&mut con, &["ACL", "SETUSER", "ada", "on", ">sesame", "~*", "+@all", "-info"]);
    let file = folder.file("plan");
    let arguments = ["purge", &url, "--schema", "Name", "--plan", &file, "--full-speed"];
    let ran = as_user(&folder, &arguments);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 0), "{ran:?}");
    assert!(ran.stdout.contains("left out: 60 keys whose last use is unknown: see `--without-last-use`"), "{ran:?}");
    assert!(ran.stdout.contains("`INFO` does not say whether it notes uses"), "{ran:?}");
    std::fs::remove_file(&file).unwrap();
    let ran = as_user(&folder, &[&arguments[..], &["--without-last-use"]].concat());
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), u64::from(KEYS)), "{ran:?}");
    let act = ["purge", &url, "--plan", &file, "--yes", "--full-speed"];
    let ran = as_user(&folder, &act);
    assert_eq!((ran.status, number_of(&ran, UNCERTAIN)), (Some(1), u64::from(KEYS)), "{ran:?}");
    let ran = as_user(&folder, &[&act[..], &["--without-last-use"]].concat());
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), u64::from(KEYS)), "{ran:?}");

    let _: String = run(&mut con, &["ACL", "SETUSER", "ada", "+info", "-time"]);
    let ran = as_user(&folder, &["purge", &url, "--schema", "Name"]);
    assert!(ran.failure().contains("refuses `TIME`\nhelp: `--acl` shows"), "{ran:?}");
}

/// Writes of the same size by a client that leaves idle times alone.
#[test]
fn digests_show_other_values() {
    let (server, mut con) = start();
    for id in 0..3 {
        write_idle(&mut con, &["SET", &name(id), "50000"]);
    }
    write_idle(&mut con, &["SET", &name(3), &"x".repeat(4_097)]);
    write_idle(&mut con, &["XADD", "old:stream", "1-1", "field", "x"]);
    write_idle(&mut con, &["RPUSH", "old:list", "x"]);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let names = plan_of_names(&folder, &server);
    let digests = |file: &str| {
        let digest =
            |line: Value| (line["key"].as_str().unwrap().to_owned(), line["digest"].as_str().map(str::to_owned));
        planned(file).into_iter().map(digest).collect::<std::collections::BTreeMap<_, _>>()
    };
    // The value is not in the plan, and reading it is no use.
    assert!(run::<u64>(&mut con, &["OBJECT", "IDLETIME", &name(0)]) >= 1_000);
    if !has_no_touch(&mut con) {
        assert!(digests(&file).values().chain(digests(&names).values()).all(Option::is_none));
        return;
    }
    assert_eq!(digests(&file)["old:stream"].as_deref(), Some("1-1"));
    assert_eq!(digests(&file)["old:list"], None);
    // `printf 50000 | sha1sum`
    assert_eq!(digests(&names)[&name(0)].as_deref(), Some("c2d4c5452f59cff5"));
    assert_eq!(digests(&names)[&name(3)], None);
    let _: String = run(&mut con, &["CLIENT", "NO-TOUCH", "ON"]);
    let _: u64 = run(&mut con, &["INCR", &name(0)]);
    let _: String = run(&mut con, &["XSETID", "old:stream", "1-2"]);
    let ran = act(&folder, "purge", &server.url(), &names, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 3), "{ran:?}");
    assert!(ran.stdout.contains("user:name:0:string: it has another value"), "{ran:?}");
    let ran = act(&folder, "purge", &server.url(), &file, &["--without-last-use"]);
    assert!(ran.stdout.contains("old:stream: it has another value"), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 2);
}

/// A plan of the keys of a declaration beside another plan.
fn plan_of_names(folder: &Folder, server: &Server) -> String {
    let file = folder.file("names");
    let ran = change(folder, &["purge", &server.url(), "--schema", "Name", "--plan", &file, "--full-speed"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let has_digest = planned(&file).iter().filter(|line| line.get("digest").is_some()).count() as u64;
    let without = planned(&file).len() as u64 - has_digest;
    assert_eq!(number_of_values(&ran), without, "{ran:?}");
    file
}

fn number_of_values(ran: &Ran) -> u64 {
    let number =
        |line: &str| line.strip_prefix("compared by size alone: the values of ")?.split(' ').next()?.parse().ok();
    ran.stdout.lines().find_map(number).unwrap_or(0)
}

/// The script itself, on servers that cannot read without a use as well.
#[test]
fn the_script_compares_digests_and_first_bytes() {
    let (server, mut con) = start();
    let script =
        [include_str!("../../../src/operate/server/digest.lua"), include_str!("../../../src/operate/change/purge.lua")]
            .concat();
    let mut purge = |key: &str, kind: &str, start: &str, digest: &str| -> Vec<String> {
        let arguments = [kind, "0", "", "", "", "0", "", start, digest, "", "", ""];
        run(&mut con, &[&["EVAL", &script, "1", key], &arguments[..]].concat())
    };
    let mut writer = connect(&server.url());
    let _: () = run(&mut writer, &["SET", "a", "10"]);
    let _: String = run(&mut writer, &["XADD", "b", "1-1", "field", "x"]);
    let _: u64 = run(&mut writer, &["PFADD", "c", "x"]);
    make_idle(&mut writer, "a");
    assert_eq!(purge("a", "string", "", "0000000000000000"), ["value"]);
    assert_eq!(purge("a", "string", "HYLL", ""), ["type"]);
    assert_eq!(purge("b", "stream", "", "1-2"), ["value"]);
    assert_eq!(purge("a", "string", "", "b1d5781111d84f7b"), ["done"]);
    assert_eq!(purge("b", "stream", "", "1-1"), ["done"]);
    assert_eq!(purge("c", "string", "HYLL", ""), ["done"]);
}
