//! Work that must not be lost: on a full disk, at Ctrl-C, at a time limit, and because of a long name.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use redis_keys_tests::FakeServer;
use serde_json::json;

use super::run::{Folder, Ran, Running, audit, command, fill, run, start};
use crate::change::run::key;

/// A command that cannot write more than some blocks of 512 bytes to a file, as on a full disk.
#[cfg(unix)]
fn with_full_disk(command: &Command, blocks: u32) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    Ran::new(shell.output().unwrap())
}

/// The names of the files in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.file("")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_report_and_leaves_no_files() {
    let (server, mut con) = start();
    fill(&mut con, 100);
    let folder = Folder::new();
    let (json, html, url) = (folder.write("old.json", "as it was"), folder.file("new.html"), server.url());
    let metrics = folder.file("small.prom");
    let audit = command(&folder, &[&url, "--full-speed", "--html", &html, "--prometheus", &metrics, "--json", &json]);
    // The page is larger, the rest is not.
    let ran = with_full_disk(&audit, 16);
    assert!(ran.failure().contains(&format!("cannot write `{html}`")), "{ran:?}");
    assert!(ran.stdout.contains("100 keys, ") && ran.stdout.contains("0 errors"), "{ran:?}");
    assert_eq!(names(&folder), ["catalog.json", "old.json", "small.prom"]);
    let ran = with_full_disk(&audit, 0);
    assert!(ran.failure().contains("cannot write") && ran.stdout.contains("100 keys, "), "{ran:?}");
    assert!(fs::read_to_string(json).unwrap().starts_with('{'), "it was written the first time");
    assert_eq!(names(&folder), ["catalog.json", "old.json", "small.prom"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_part_of_a_plan_and_of_a_list() {
    let (server, mut con) = start();
    fill(&mut con, 3_000);
    let folder = Folder::new();
    let (plan, list, url) = (folder.file("plan"), folder.write("KEYS.md", "as it was"), server.url());
    let keys: Vec<_> = (0..50).map(|index| key("Name", &format!("user:name{index}:{{id}}:string"), None, 0)).collect();
    let mut keys = keys;
    keys.push(key("All", "user:name:{id}:string", None, 0));
    let catalog = json!({ "format": 2, "keys": keys, "unread": [], "left_out": { "keys": [], "unread": [] } });
    let catalog = folder.write("catalog.json", &catalog.to_string());
    let program = env!("CARGO_BIN_EXE_cargo-redis-keys");
    let mut purge = Command::new(program);
    purge.args(["purge", &url, "--schema", "All", "--catalog", &catalog, "--full-speed", "--without-last-use"]);
    purge.args(["--plan", &plan]);
    let ran = with_full_disk(&purge, 8);
    assert!(ran.failure().contains("cannot write"), "{ran:?}");
    // A plan of few lines is written at the end: what was counted is shown all the same.
    let mut few = Command::new(program);
    few.args(["purge", &url, "--schema", "All", "--match", "user:name:1?:string", "--catalog", &catalog]);
    let ran = with_full_disk(few.args(["--full-speed", "--without-last-use", "--plan", &plan]), 1);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("cannot write") && !ran.stderr.contains("--yes"), "{ran:?}");
    assert!(ran.stdout.contains("10 keys would be removed"), "{ran:?}");
    let draft = folder.file("draft.rs");
    let mut adopt = Command::new(program);
    adopt.args(["adopt", &url, "--catalog", &catalog, "--full-speed", "--out", &draft]).current_dir(folder.file(""));
    run::<()>(&mut con, &["SADD", "old:1:2:3", "x"]);
    let ran = with_full_disk(&adopt, 0);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("cannot write") && ran.stdout.contains("KEY "), "{ran:?}");
    let mut shown = Command::new(program);
    shown.args(["catalog", "--catalog", &catalog, "--out", &list]);
    let ran = with_full_disk(&shown, 8);
    assert!(ran.failure().contains("cannot write"), "{ran:?}");
    assert_eq!(fs::read_to_string(&list).unwrap(), "as it was");
    assert_eq!(names(&folder), ["KEYS.md", "catalog.json"]);
    // The next run is not in the way of the first one.
    assert_eq!(Ran::new(purge.output().unwrap()).status, Some(0));
    assert_eq!(names(&folder), ["KEYS.md", "catalog.json", "plan"]);
}

/// As of a nightly job whose messages go to a log on the same disk.
#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_lose_nothing() {
    let (server, mut con) = start();
    fill(&mut con, 100);
    let folder = Folder::new();
    let (json, plan, url) = (folder.file("report.json"), folder.file("plan"), server.url());
    let without_stderr = |command: &mut Command| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        Ran::new(command.stderr(full).output().unwrap())
    };
    let ran = without_stderr(&mut command(&folder, &[&url, "--full-speed", "--json", &json]));
    assert!(ran.status == Some(0) && ran.stdout.contains("\n100 keys, "), "{ran:?}");
    assert!(fs::read_to_string(json).unwrap().starts_with('{'));
    let mut purge = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    purge.args(["purge", &url, "--key", "user:name:7:string", "--key", "user:name:none", "--plan", &plan]);
    let ran = without_stderr(purge.arg("--without-last-use"));
    assert_eq!((ran.status, fs::read_to_string(plan).unwrap().lines().count()), (Some(0), 2), "{ran:?}");
}

