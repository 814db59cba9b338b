//! Expiries that are set later.

use std::collections::HashSet;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use redis::Connection;
use serde_json::{Value, json};

use super::run::{Folder, Ran, act, catalog, change, command, dump, key, number_of, plan, planned, run, start};

fn fill(con: &mut Connection) {
    for id in 0..300 {
        let _: () = run(con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    let _: u64 = run(con, &["HSET", "user:visits:1:hash", "a", "b"]);
    let _: () = run(con, &["SET", "user:name:5000:string", "x", "PX", "7200000"]);
    let _: u64 = run(con, &["RPUSH", "user:name:9999:string", "of another type"]);
    let _: () = run(con, &["SET", "app:settings:1:string", "x"]);
    let _: () = run(con, &["SET", "tmp:1", "x"]);
}

#[test]
fn keys_get_the_declared_expiry() {
    let (server, mut con) = start();
    fill(&mut con);
    let values = |con: &mut Connection| dump(con).into_iter().map(|(key, (value, _))| (key, value)).collect::<Vec<_>>();
    let before = values(&mut con);
    let folder = Folder::new();
    let ran = change(&folder, &["expire", &server.url(), "--full-speed"]);
    assert_eq!(number_of(&ran, "would get an expiry"), 301, "{ran:?}");
    for why in [
        "left out: 1 key declared with `ttl = never`",
        "left out: 1 key of another type than declared",
        "left out: 1 key without a declaration",
    ] {
        assert!(ran.stdout.contains(why), "{ran:?}");
    }
    let file = plan(&folder, &["expire", &server.url()]);
    let ran = act(&folder, "expire", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(0), 301), "{ran:?}");
    assert_eq!(values(&mut con), before);

    let mut left = HashSet::new();
    for id in 0..300 {
        let ttl: i64 = run(&mut con, &["PTTL", &format!("user:name:{id}:string")]);
        assert!((3_500_000..=3_660_000).contains(&ttl), "{ttl}");
        left.insert(ttl / 1_000);
    }
    assert!(left.len() > 30, "the jitter of a minute spreads them: {left:?}");
    for (key, expected) in [
        ("user:visits:1:hash", 86_300_000..=86_400_000_i64),
        ("user:name:5000:string", 7_100_000..=7_200_000),
        ("app:settings:1:string", -1..=-1),
        ("user:name:9999:string", -1..=-1),
        ("tmp:1", -1..=-1),
    ] {
        let ttl: i64 = run(&mut con, &["PTTL", key]);
        assert!(expected.contains(&ttl), "{key}: {ttl}");
    }
    // To repeat it is safe.
    let again = act(&folder, "expire", &server.url(), &file, &[]);
    assert_eq!((again.status, number_of(&again, "with the expiry of an earlier run")), (Some(0), 301), "{again:?}");
}

#[test]
fn one_declaration_can_be_chosen() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, &["expire", &server.url(), "--schema", "Visits"]);
    let lines = planned(&file);
    assert_eq!(lines.len(), 1);
    assert_eq!((&lines[0]["set_ttl_ms"], &lines[0]["set_jitter_ms"]), (&json!(86_400_000), &json!(0)));
    assert_eq!(lines[0].get("last_use"), None);
    // A key that is used all the time is what it is for.
    let _: String = run(&mut con, &["HGET", "user:visits:1:hash", "a"]);
    let ran = act(&folder, "expire", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(0), 1), "{ran:?}");
}

#[test]
fn a_key_that_changed_stays() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, &["expire", &server.url()]);
    let _: u64 = run(&mut con, &["PEXPIRE", "user:name:1:string", "100000"]);
    let _: u64 = run(&mut con, &["PEXPIRE", "user:name:2:string", "900000000"]);
    let _: u64 = run(&mut con, &["UNLINK", "user:name:3:string", "user:name:4:string"]);
    let _: u64 = run(&mut con, &["RPUSH", "user:name:4:string", "x"]);
    let ran = act(&folder, "expire", &server.url(), &file, &[]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(number_of(&ran, "given an expiry"), 297, "{ran:?}");
    assert_eq!((number_of(&ran, "gone already"), number_of(&ran, "changed since")), (1, 3), "{ran:?}");
    for line in ["user:name:1:string: it has an expiry", "user:name:4:string: it has another type"] {
        assert!(ran.stdout.contains(line), "{ran:?}");
    }
    for (key, expected) in [
        ("user:name:1:string", 0..=100_000_i64),
        ("user:name:2:string", 800_000_000..=900_000_000),
        ("user:name:4:string", -1..=-1),
    ] {
        let ttl: i64 = run(&mut con, &["PTTL", key]);
        assert!(expected.contains(&ttl), "{key}: {ttl}");
    }
}

