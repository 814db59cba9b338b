//! Plans, and runs that do just what is planned.

use std::fs;

use redis::Connection;
use redis_keys_tests::FakeServer;
use serde_json::{Value, json};

use super::run::{
    Folder, act, catalog, change, command, dump, key, keys, number_of, plan, planned, run, start, write_idle,
};

/// Keys of each kind that tests need, some of them hostile.
fn fill(con: &mut Connection) {
    for id in 0..120 {
        write_idle(con, &["SET", &format!("user:name:{id}:string"), "x"]);
        write_idle(con, &["SET", &format!("user:name:1{id:03}:string"), "x", "PX", "3600000"]);
    }
    write_idle(con, &["HSET", "user:visits:7:hash", "a", "b"]);
    write_idle(con, &["RPUSH", "user:name:9999:string", "of another type"]);
    for name in [
        "tmp:1",
        "tmp:\u{9b}2J\u{202e}",
        "tmp:\x1b[2J",
        "tmp:line\nbreak\r\n",
        "tmp:\"quoted\"\\",
        "tmp:<script>",
        "other:1",
    ] {
        write_idle(con, &["SET", name, "x"]);
    }
    redis::cmd("SADD").arg(b"tmp:\xff\x00\xfe").arg("x").exec(con).unwrap();
}

/// The commands that a server has run, without those of tests.
fn commands(con: &mut Connection) -> Vec<String> {
    let info: String = run(con, &["INFO", "commandstats"]);
    let names = info.lines().filter_map(|line| line.strip_prefix("cmdstat_")?.split(':').next());
    names.map(str::to_owned).filter(|name| !["config|resetstat", "info"].contains(&name.as_str())).collect()
}

#[test]
fn a_plan_is_made_without_a_write() {
    let (server, mut con) = start();
    fill(&mut con);
    let before = dump(&mut con);
    let folder = Folder::new();
    let selections: [&[&str]; 3] = [
        &["purge", &server.url(), "--schema", "Name", "--without-last-use"],
        &["purge", &server.url(), "--unknown", "--match", "tmp:*", "--without-last-use"],
        &["expire", &server.url()],
    ];
    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    for arguments in selections {
        let file = plan(&folder, arguments);
        fs::remove_file(file).unwrap();
        let without_plan = change(&folder, &[arguments, &["--full-speed"]].concat());
        assert_eq!(without_plan.status, Some(0), "{without_plan:?}");
        assert!(without_plan.stderr.contains("nothing is changed yet"), "{without_plan:?}");
    }
    let reads = [
        "client",
        "client|no-touch",
        "client|setinfo",
        "config",
        "config|get",
        "dbsize",
        // Digests, if the server can make them without a use.
        "eval",
        "get",
        "hello",
        "memory",
        "memory|usage",
        "object",
        "object|idletime",
        "ping",
        "pttl",
        "scan",
        "select",
        "strlen",
        "time",
        "type",
        "xinfo",
        "xinfo|stream",
    ];
    let writes: Vec<_> = commands(&mut con).into_iter().filter(|name| !reads.contains(&name.as_str())).collect();
    assert_eq!(writes, Vec::<String>::new());
    assert_eq!(dump(&mut con), before);
}

#[test]
fn only_planned_keys_are_touched() {
    let (server, mut con) = start();
    fill(&mut con);
    let mut expected = dump(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name", "--without-last-use"]);
    // A list is no `string`.
    expected.retain(|name, _| !name.starts_with(b"user:name:") || name == b"user:name:9999:string");
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 240), "{ran:?}");
    assert!(ran.stdout.contains("  shop::keys::Name\n"), "{ran:?}");
    assert_eq!(dump(&mut con), expected);
    // To repeat it is safe.
    let _: () = run(&mut con, &["SET", "user:name:77777:string", "new"]);
    let again = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((again.status, number_of(&again, "gone already")), (Some(0), 240), "{again:?}");
    let left: u64 = run(&mut con, &["EXISTS", "user:name:77777:string"]);
    assert_eq!(left, 1);
}

