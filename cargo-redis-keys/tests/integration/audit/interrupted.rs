//! Ctrl-C, servers that go away, and what goes on after that.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use redis_keys::testing::Server;
use redis_keys_tests::wait_until;

use super::run::{Folder, Ran, Running, command, connect, fill, run, start};

const KEYS: u32 = 10_000;

fn resumed(folder: &Folder, url: &str) -> Ran {
    let file = folder.file("state");
    let ran = Ran::new(command(folder, &[url, "--resume", &file, "--full-speed"]).output().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(!fs::exists(file).unwrap(), "a complete audit leaves no state");
    ran
}

/// Starts an audit and interrupts it by a signal.
fn interrupted(folder: &Folder, server: &Server, signal: &str) -> Ran {
    let mut con = connect(&server.url());
    let file = folder.file("state");
    let running = Running::start(command(folder, &[&server.url(), "--resume", &file]), &mut con);
    running.signal(signal);
    let sent = Instant::now();
    let ran = running.finish();
    assert!(sent.elapsed() < Duration::from_secs(5), "it ends within a second on a machine that is not busy");
    ran
}

#[test]
fn an_interrupted_audit_goes_on() {
    for signal in ["INT", "TERM"] {
        let (server, mut con) = start();
        fill(&mut con, KEYS);
        let folder = Folder::new();
        let ran = interrupted(&folder, &server, signal);
        let failure = ran.failure();
        assert!(failure.contains("error: interrupted"), "{failure}");
        let help = format!("--resume {} --rate 1000 --max-latency 1s`", folder.file("state"));
        assert!(
            failure.contains("help: go on with `cargo redis-keys audit --catalog ") && failure.contains(&help),
            "{failure}"
        );

        let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
        assert_eq!(resumed(&folder, &server.url()).keys(), u64::from(KEYS));
        // The first pages are not read again.
        assert!(super::run::calls(&mut con, "type") < u64::from(KEYS));
    }
}

#[test]
fn without_a_file_it_says_how_to_go_on_later() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let folder = Folder::new();
    let running = Running::start(command(&folder, &[&server.url()]), &mut con);
    running.signal("INT");
    let ran = running.finish();
    assert!(ran.failure().contains("help: with `--resume FILE`, the audit can be interrupted and go on later"));
}

#[test]
fn a_server_that_was_restarted_is_read_anew() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let folder = Folder::new();
    interrupted(&folder, &server, "INT").failure();
    let port = server.port();
    drop(server);
    let server = Server::start_on(port).unwrap();
    fill(&mut connect(&server.url()), 3_000);
    let ran = resumed(&folder, &server.url());
    assert_eq!(ran.keys(), 3_000);
    assert!(ran.stderr.contains("was restarted; starting over"), "{ran:?}");
}

#[test]
fn a_server_that_is_restarted_during_the_audit_is_read_anew() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let folder = Folder::new();
    let running = Running::start(command(&folder, &[&server.url()]), &mut con);
    let port = server.port();
    drop(server);
    let server = Server::start_on(port).unwrap();
    fill(&mut connect(&server.url()), 2_000);
    let ran = running.finish();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    // It may have begun before the last key was written.
    assert!(ran.keys() <= 2_000, "{ran:?}");
}

#[test]
fn a_connection_that_is_lost_is_opened_again() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let folder = Folder::new();
    let running = Running::start(command(&folder, &[&server.url()]), &mut con);
    for _ in 0..3 {
        let before = super::run::calls(&mut con, "scan");
        let _: u64 = run(&mut con, &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
        wait_until("it goes on", || super::run::calls(&mut con, "scan") > before + 1);
    }
    let ran = running.finish();
    assert_eq!((ran.status, ran.keys()), (Some(0), u64::from(KEYS)), "{ran:?}");
}

#[test]
fn a_server_that_stays_away_is_given_up() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let folder = Folder::new();
    let file = folder.file("state");
    let running = Running::start(command(&folder, &[&server.url(), "--resume", &file]), &mut con);
    let port = server.port();
    drop(server);
    let ran = running.finish();
    let failure = ran.failure();
    assert!(failure.contains(&format!("error: cannot read 127.0.0.1:{port}: ")), "{failure}");
    assert!(failure.contains("help: go on with `cargo redis-keys audit "), "{failure}");
    assert!(fs::exists(file).unwrap());
}

#[test]
fn a_file_of_another_audit_is_refused() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let folder = Folder::new();
    interrupted(&folder, &server, "INT").failure();
    let file = folder.file("state");
    let url = server.url();
    let other = |options: &[&str]| {
        let arguments = [&[url.as_str(), "--resume", &file], options].concat();
        Ran::new(command(&folder, &arguments).output().unwrap())
    };
    let ran = other(&["--match", "user:*"]);
    assert!(ran.failure().contains("belongs to an audit with other declarations or options"), "{ran:?}");
    fs::write(&file, "{").unwrap();
    let ran = other(&[]);
    assert!(ran.failure().contains("is not the state of an audit"), "{ran:?}");
    assert!(fs::exists(&file).unwrap(), "it is not removed");
}

/// `kill` is a command of its own on every system.
#[test]
fn the_second_ctrl_c_is_not_needed_when_the_server_hangs() {
    let (server, mut con) = start();
    fill(&mut con, KEYS);
    let process: String = run(&mut con, &["INFO", "server"]);
    let process = process.lines().find_map(|line| line.strip_prefix("process_id:")).unwrap().to_owned();
    let folder = Folder::new();
    let running = Running::start(command(&folder, &[&server.url(), "--resume", &folder.file("state")]), &mut con);
    let kill = |signal: &str| Command::new("kill").args(["-s", signal, &process]).status().unwrap();
    kill("STOP");
    running.signal("INT");
    let sent = Instant::now();
    let ran = running.finish();
    kill("CONT");
    assert!(sent.elapsed() < Duration::from_secs(5));
    assert!(ran.failure().contains("interrupted"), "{ran:?}");
    assert_eq!(resumed(&folder, &server.url()).keys(), u64::from(KEYS));
}
