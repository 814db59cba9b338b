//! Ctrl-C, lost connections, and servers that are killed.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::{FakeServer, forward, wait_until};

use super::run::{
    Folder, Ran, act, calls, change, command, connect, dump, in_front_of, make_idle, number_of, plan, run, start,
    write_idle,
};

const KEYS: u64 = 1_500;

/// Keys that are idle, and a plan to remove them.
fn planned(folder: &Folder) -> (Server, Connection, String) {
    let (server, mut con) = start();
    for id in 0..KEYS {
        write_idle(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    write_idle(&mut con, &["SET", "app:settings:1:string", "x"]);
    let file = plan(folder, &["purge", &server.url(), "--schema", "Name"]);
    (server, con, file)
}

/// Starts to act on a plan, slowly.
fn slowly(folder: &Folder, server: &Server, file: &str) -> Child {
    let arguments = ["purge", &server.url(), "--plan", file, "--yes", "--rate", "1000", "--max-latency", "1s"];
    command(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

fn finish(child: Child) -> Ran {
    Ran::new(child.wait_with_output().unwrap())
}

#[test]
fn an_interrupted_purge_goes_on() {
    let folder = Folder::new();
    for name in ["INT", "TERM"] {
        let (server, mut con, file) = planned(&folder);
        let before = calls(&mut con, "eval");
        let child = slowly(&folder, &server, &file);
        wait_until("some keys are removed", || calls(&mut con, "eval") >= before + 200);
        signal(&child, name);
        let ran = finish(child);
        let failure = ran.failure();
        assert!(failure.contains("error: interrupted") && failure.contains("help: go on with `cargo"), "{ran:?}");
        let done = number_of(&ran, "removed");
        let left: u64 = run(&mut con, &["DBSIZE"]);
        assert_eq!(done + left, KEYS + 1, "{ran:?}");
        assert!(done > 0 && done < KEYS, "{done}");

        let ran = act(&folder, "purge", &server.url(), &file, &[]);
        assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), KEYS - done), "{ran:?}");
        assert_eq!(number_of(&ran, "gone already"), done, "{ran:?}");
        assert_eq!(dump(&mut con).len(), 1);
        fs::remove_file(file).unwrap();
    }
}

/// A plan that is not complete is not left behind.
#[test]
fn an_interrupted_plan_is_removed() {
    let (server, mut con) = start();
    for id in 0..5_000 {
        let _: () = run(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    let folder = Folder::new();
    let file = folder.file("plan");
    let arguments =
        ["purge", &server.url(), "--schema", "Name", "--plan", &file, "--rate", "500", "--max-latency", "1s"];
    let child = command(&folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("some keys are read", || calls(&mut con, "type") >= 100);
    // It has another name until it is complete.
    let partial = format!("{file}.{}.part", child.id());
    assert!(fs::exists(&partial).unwrap() && !fs::exists(&file).unwrap());
    signal(&child, "INT");
    let ran = finish(child);
    assert!(ran.failure().contains("interrupted"), "{ran:?}");
    assert!(!fs::exists(&partial).unwrap() && !fs::exists(&file).unwrap());
}

/// A server that is lost after the last key is no reason to lose the plan.
#[test]
fn a_plan_is_kept_if_the_server_is_lost_at_the_end() {
    let (server, mut con) = start();
    write_idle(&mut con, &["SET", "user:name:1:string", "x"]);
    let (port, types) = (server.port(), AtomicU32::new(0));
    let front = FakeServer::start(move |words| match words[0].as_slice() {
        b"TYPE" => {
            types.fetch_add(1, Ordering::Relaxed);
            forward(port, words).unwrap()
        }
        b"INFO" if types.load(Ordering::Relaxed) > 0 => Vec::new(),
        _ => forward(port, words).unwrap(),
    });
    let folder = Folder::new();
    let file = folder.file("plan");
    let ran = change(&folder, &["purge", &front.url(), "--schema", "Name", "--plan", &file, "--full-speed"]);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 1), "{ran:?}");
    assert!(ran.stdout.contains("not checked: child processes while the plan was made: "), "{ran:?}");
    assert_eq!(super::run::planned(&file).len(), 1);
}

#[test]
fn lost_connections_are_opened_again() {
    let folder = Folder::new();
    let (server, mut con, file) = planned(&folder);
    let child = slowly(&folder, &server, &file);
    for _ in 0..5 {
        let before = calls(&mut con, "eval");
        wait_until("it goes on", || calls(&mut con, "eval") > before);
        let _: u64 = run(&mut con, &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
    }
    let ran = finish(child);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(number_of(&ran, "removed") + number_of(&ran, "gone already"), KEYS, "{ran:?}");
    assert_eq!(dump(&mut con).len(), 1);
}

/// Two scripts have run when the connection breaks within the reply to the first one. Both run again.
#[test]
fn what_was_done_before_its_reply_was_lost_is_done() {
    for (name, done) in [("purge", "removed"), ("expire", "given an expiry")] {
        let (server, mut con) = start();
        for id in 0..4 {
            write_idle(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
        }
        let folder = Folder::new();
        let file = plan(&folder, &[name, &server.url(), "--schema", "Name"]);
        let _: u64 = run(&mut con, &["DEL", super::run::planned(&file)[0]["key"].as_str().unwrap()]);
        let front = in_front_of(&server, |index, forward| match (index, forward()) {
            (2, _) => b"*1\r\n".to_vec(),
            (3, _) => Vec::new(),
            (_, reply) => reply,
        });
        let ran = act(&folder, name, &front.url(), &file, &[]);
        assert_eq!((ran.status, number_of(&ran, done), number_of(&ran, "gone already")), (Some(0), 3, 1), "{ran:?}");
        assert!(!ran.stdout.contains("earlier run"), "{ran:?}");
    }
}

/// The keys are gone with the server, which is not an error.
#[test]
fn a_server_that_is_killed_and_started_again() {
    let folder = Folder::new();
    let (server, mut con, file) = planned(&folder);
    let before = calls(&mut con, "eval");
    let child = slowly(&folder, &server, &file);
    wait_until("some keys are removed", || calls(&mut con, "eval") >= before + 200);
    let port = server.port();
    drop(server);
    let server = Server::start_on(port).unwrap();
    let mut con = connect(&server.url());
    let _: () = run(&mut con, &["SET", "user:name:1499:string", "written after the restart"]);
    let _: () = run(&mut con, &["SET", "user:name:0:string", "written after the restart"]);
    let ran = finish(child);
    // The last keys may have been passed before they were written.
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 2, "they were used since the plan was made");
}

#[test]
fn a_server_that_stays_away_is_given_up() {
    let folder = Folder::new();
    let (server, mut con, file) = planned(&folder);
    let before = calls(&mut con, "eval");
    let child = slowly(&folder, &server, &file);
    wait_until("some keys are removed", || calls(&mut con, "eval") >= before + 200);
    drop(server);
    let ran = finish(child);
    assert!(ran.failure().contains("cannot be reached"), "{ran:?}");
    assert!(ran.failure().contains("help: go on with `cargo redis-keys purge "), "{ran:?}");
    assert!(number_of(&ran, "removed") > 0, "{ran:?}");
}

/// A large list that is idle, and a plan to remove it.
fn planned_list(folder: &Folder) -> (Server, Connection, String) {
    let (server, mut con) = start();
    let mut pipe = redis::pipe();
    for element in 0..2_000 {
        pipe.cmd("RPUSH").arg("old:list").arg(element).ignore();
    }
    pipe.exec(&mut con).unwrap();
    make_idle(&mut con, "old:list");
    let file = plan(folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    (server, con, file)
}

/// A server that is lost between two steps is no reason to say that the plan can be repeated.
#[test]
fn a_lost_server_leaves_a_part_of_a_collection() {
    let folder = Folder::new();
    let (server, _con, file) = planned_list(&folder);
    let front = in_front_of(&server, |index, forward| if index < 3 { forward() } else { b"-LOADING it\r\n".to_vec() });
    let ran = act(&folder, "purge", &front.url(), &file, &["--stepwise"]);
    let help = "help: make a new plan for what is left of 1 collection; for all other keys, go on with `cargo";
    assert!(ran.failure().contains(help), "{ran:?}");
    assert_eq!(number_of(&ran, "removed in part"), 1, "{ran:?}");
}

/// The first step has run, but its reply is lost: by then the list is not as planned.
#[test]
fn a_lost_reply_to_the_first_step_is_said() {
    let folder = Folder::new();
    let (server, mut con, file) = planned_list(&folder);
    let front = in_front_of(&server, |index, forward| match (index, forward()) {
        (0, _) => Vec::new(),
        (_, reply) => reply,
    });
    let ran = act(&folder, "purge", &front.url(), &file, &["--stepwise"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("old:list: it was changed, or a part of it is removed"), "{ran:?}");
    assert_eq!(run::<u64>(&mut con, &["LLEN", "old:list"]), 1_900);
}

/// The rest of a large collection stays, and is reported.
#[test]
fn an_interrupted_collection_is_said() {
    let (server, mut con) = start();
    let mut pipe = redis::pipe();
    for element in 0..50_000 {
        pipe.cmd("RPUSH").arg("old:list").arg(element).ignore();
    }
    pipe.exec(&mut con).unwrap();
    make_idle(&mut con, "old:list");
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let arguments = ["purge", &server.url(), "--plan", &file, "--yes", "--stepwise", "--pause", "20ms"];
    let child = command(&folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("some elements are removed", || calls(&mut con, "ltrim") >= 10);
    signal(&child, "INT");
    let ran = finish(child);
    let help = "help: make a new plan for what is left of 1 collection; for all other keys, go on with `cargo";
    assert!(ran.failure().contains("interrupted") && ran.failure().contains(help), "{ran:?}");
    assert_eq!(number_of(&ran, "removed in part: a new plan lists what is left"), 1, "{ran:?}");
    let left: u64 = run(&mut con, &["LLEN", "old:list"]);
    assert!((1..50_000).contains(&left) && left.is_multiple_of(100), "{left}");
    // The steps have used it.
    make_idle(&mut con, "old:list");
    fs::remove_file(&file).unwrap();
    let file = plan(&folder, &["purge", &server.url(), "--unknown", "--match", "old:*"]);
    let ran = act(&folder, "purge", &server.url(), &file, &["--stepwise"]);
    assert_eq!((ran.status, dump(&mut con).len()), (Some(0), 0), "{ran:?}");
}