/// `SCAN` can return a key twice, and a key can vanish after it was returned.
#[test]
fn a_key_is_planned_once_unless_it_vanishes() {
    const INFO: &str = "$73\r\nrun_id:abc\r\ntotal_forks:0\r\nlatest_fork_usec:0\r\ntotal_commands_processed:1\r\n";
    const REPLIES: [(&str, &str); 9] = [
        ("INFO", INFO),
        ("CONFIG", "*0\r\n"),
        ("SCAN 0", "*2\r\n$1\r\n7\r\n*2\r\n$18\r\nuser:name:1:string\r\n$18\r\nuser:name:1:string\r\n"),
        (
            "SCAN 7",
            "*2\r\n$1\r\n0\r\n*4\r\n$18\r\nuser:name:2:string\r\n$18\r\nuser:name:1:string\r\n\
             $18\r\nuser:name:3:string\r\n$18\r\nuser:name:4:string\r\n",
        ),
        ("TYPE user:name:4", "+none\r\n"),
        ("TYPE", "+string\r\n"),
        ("OBJECT IDLETIME user:name:3", "$-1\r\n"),
        ("TIME", "*2\r\n$10\r\n2000000000\r\n$1\r\n0\r\n"),
        ("PTTL", ":-1\r\n"),
    ];
    let server = FakeServer::start(|words| {
        let command = words.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>().join(" ");
        let reply = REPLIES.iter().find(|(start, _)| command.starts_with(start));
        reply.map_or(":1000\r\n", |(_, reply)| reply).as_bytes().to_vec()
    });
    let folder = Folder::new();
    for arguments in [&["purge", &server.url(), "--schema", "Name"][..], &["expire", &server.url()]] {
        let file = plan(&folder, arguments);
        let names: Vec<Value> = planned(&file).iter().map(|line| line["key"].clone()).collect();
        // Only a key that is to be removed is asked when it was used, after everything else.
        let expected: &[&str] = if arguments[0] == "purge" { &["1", "2"] } else { &["1", "2", "3"] };
        let expected: Vec<_> = expected.iter().map(|id| format!("user:name:{id}:string")).collect();
        assert_eq!(names, expected, "{arguments:?}");
        fs::remove_file(file).unwrap();
        let ran = change(&folder, &[arguments, &["--full-speed"]].concat());
        assert_eq!(number_of(&ran, "would "), names.len() as u64, "{ran:?}");
    }
}

#[test]
fn unknown_keys_with_hostile_names() {
    let (server, mut con) = start();
    fill(&mut con);
    let mut expected = dump(&mut con);
    let folder = Folder::new();
    let arguments = ["purge", &server.url(), "--unknown", "--match", "tmp:*", "--without-last-use", "--full-speed"];
    let ran = change(&folder, &[&arguments[..], &["--show-keys"]].concat());
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 7), "{ran:?}");
    assert!(!ran.stdout.contains('\x1b'), "{ran:?}");
    assert!(ran.stdout.contains("tmp:<script>"), "{ran:?}");
    let file = plan(&folder, &arguments[..6]);
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 8);
    assert!(
        !lines.contains(['\x1b', '\u{9b}', '\u{202e}']) && lines.contains(r#"{"base64":"dG1wOv8A/g=="}"#),
        "{lines}"
    );
    let ran = act(&folder, "purge", &server.url(), &file, &["--json"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.status, &json["done"], &json["changed_since"]), (Some(0), &json!(7), &json!(0)), "{ran:?}");
    expected.retain(|name, _| !name.starts_with(b"tmp:"));
    assert_eq!(dump(&mut con), expected);
}

#[test]
fn unknown_keys_need_a_pattern_and_a_whole_catalog() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let ran = change(&folder, &["purge", &server.url(), "--unknown"]);
    assert!(ran.failure().contains("--match <GLOB>"), "{ran:?}");
    let url = server.url();
    let arguments = ["purge", &url, "--unknown", "--match", "tmp:*", "--full-speed"];
    let run_with = |keys: &[Value], unread: &[Value]| {
        let mut command = command(&folder, &arguments);
        catalog(&folder, keys, unread);
        super::run::Ran::new(command.output().unwrap())
    };
    let place = |line: u64| json!({ "file": "src/\u{1b}x.rs", "line": line, "why": "macro_rules" });
    let ran = run_with(&keys(), &[place(9)]);
    assert!(ran.failure().contains("1 place may declare keys"), "{ran:?}");
    assert!(ran.failure().contains("src/\\x1bx.rs:9: macro_rules"), "{ran:?}");
    assert!(ran.failure().contains("help: `--built` reads what macros declare"), "{ran:?}");
    let ran = run_with(&[], &[]);
    assert!(ran.failure().contains("the catalogue has no keys"), "{ran:?}");
}