/// A state that cannot be saved is no reason to give up the audit.
#[cfg(unix)]
#[test]
fn an_audit_ends_without_a_state() {
    let (server, mut con) = start();
    fill(&mut con, 7_000);
    let folder = Folder::new();
    let state = folder.file("state");
    let audit = command(&folder, &[&server.url(), "--resume", &state, "--rate", "1000", "--max-latency", "1s"]);
    let ran = with_full_disk(&audit, 0);
    assert_eq!((ran.status, ran.keys()), (Some(0), 7_000), "{ran:?}");
    assert_eq!(ran.stderr.matches(&format!("warning: cannot write `{state}`")).count(), 1, "{ran:?}");
    assert_eq!(names(&folder), ["catalog.json"]);
}

#[test]
fn an_interrupted_audit_shows_what_was_counted() {
    let (server, mut con) = start();
    fill(&mut con, 20_000);
    let folder = Folder::new();
    let json = folder.write("report.json", "as it was");
    let running = Running::start(command(&folder, &[&server.url(), "--json", &json]), &mut con);
    running.signal("INT");
    let ran = running.finish();
    assert!(ran.failure().contains("error: interrupted"), "{ran:?}");
    assert!(ran.keys() > 0 && ran.stdout.contains("user:name:{integer}:string"), "{ran:?}");
    assert!(ran.stdout.contains("not checked: the audit has ended before all keys were seen"), "{ran:?}");
    assert_eq!(fs::read_to_string(json).unwrap(), "as it was");
}

/// Runs an audit of a server that never ends, and returns how long it took.
fn limited(url: &str, limit: &str) -> (Ran, Duration) {
    let clock = Instant::now();
    let ran = audit(&[url, "--full-speed", "--timeout", limit]);
    let took = clock.elapsed();
    assert!(took < Duration::from_secs(15), "{took:?}: {ran:?}");
    (ran, took)
}

#[test]
fn a_cursor_that_never_ends_is_given_up_at_the_time_limit() {
    let server = FakeServer::start(|command| {
        let reply: &[u8] = match String::from_utf8_lossy(&command[0]).to_uppercase().as_str() {
            "INFO" => b"$10\r\nrun_id:abc\r\n",
            "SCAN" => b"*2\r\n$1\r\n7\r\n*1\r\n$3\r\nfoo\r\n",
            "TYPE" => b"+string\r\n",
            "PTTL" | "MEMORY" | "STRLEN" | "DBSIZE" => b":60\r\n",
            _ => b"+OK\r\n",
        };
        reply.to_vec()
    });
    let (ran, took) = limited(&server.url(), "2s");
    assert!(took >= Duration::from_secs(2), "{took:?}");
    assert!(ran.failure().contains("error: stopped after the time limit of 2s"), "{ran:?}");
    assert!(ran.stderr.contains("help: with `--resume FILE`") && ran.stdout.contains("Audit of "), "{ran:?}");
    for wrong in ["0s", "5", "2 weeks"] {
        assert!(audit(&[&server.url(), "--timeout", wrong]).failure().contains("such as 90s, 30m or 2h"));
    }
}

#[test]
fn a_server_that_sends_a_byte_now_and_then_is_given_up_at_the_time_limit() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("redis://127.0.0.1:{}", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        use std::io::Write as _;
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut reply = b"$1000\r\n".iter().chain(std::iter::repeat(&b'x'));
                while reply.next().is_some_and(|byte| stream.write_all(&[*byte]).is_ok()) {
                    std::thread::sleep(Duration::from_millis(300));
                }
            });
        }
    });
    let (ran, _) = limited(&url, "2s");
    assert!(ran.failure().contains("error: stopped after the time limit of 2s"), "{ran:?}");
}

#[test]
fn a_long_name_takes_neither_time_nor_memory() {
    let (server, mut con) = start();
    let mut declared = key("Name", "user:name:{id}:string", Some(3_600_000), 0);
    declared["legacy"] = json!("User:{id}:Name");
    declared["parameters"][0]["type"] = json!("String");
    declared["parameters"][0]["values"] = json!(null);
    let left_out = json!({ "keys": [], "unread": [] });
    let foreign = json!({ "systems": [], "patterns": [] });
    let catalog = json!({ "format": 2, "keys": [declared], "unread": [], "left_out": left_out, "foreign": foreign });
    let folder = Folder::new();
    let catalog = folder.write("names.json", &catalog.to_string());
    let _: String = run(&mut con, &["SET", &"User:".repeat(20_000), "x"]);
    let _: String = run(&mut con, &["SET", &"x".repeat(100 << 20), "x"]);
    let (url, plan) = (server.url(), folder.file("plan"));
    let program = env!("CARGO_BIN_EXE_cargo-redis-keys");
    let clock = Instant::now();
    for arguments in
        [&["audit", &url][..], &["purge", &url, "--unknown", "--match", "*", "--without-last-use", "--plan", &plan]]
    {
        let mut command = Command::new(program);
        command.args(arguments).args(["--full-speed", "--catalog", &catalog]);
        // The memory of the process, in KB.
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 400000; exec \"$0\" \"$@\""]).arg(program).args(command.get_args());
        let ran = Ran::new(shell.output().unwrap());
        assert!(ran.status.is_some_and(|status| status < 2), "{ran:?}");
        assert!(ran.stdout.contains("1 key: more than 1 MB is too much for the name of it"), "{ran:?}");
        assert_eq!(ran.keys(), 1);
    }
    assert!(clock.elapsed() < Duration::from_secs(30), "{:?}", clock.elapsed());
}
