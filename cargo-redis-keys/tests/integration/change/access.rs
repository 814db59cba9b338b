//! Users, replicas, and what a user may do.

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::wait_until;
use serde_json::json;

use super::run::{
    Folder, Ran, catalog, change, command, connect, dump, has_no_touch, key, keys, number_of, run, start, write_idle,
};

fn fill(con: &mut Connection) {
    for id in 0..60 {
        write_idle(con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    for element in 0..250 {
        let _: u64 = run(con, &["HSET", "old:hash", &element.to_string(), "x"]);
        let _: u64 = run(con, &["RPUSH", "old:list", &element.to_string()]);
        let _: u64 = run(con, &["SADD", "old:set", &element.to_string()]);
        let _: u64 = run(con, &["ZADD", "old:zset", "1", &element.to_string()]);
        let _: String = run(con, &["XADD", "old:stream", "*", "field", "x"]);
    }
}

/// Creates the user that `--acl` describes, and returns a URL with its name.
fn user(server: &Server, con: &mut Connection, name: &str) -> String {
    let ran = Ran::new(command(&Folder::new(), &[name, "--acl"]).output().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let lacks_no_touch = !has_no_touch(con);
    let words = ran.stdout.split_whitespace().filter(|word| !(lacks_no_touch && *word == "+client|no-touch"));
    let words: Vec<&str> = words.map(|word| word.strip_prefix(">PASSWORD").map_or(word, |_| ">sesame")).collect();
    let _: String = run(con, &words);
    server.url().replace("redis://", &format!("redis://{name}@"))
}

fn as_user(folder: &Folder, arguments: &[&str]) -> Ran {
    Ran::new(command(folder, arguments).env("REDISCLI_AUTH", "sesame").output().unwrap())
}

#[test]
fn the_acl_suffices() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let url = user(&server, &mut con, "expire");
    let file = folder.file("expire");
    for options in [&["--plan", &file][..], &["--plan", &file, "--yes"]] {
        let ran = as_user(&folder, &[&["expire", &url, "--schema", "Name"][..2], options].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(!ran.stdout.contains("not checked"), "{ran:?}");
    }
    assert_eq!(dump(&mut con).values().filter(|(_, expires)| *expires).count(), 60);

    let url = user(&server, &mut con, "purge");
    let file = folder.file("purge");
    let ran =
        as_user(&folder, &["purge", &url, "--unknown", "--match", "old:*", "--without-last-use", "--plan", &file]);
    assert_eq!(number_of(&ran, "would be removed"), 5, "{ran:?}");
    assert!(!ran.stdout.contains("not checked"), "{ran:?}");
    let ran = as_user(&folder, &["purge", &url, "--plan", &file, "--yes", "--stepwise"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 5), "{ran:?}");
    let ran = as_user(&folder, &["purge", &url, "--key", "user:name:1:string", "--yes"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    assert!(!ran.stdout.contains("not checked"), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 59);
}

#[test]
fn what_is_refused_is_said() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let before = dump(&mut con);
    let file = folder.file("plan");
    let url = user(&server, &mut con, "purge");
    let ran = as_user(&folder, &["purge", &url, "--schema", "Name", "--without-last-use", "--plan", &file]);
    assert_eq!(ran.status, Some(0), "{ran:?}");

    let _: String = run(&mut con, &["ACL", "SETUSER", "purge", "-unlink"]);
    let ran = as_user(&folder, &["purge", &url, "--plan", &file, "--yes"]);
    assert_eq!((ran.status, number_of(&ran, "refused by the server")), (Some(1), 60), "{ran:?}");
    assert_eq!(dump(&mut con), before);

    let _: String = run(&mut con, &["ACL", "SETUSER", "purge", "-eval"]);
    let ran = as_user(&folder, &["purge", &url, "--plan", &file, "--yes"]);
    assert!(ran.failure().contains("refuses `EVAL`"), "{ran:?}");
    assert!(ran.failure().contains("help: `--acl` shows what the user must be allowed"), "{ran:?}");
    assert_eq!(dump(&mut con), before);
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains("sesame"), "{text}");
    }
}

/// Without the time, the script could not set an expiry from the end of a calendar bucket.
#[test]
fn a_plan_needs_the_time_if_expiries_do() {
    let (server, mut con) = start();
    let _: String = run(&mut con, &["SET", "user:name:1:string", "x"]);
    let folder = Folder::new();
    let url = user(&server, &mut con, "expire");
    let _: String = run(&mut con, &["ACL", "SETUSER", "expire", "-time"]);
    let mut daily = key("Daily", "counter:views:{day}:string", Some(3_600_000), 0);
    daily["ttl_from_end_of"] = json!("day");
    let mut keys = keys();
    keys.push(daily);
    for (options, is_refused) in [(&[][..], true), (&["--schema", "Daily"], true), (&["--schema", "Name"], false)] {
        let mut expire = command(&folder, &[&["expire", &url, "--full-speed"], options].concat());
        catalog(&folder, &keys, &[]);
        let ran = Ran::new(expire.env("REDISCLI_AUTH", "sesame").output().unwrap());
        assert_eq!(ran.status, Some(if is_refused { 2 } else { 0 }), "{ran:?}");
        assert_eq!(ran.stderr.contains("refuses `TIME`\nhelp: `--acl` shows"), is_refused, "{ran:?}");
    }
}

#[test]
fn keys_outside_of_the_users_patterns_are_refused() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let url = user(&server, &mut con, "purge");
    let _: String = run(&mut con, &["ACL", "SETUSER", "purge", "resetkeys", "~user:*"]);
    let ran = as_user(&folder, &["purge", &url, "--key", "old:hash", "--yes"]);
    assert!(ran.failure().contains("`old:hash` cannot be read"), "{ran:?}");
    let ran = as_user(&folder, &["purge", &url, "--schema", "Name", "--full-speed"]);
    assert_eq!(number_of(&ran, "would be removed"), 60, "{ran:?}");
    assert!(ran.stdout.contains("not checked: 5 keys: the user may not access them"), "{ran:?}");
}

#[test]
fn a_replica_is_refused() {
    let (primary, mut con) = start();
    fill(&mut con);
    let (replica, mut replica_con) = start();
    let _: String = run(&mut replica_con, &["REPLICAOF", "127.0.0.1", &primary.port().to_string()]);
    wait_until("the replica has the keys", || {
        let keys: u64 = run(&mut connect(&replica.url()), &["DBSIZE"]);
        keys == 65
    });
    let folder = Folder::new();
    for arguments in [&["--schema", "Name"][..], &["--key", "old:hash", "--yes"]] {
        let ran = change(&folder, &[&["purge", &replica.url()], arguments].concat());
        assert!(ran.failure().contains("is a replica, which cannot be written to"), "{ran:?}");
        let help = format!("help: name its primary, 127.0.0.1:{}", primary.port());
        assert!(ran.failure().contains(&help), "{ran:?}");
    }
}