#[test]
fn a_name_must_be_that_of_one_declaration() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let mut other = key("Name", "order:name:{id}:string", Some(1_000), 0);
    other["package"] = json!("orders");
    let all = [keys(), vec![other]].concat();
    let url = server.url();
    let run_with = |name: &str| {
        let mut command = command(&folder, &["purge", &url, "--schema", name, "--full-speed"]);
        catalog(&folder, &all, &[]);
        super::run::Ran::new(command.output().unwrap())
    };
    let ran = run_with("Name");
    assert!(ran.failure().contains("2 declarations are named `Name`"), "{ran:?}");
    assert!(ran.failure().contains("help: choose one: `orders::keys::Name`, `shop::keys::Name`"), "{ran:?}");
    for (name, keys) in [("shop::keys::Name", 240), ("orders::keys::Name", 0)] {
        let ran = run_with(name);
        assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), keys), "{ran:?}");
    }
    assert!(run_with("Nam\x1b").failure().contains("no declaration is named `Nam\\x1b`"));
    assert!(run_with("ame").failure().contains("no declaration is named `ame`"));
}

#[test]
fn named_keys_need_no_plan() {
    use std::os::unix::ffi::OsStrExt as _;
    let (server, mut con) = start();
    fill(&mut con);
    let mut expected = dump(&mut con);
    let folder = Folder::new();
    let hostile = std::ffi::OsStr::from_bytes(b"tmp:\xff\xfe");
    redis::cmd("SET").arg(b"tmp:\xff\xfe").arg("x").exec(&mut con).unwrap();
    let run_with = |options: &[&str]| {
        let keys = ["--key", "tmp:1", "--key", "tmp:\x1b", "--key", "tmp:1"];
        let mut command = command(&folder, &[&["purge", &server.url()], &keys[..]].concat());
        super::run::Ran::new(command.arg("--key").arg(hostile).args(options).output().unwrap())
    };
    let ran = run_with(&[]);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 2), "{ran:?}");
    assert!(ran.stderr.contains("note: there is no key `tmp:\\x1b`"), "{ran:?}");
    let ran = run_with(&["--yes"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 2), "{ran:?}");
    expected.remove(b"tmp:1".as_slice());
    assert_eq!(dump(&mut con), expected);
}

#[test]
fn yes_needs_a_plan() {
    let (server, _con) = start();
    let folder = Folder::new();
    let url = server.url();
    let url = url.as_str();
    let file = folder.file("none");
    let cases: [(&[&str], &str); 7] = [
        (&["purge", url, "--schema", "Name", "--yes"], "`--yes` needs a plan"),
        (&["expire", url, "--yes"], "`--yes` needs a plan"),
        (&["purge", url, "--schema", "Name", "--yes", "--plan", &file], "the plan says which keys are changed"),
        (&["expire", url, "--match", "a:*", "--yes", "--plan", &file], "the plan says which keys are changed"),
        (&["purge", url], "missing key selection"),
        (&["purge", url, "--yes", "--plan", &file], "cannot read"),
        (&["purge", url, "--schema", "Name", "--unknown", "--match", "*"], "cannot be used with"),
    ];
    for (arguments, message) in cases {
        let ran = change(&folder, arguments);
        assert!(ran.failure().contains(message), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_namespace_comes_before_the_keys() {
    let (server, mut con) = start();
    for key in ["shop:user:name:1:string", "user:name:1:string", "other:user:name:1:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name", "--namespace", "shop"]);
    let lines = planned(&file);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["key"], "shop:user:name:1:string");
}
