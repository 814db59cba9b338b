//! Keys that change between the plan and the act.

use std::fs;

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::wait_until;

use super::run::{
    Folder, Ran, act, change, command, dump, make_idle, number_of, plan, planned, run, start, write_idle,
};

const KEYS: [&str; 8] = [
    "user:name:0:string",
    "user:name:1:string",
    "user:name:2:string",
    "user:name:3:string",
    "user:name:4:string",
    "user:name:5:string",
    "user:name:6:string",
    "user:name:7:string",
];

/// Plans all keys, lets this happen to them, and acts on the plan.
fn purge_after(
    change: impl FnOnce(&mut Connection),
    before: impl FnOnce(&mut Connection),
) -> (Server, Connection, Ran) {
    let (server, mut con) = start();
    before(&mut con);
    for key in KEYS {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    for key in &KEYS[5..] {
        let _: u64 = run(&mut con, &["PEXPIRE", key, "3600000"]);
        make_idle(&mut con, key);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    change(&mut con);
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    (server, con, ran)
}

#[track_caller]
fn assert_stays(ran: &Ran, con: &mut Connection, key: &str, why: &str) {
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(number_of(ran, "changed since the plan was made"), 1, "{ran:?}");
    assert_eq!(number_of(ran, "removed"), 7, "{ran:?}");
    assert!(ran.stdout.contains(&format!("  {key}: {why}\n")), "{ran:?}");
    let left = dump(con);
    assert_eq!(left.keys().collect::<Vec<_>>(), [&key.as_bytes().to_vec()]);
}

#[test]
fn a_key_of_another_type_stays() {
    let change = |con: &mut Connection| {
        let _: u64 = run(con, &["DEL", KEYS[0]]);
        write_idle(con, &["RPUSH", KEYS[0], "x"]);
    };
    let (_server, mut con, ran) = purge_after(change, |_| ());
    assert_stays(&ran, &mut con, KEYS[0], "it has another type");
}

#[test]
fn a_key_that_got_an_expiry_stays() {
    let change = |con: &mut Connection| {
        let _: u64 = run(con, &["PEXPIRE", KEYS[0], "3600000"]);
        make_idle(con, KEYS[0]);
    };
    let (_server, mut con, ran) = purge_after(change, |_| ());
    assert_stays(&ran, &mut con, KEYS[0], "it has another expiry");
}

#[test]
fn a_key_that_lost_its_expiry_stays() {
    let change = |con: &mut Connection| {
        let _: u64 = run(con, &["PERSIST", KEYS[7]]);
        make_idle(con, KEYS[7]);
    };
    let (_server, mut con, ran) = purge_after(change, |_| ());
    assert_stays(&ran, &mut con, KEYS[7], "it has another expiry");
}

#[test]
fn a_key_that_was_read_stays() {
    let (_server, mut con, ran) = purge_after(|con| run(con, &["GET", KEYS[0]]), |_| ());
    assert_stays(&ran, &mut con, KEYS[0], "it was used");
}

#[test]
fn a_key_that_was_written_anew_stays() {
    let change = |con: &mut Connection| {
        let _: u64 = run(con, &["DEL", KEYS[0]]);
        let _: () = run(con, &["SET", KEYS[0], "new"]);
    };
    let (_server, mut con, ran) = purge_after(change, |_| ());
    assert_stays(&ran, &mut con, KEYS[0], "it was used");
}

#[test]
fn keys_that_vanished_are_fine() {
    let (_server, mut con, ran) = purge_after(|con| run(con, &["UNLINK", KEYS[0], KEYS[7]]), |_| ());
    assert_eq!((ran.status, number_of(&ran, "removed"), number_of(&ran, "gone already")), (Some(0), 6, 2), "{ran:?}");
    assert!(dump(&mut con).is_empty());
}

/// Time passes between the plan and the act, and the idle times grow.
#[test]
fn keys_that_only_grew_older_are_removed() {
    let age = |con: &mut Connection| {
        wait_until("the idle times have grown", || run::<i64>(con, &["OBJECT", "IDLETIME", KEYS[7]]) >= 1_004);
    };
    let (_server, mut con, ran) = purge_after(age, |_| ());
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 8), "{ran:?}");
    assert!(dump(&mut con).is_empty());
}