/// `ttl_from_end_of` counts from the end of the calendar bucket in the key.
#[test]
fn the_expiry_of_a_bucket_counts_from_its_end() {
    let (server, mut con) = start();
    let folder = Folder::new();
    let mut bucket = key("Tasks", "user:tasks:{day}:set", Some(3_600_000), 0);
    bucket["ttl_from_end_of"] = json!("day");
    // 2033-05-18 ends at 1,999,987,200 + 86,400.
    for day in ["20330517", "20200101", "203305170000"] {
        let _: u64 = run(&mut con, &["SADD", &format!("user:tasks:{day}:set"), "x"]);
    }
    let file = folder.file("plan");
    let with_bucket = |options: &[&str]| {
        let url = server.url();
        let arguments = [&["expire", &url, "--plan", &file, "--full-speed"], options].concat();
        let mut command = command(&folder, &arguments);
        catalog(&folder, &[bucket.clone()], &[]);
        Ran::new(command.output().unwrap())
    };
    let ran = with_bucket(&[]);
    assert_eq!((ran.status, number_of(&ran, "would get an expiry")), (Some(0), 2), "{ran:?}");
    assert!(ran.stdout.contains("left out: 1 key whose calendar bucket cannot be read"), "{ran:?}");
    // Nothing in the plan comes from the clock of this machine.
    for line in planned(&file) {
        let end = if line["key"] == "user:tasks:20330517:set" { 1_999_987_200_000_u64 } else { 1_577_923_200_000 };
        assert_eq!((&line["set_ttl_ms"], &line["set_from_ms"]), (&json!(3_600_000), &json!(end)), "{line}");
    }
    let ran = with_bucket(&["--yes"]);
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(0), 2), "{ran:?}");
    let unreadable: i64 = run(&mut con, &["PTTL", "user:tasks:203305170000:set"]);
    assert_eq!(unreadable, -1, "no bucket says when it may end");
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    let future: i64 = run(&mut con, &["PTTL", "user:tasks:20330517:set"]);
    // `date -u -d 2033-05-18 +%s`
    let end = 1_999_987_200_000;
    assert!((now + future - (end + 3_600_000)).abs() < 120_000, "never earlier than the declaration says");
    let past: i64 = run(&mut con, &["PTTL", "user:tasks:20200101:set"]);
    assert!((3_500_000..=3_600_000).contains(&past), "{past}");
}

/// A value without an expiry says nothing of `stale` either: it must not live as long as one that does.
#[test]
fn a_cached_value_lives_for_its_ttl_without_stale() {
    let (server, mut con) = start();
    let folder = Folder::new();
    let mut cached = key("Page", "page:text:{id}:string", Some(3_600_000), 60_000);
    (cached["pattern"], cached["null_ttl_ms"], cached["lease_ms"]) = (json!("cache"), json!(60_000), json!(10_000));
    cached["stale_ms"] = json!(86_400_000);
    let _: () = run(&mut con, &["SET", "page:text:1:string", "x"]);
    let file = folder.file("plan");
    for (options, what) in [(&[][..], "would get an expiry"), (&["--yes"], "given an expiry")] {
        let url = server.url();
        let mut command = command(&folder, &[&["expire", &url, "--plan", &file, "--full-speed"], options].concat());
        catalog(&folder, &[cached.clone()], &[]);
        let ran = Ran::new(command.output().unwrap());
        assert_eq!((ran.status, number_of(&ran, what)), (Some(0), 1), "{ran:?}");
    }
    assert_eq!(planned(&file)[0]["set_ttl_ms"], json!(3_600_000));
    let left: i64 = run(&mut con, &["PTTL", "page:text:1:string"]);
    assert!((3_500_000..=3_660_000).contains(&left), "{left}");
}

