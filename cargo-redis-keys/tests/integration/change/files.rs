//! Plans that others have written, and plans of other servers.

use std::fs;

use redis_keys::testing::Server;
use serde_json::{Value, json};

use super::run::{Folder, act, change, connect, dump, plan, run, start, write_idle};

/// A server with keys, and the lines of a plan for them.
fn planned(folder: &Folder) -> (Server, Vec<String>) {
    let (server, mut con) = start();
    for id in 0..60 {
        write_idle(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    let file = plan(folder, &["purge", &server.url(), "--schema", "Name"]);
    let lines = fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect();
    (server, lines)
}

#[test]
fn no_file_is_overwritten() {
    let folder = Folder::new();
    let (server, _) = planned(&folder);
    let file = folder.file("plan");
    let before = fs::read(&file).unwrap();
    let ran = change(&folder, &["purge", &server.url(), "--schema", "Name", "--plan", &file, "--full-speed"]);
    assert!(ran.failure().contains("exists already"), "{ran:?}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// Nothing is done before the whole file is read.
#[test]
fn a_file_that_is_no_plan_changes_nothing() {
    let folder = Folder::new();
    let (server, lines) = planned(&folder);
    let mut con = connect(&server.url());
    let before = dump(&mut con);
    let header = |change: fn(&mut Value)| {
        let mut header: Value = serde_json::from_str(&lines[0]).unwrap();
        change(&mut header);
        header.to_string()
    };
    let with_header = |header: String| [vec![header], lines[1..].to_vec()].concat().join("\n").into_bytes();
    let with_line = |line: &[u8]| [lines.join("\n").as_bytes(), b"\n", line, b"\n"].concat();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "the file is empty"),
        (b"hello\n".to_vec(), "line 1 of"),
        (lines[1..].join("\n").into_bytes(), "missing field `format`"),
        (with_header(header(|header| header["format"] = json!(1))), "has format 1, expected 3"),
        (with_header(header(|header| header["command"] = json!("expire"))), "is a plan for `expire`, not for `purge`"),
        (with_header(header(|header| header["database"] = json!(3))), "is a plan for database 3"),
        (with_header(header(|header| header["nodes"] = json!([]))), "is a plan for"),
        (with_line(b"{"), "line 62 of"),
        (with_line(b""), "line 62 of"),
        (with_line(b"\xff\xfe"), "line 62 of"),
        (with_line(br#"{"node":"x","key":{"base64":"?"},"type":"string"}"#), "line 62 of"),
        (with_line(br#"{"node":"x","key":7,"type":"string"}"#), "line 62 of"),
        (with_line(br#"{"node":"x","key":"user:name:1:string","type":"string","bytes":-1}"#), "line 62 of"),
        (with_line("[".repeat(100_000).as_bytes()), "line 62 of"),
    ];
    for (text, message) in cases {
        let file = folder.file("hostile");
        fs::write(&file, &text).unwrap();
        let ran = act(&folder, "purge", &server.url(), &file, &[]);
        assert!(ran.failure().contains(message), "{message}: {ran:?}");
        assert!(!ran.stderr.contains('\x1b'), "{ran:?}");
    }
    assert_eq!(dump(&mut con), before);
}

#[test]
fn lines_can_be_removed_and_repeated() {
    let folder = Folder::new();
    let (server, lines) = planned(&folder);
    let some = [&lines[..11], &lines[1..3]].concat().join("\n");
    let file = folder.write("some", &some);
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("10 keys removed") && ran.stdout.contains("\n2 keys gone already\n"), "{ran:?}");
    let left: u64 = run(&mut connect(&server.url()), &["DBSIZE"]);
    assert_eq!(left, 50);
}

#[test]
fn a_plan_of_another_server_is_refused() {
    let folder = Folder::new();
    let (server, lines) = planned(&folder);
    let (other, mut con) = start();
    for id in 0..60 {
        write_idle(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    let before = dump(&mut con);
    let file = folder.write("plan.of.other", &lines.join("\n"));
    let ran = act(&folder, "purge", &other.url(), &file, &[]);
    let message = format!("is a plan for 127.0.0.1:{}, not for 127.0.0.1:{}", server.port(), other.port());
    assert!(ran.failure().contains(&message), "{ran:?}");
    let ran = act(&folder, "purge", &format!("{}/1", server.url().trim_end_matches('/')), &file, &[]);
    assert!(ran.failure().contains("is a plan for database 0"), "{ran:?}");
    assert_eq!(dump(&mut con), before);
    // The same server under another name.
    let ran = act(&folder, "purge", &server.url().replace("127.0.0.1", "localhost"), &file, &[]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

/// The names of declarations come from the file.
#[test]
fn hostile_names_of_declarations_are_escaped() {
    let folder = Folder::new();
    let (server, lines) = planned(&folder);
    let mut line: Value = serde_json::from_str(&lines[1]).unwrap();
    line["declaration"] = json!("\u{1b}[2J");
    line["type"] = json!("\u{1b}hash");
    let mut renamed = line.clone();
    renamed["type"] = json!("string");
    let file = folder.write("hostile", &[lines[0].clone(), line.to_string(), renamed.to_string()].join("\n"));
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(!ran.stdout.contains('\x1b') && ran.stdout.contains("\\x1b[2J"), "{ran:?}");
}