/// With LFU a server keeps no idle times.
#[test]
fn without_idle_times_keys_stay_unless_that_is_asked_for() {
    let (server, mut con) = start();
    let _: () = run(&mut con, &["CONFIG", "SET", "maxmemory-policy", "allkeys-lfu"]);
    for key in KEYS {
        let _: () = run(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let arguments = ["purge", &server.url(), "--schema", "Name", "--full-speed"];
    let ran = change(&folder, &arguments);
    assert_eq!(number_of(&ran, "would be removed"), 0, "{ran:?}");
    assert!(ran.stdout.contains("left out: 8 keys whose last use is unknown: see `--without-last-use`"), "{ran:?}");
    let file = plan(&folder, &[&arguments[..4], &["--without-last-use"]].concat());
    assert!(planned(&file).iter().all(|line| line.get("last_use").is_none()));
    // A line of a plan that was not asked for.
    let text = fs::read_to_string(&file).unwrap();
    let edited = folder.write("edited", &text.replace(r#""without_last_use":true"#, r#""without_last_use":false"#));
    let ran = act(&folder, "purge", &server.url(), &edited, &[]);
    assert_eq!((ran.status, number_of(&ran, "that a new plan would not contain")), (Some(1), 8), "{ran:?}");
    assert!(ran.stdout.contains("its last use is unknown: see `--without-last-use`"), "{ran:?}");
    let _: String = run(&mut con, &["GET", KEYS[0]]);
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 8), "{ran:?}");
    assert!(ran.stdout.contains("not checked: last use of 8 keys"), "{ran:?}");
}

/// A use right after it could not be told from that one.
#[test]
fn a_key_that_was_just_used_stays_unless_that_is_asked_for() {
    let (server, mut con) = start();
    write_idle(&mut con, &["SET", KEYS[0], "x"]);
    let _: () = run(&mut con, &["SET", KEYS[1], "x"]);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let names = |file: &str| planned(file).iter().map(|line| line["key"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&file), [KEYS[0]]);
    fs::remove_file(&file).unwrap();
    let ran = change(&folder, &["purge", &server.url(), "--key", KEYS[0], "--key", KEYS[1], "--plan", &file]);
    assert_eq!(number_of(&ran, "would be removed"), 1, "{ran:?}");
    assert!(ran.stdout.contains("left out: 1 key used within the last seconds"), "{ran:?}");
    fs::remove_file(&file).unwrap();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name", "--without-last-use"]);
    assert_eq!(names(&file).len(), 2);
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 2), "{ran:?}");
}

/// Without the last use, they still have to be as planned.
#[test]
fn the_last_use_can_be_left_out_of_an_act() {
    let (server, mut con) = start();
    for key in KEYS {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let _: String = run(&mut con, &["GET", KEYS[0]]);
    let _: () = run(&mut con, &["SET", KEYS[1], "a longer value, which takes more memory than the planned one did"]);
    let _: u64 = run(&mut con, &["PEXPIRE", KEYS[2], "3600000"]);
    let ran = act(&folder, "purge", &server.url(), &file, &["--without-last-use"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 6), "{ran:?}");
    for (key, why) in [(KEYS[1], "it has another size"), (KEYS[2], "it has another expiry")] {
        assert!(ran.stdout.contains(&format!("  {key}: {why}\n")), "{ran:?}");
    }
}

#[test]
fn a_key_of_another_size_stays() {
    let change = |con: &mut Connection| {
        write_idle(con, &["SET", KEYS[0], "a longer value, which takes more memory than the planned one did"]);
    };
    let (_server, mut con, ran) = purge_after(change, |_| ());
    assert_stays(&ran, &mut con, KEYS[0], "it has another size");
}

#[test]
fn a_key_with_another_expiry_stays() {
    let change = |con: &mut Connection| {
        let _: u64 = run(con, &["PEXPIRE", KEYS[7], "3700000"]);
        make_idle(con, KEYS[7]);
    };
    let (_server, mut con, ran) = purge_after(change, |_| ());
    assert_stays(&ran, &mut con, KEYS[7], "it has another expiry");
}

/// A plan says when a key was used, but the server does not say it any more.
#[test]
fn keys_stay_if_their_last_use_cannot_be_checked_any_more() {
    let lfu = |con: &mut Connection| run(con, &["CONFIG", "SET", "maxmemory-policy", "allkeys-lfu"]);
    let (_server, mut con, ran) = purge_after(lfu, |_| ());
    assert_eq!((ran.status, number_of(&ran, "refused by the server")), (Some(1), 8), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 8);
}

/// Unknown keys are removed, but not those that the policy leaves to other programs.
#[test]
fn keys_of_other_programs_stay() {
    let (server, mut con) = start();
    for key in ["bull:mails:id", "tmp:1"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let arguments = |file: &str| {
        ["purge", &server.url(), "--unknown", "--match", "*m*", "--plan", file, "--full-speed"].map(str::to_owned)
    };
    let run_here = |arguments: &[String]| {
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let output = command(&folder, &arguments).current_dir(folder.file("")).output().unwrap();
        Ran::new(output)
    };
    let keys = |file: &str| {
        let names: Vec<_> = planned(file).iter().map(|line| line["key"].as_str().unwrap().to_owned()).collect();
        names
    };
    let before = folder.file("before");
    assert_eq!(run_here(&arguments(&before)).status, Some(0));
    assert_eq!(keys(&before).len(), 2);
    folder.write("redis-keys.toml", "[foreign]\nsystems = [\"bullmq\"]\n");
    let after = folder.file("after");
    assert_eq!(run_here(&arguments(&after)).status, Some(0));
    assert_eq!(keys(&after), ["tmp:1"]);
    // The earlier plan has both.
    let act = ["purge", &server.url(), "--plan", &before, "--yes", "--show-keys"].map(str::to_owned);
    let ran = run_here(&act);
    assert_eq!(number_of(&ran, "removed"), 1, "{ran:?}");
    assert!(ran.stdout.contains("bull:mails:id: `[foreign]` of the policy names it"), "{ran:?}");
    assert_eq!(dump(&mut con).keys().collect::<Vec<_>>(), [b"bull:mails:id"]);
}