/// An expiry of 0 would remove the key.
#[test]
fn a_plan_without_expiries_is_refused() {
    let (server, mut con) = start();
    fill(&mut con);
    let before = dump(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, &["expire", &server.url(), "--schema", "Visits"]);
    let text = fs::read_to_string(&file).unwrap();
    for expiry in ["0", "null"] {
        fs::write(&file, text.replace("\"set_ttl_ms\":86400000", &format!("\"set_ttl_ms\":{expiry}"))).unwrap();
        let ran = act(&folder, "expire", &server.url(), &file, &[]);
        assert!(ran.failure().contains("line 2 of") && ran.failure().contains("expected `set_ttl_ms`"), "{ran:?}");
    }
    // More than a server takes.
    fs::write(&file, text.replace("86400000", &u64::MAX.to_string())).unwrap();
    let ran = act(&folder, "expire", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "that a new plan would not contain")), (Some(1), 1), "{ran:?}");
    assert_eq!(dump(&mut con), before);
}

/// The script counts from the end of a bucket by the clock of the server.
#[test]
fn scripts_use_the_time_of_the_server() {
    const EXPIRE: &str = include_str!("../../../src/operate/change/expire.lua");
    const MOVE: &str = include_str!("../../../src/operate/change/move.lua");
    let (_server, mut con) = start();
    let (seconds, _): (u64, u64) = run(&mut con, &["TIME"]);
    for (from, longest) in [(seconds + 600, 660_000), (seconds - 600, 60_000)] {
        let from = (from * 1_000).to_string();
        let _: () = run(&mut con, &["SET", "a", "x"]);
        let expire = ["EVAL", EXPIRE, "1", "a", "string", "60000", "2000", "", &from];
        assert_eq!(run::<Vec<String>>(&mut con, &expire), ["done"]);
        let left: u64 = run(&mut con, &["PTTL", "a"]);
        assert!((longest - 5_000..=longest).contains(&left), "{left}");
        assert_eq!(run::<Vec<String>>(&mut con, &expire), ["already"]);
        let _: () = run(&mut con, &["SET", "a", "x"]);
        let moved = ["EVAL", MOVE, "2", "a", "b", "string", "60000", &from];
        assert_eq!(run::<Vec<String>>(&mut con, &moved), ["done"]);
        let left: u64 = run(&mut con, &["PTTL", "b"]);
        assert!((longest - 5_000..=longest).contains(&left), "{left}");
        let _: u64 = run(&mut con, &["DEL", "b"]);
    }
}

/// For the server a hyperloglog is a string.
#[test]
fn a_plain_string_is_no_hyperloglog() {
    let (server, mut con) = start();
    let visitors = key("Visitors", "page:visitors:{id}:hyperloglog", Some(3_600_000), 0);
    let _: u64 = run(&mut con, &["PFADD", "page:visitors:1:hyperloglog", "x"]);
    for id in [2, 3] {
        let _: () = run(&mut con, &["SET", &format!("page:visitors:{id}:hyperloglog"), "x"]);
    }
    let folder = Folder::new();
    let file = folder.file("plan");
    let with_visitors = |options: &[&str]| {
        let mut command =
            command(&folder, &[&["expire", &server.url(), "--full-speed", "--plan", &file], options].concat());
        catalog(&folder, std::slice::from_ref(&visitors), &[]);
        Ran::new(command.output().unwrap())
    };
    let ran = with_visitors(&[]);
    assert_eq!((ran.status, number_of(&ran, "would get an expiry")), (Some(0), 1), "{ran:?}");
    assert!(ran.stdout.contains("left out: 2 keys of another type than declared"), "{ran:?}");
    // A line that was added by hand.
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().nth(1).unwrap().replace("visitors:1:", "visitors:2:");
    fs::write(&file, format!("{text}{line}\n")).unwrap();
    let ran = with_visitors(&["--yes", "--show-keys"]);
    assert_eq!((ran.status, number_of(&ran, "given an expiry")), (Some(1), 1), "{ran:?}");
    assert!(ran.stdout.contains("page:visitors:2:hyperloglog: it has another type"), "{ran:?}");
    for (id, expires) in [(1, true), (2, false), (3, false)] {
        let left: i64 = run(&mut con, &["PTTL", &format!("page:visitors:{id}:hyperloglog")]);
        assert_eq!(left >= 0, expires, "{id}");
    }
}

#[test]
fn the_result_can_be_json() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let ran = change(&folder, &["expire", &server.url(), "--full-speed", "--json"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&json["command"], &json["keys"]), (&json!("expire"), &json!(301)));
    assert_eq!(json["by"].as_array().unwrap().len(), 2);
    assert_eq!(json["left_out"].as_array().unwrap().len(), 3);
}
