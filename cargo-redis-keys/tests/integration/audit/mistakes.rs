//! Mistakes on the command line, which are reported at once.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::run::{Folder, Ran, Running, audit, command, connect, fill, run, start};

/// No server has this address.
const NOWHERE: &str = "redis://127.0.0.1:1";

#[test]
fn files_that_cannot_be_written_or_read_are_found_before_the_scan() {
    let folder = Folder::new();
    let (missing, kept) = (folder.file("missing/file"), folder.write("kept", "as it was"));
    let text = folder.write("text", "no report");
    let other = folder.write("other", r#"{"format":9}"#);
    for (option, file, message) in [
        ("--json", &missing, "cannot write"),
        ("--html", &missing, "cannot write"),
        ("--prometheus", &missing, "cannot write"),
        ("--resume", &missing, "cannot write"),
        ("--baseline", &missing, "cannot read"),
        ("--baseline", &text, "not a report of an audit"),
        ("--baseline", &other, "the report has format 9, expected 1"),
    ] {
        let ran = audit(&[NOWHERE, option, file]);
        assert!(ran.failure().contains(message), "{option}: {ran:?}");
    }
    let new = folder.file("new");
    for file in [&kept, &new] {
        assert!(audit(&[NOWHERE, "--json", file]).failure().contains("cannot read 127.0.0.1:1"));
    }
    assert_eq!(fs::read_to_string(kept).unwrap(), "as it was");
    assert!(!fs::exists(new).unwrap());
}

#[test]
fn a_server_that_never_replied_is_given_up_at_once() {
    let (server, _con) = start();
    // The listener accepts connections and does not reply, as a stopped server does.
    let stopped = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let stopped = format!("redis://127.0.0.1:{}", stopped.local_addr().unwrap().port());
    for (url, why, help) in [
        (NOWHERE.to_owned(), "refused", "help: check that the server runs, and its host and port"),
        (stopped, "", "help: check the host and the port, that the server is not stopped"),
        (server.url().replace("redis://", "rediss://"), "", "that it speaks TLS: without TLS, write `redis://`"),
    ] {
        let folder = Folder::new();
        let mut purge = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
        // Outside of a project, whose sources are read first.
        purge.args(["purge", &url, "--key", "a"]).current_dir(folder.file(""));
        for mut command in [command(&folder, &[&url]), purge] {
            let clock = Instant::now();
            let ran = Ran::new(command.output().unwrap());
            assert!(ran.failure().contains(why) && ran.stderr.contains(help), "{ran:?}");
            assert!(clock.elapsed() < Duration::from_secs(12), "{:?}: {ran:?}", clock.elapsed());
        }
    }
}

#[test]
fn a_missing_password_names_the_ways_to_give_it() {
    let (server, mut con) = start();
    let _: String = run(&mut con, &["CONFIG", "SET", "requirepass", "sesame"]);
    let ran = audit(&[&server.url()]);
    assert!(ran.failure().contains("help: set the password in `REDISCLI_AUTH`, or use `--askpass`"), "{ran:?}");
}

/// The state of another server, or of another database, is not overwritten.
#[test]
fn a_state_belongs_to_its_servers() {
    let (server, mut con) = start();
    fill(&mut con, 20_000);
    let folder = Folder::new();
    let file = folder.file("state");
    let running = Running::start(command(&folder, &[&server.url(), "--resume", &file]), &mut con);
    running.signal("INT");
    assert!(running.finish().failure().contains("go on with"));
    let state = fs::read(&file).unwrap();
    let (other, mut con) = start();
    fill(&mut con, 10);
    for url in [other.url(), format!("{}1", server.url())] {
        let ran = audit(&[&url, "--resume", &file]);
        let message = format!("belongs to an audit of 127.0.0.1:{}/0, not of 127.0.0.1:", server.port());
        assert!(ran.failure().contains(&message), "{ran:?}");
        assert!(ran.stderr.contains("help: remove `"), "{ran:?}");
        assert_eq!(fs::read(&file).unwrap(), state);
    }
    assert_eq!(audit(&[&server.url(), "--resume", &file, "--full-speed"]).keys(), 20_000);
}

#[test]
fn keys_in_other_databases_are_mentioned() {
    let (server, mut con) = start();
    fill(&mut con, 10);
    let (url, first) = (server.url(), format!("{}1", server.url()));
    let mut con = connect(&first);
    for key in ["user:name:1:string", "user:name:2:string"] {
        let _: String = run(&mut con, &["SET", key, "x", "EX", "60"]);
    }
    let not_checked = |urls: &[&str]| {
        let ran = audit(&[urls, &["--full-speed", "--json", "-"]].concat());
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        report["not_checked"].to_string()
    };
    let message = format!("2 keys in database 1 of 127.0.0.1:{}: its URL ends with `/1`", server.port());
    assert!(not_checked(&[&url]).contains(&message), "{}", not_checked(&[&url]));
    assert!(not_checked(&[&first]).contains("10 keys in database 0 of"));
    assert!(!not_checked(&[&url, &first]).contains("in database"));
}

/// A host that can reach the server often has neither the project nor cargo.
#[test]
fn an_audit_needs_no_project() {
    let (server, mut con) = start();
    fill(&mut con, 10);
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    command.args(["audit", &server.url(), "--full-speed"]).current_dir(folder.file("")).env("PATH", "");
    let ran = Ran::new(command.output().unwrap());
    assert_eq!((ran.status, ran.keys()), (Some(0), 10), "{ran:?}");
    assert!(ran.stderr.contains("note: there is no Cargo project here"), "{ran:?}");
    assert!(ran.stdout.contains("there are no declarations, so unknown keys are not findings"), "{ran:?}");
}
