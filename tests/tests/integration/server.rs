//! `redis_keys::testing::Server`: that it is private, and that nothing is left of it.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use redis_keys::testing::Server;
use redis_keys_tests::Con;

/// Where a server at this address keeps nothing.
fn folder(url: &str) -> PathBuf {
    let [_, folder]: [String; 2] = Con::blocking(url).raw(&["CONFIG", "GET", "dir"]);
    folder.into()
}

fn answers(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

#[test]
fn it_is_gone_when_it_is_dropped() {
    let server = Server::start().expect("a server starts");
    let (folder, port) = (folder(&server.url()), server.port());
    assert!(folder.exists() && answers(port));
    drop(server);
    assert!(!folder.exists() && !answers(port));
}

#[test]
fn each_is_private() {
    let servers: Vec<Server> = (0..4).map(|_| Server::start().expect("a server starts")).collect();
    for (at, server) in servers.iter().enumerate() {
        let mut con = Con::blocking(&server.url());
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
        let _: String = con.raw(&["SET", "x", &at.to_string(), "EX", "60"]);
    }
}

#[test]
fn it_is_gone_when_the_thread_panics() {
    let (send, receive) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let server = Server::start().expect("a server starts");
        send.send(server.port()).expect("the test listens");
        panic!("this panic is part of the test");
    });
    let port = receive.recv().expect("a port");
    assert!(thread.join().is_err());
    assert!(!answers(port));
}

/// Not a test: the process that [`it_is_gone_when_the_process_is_killed`] kills.
#[test]
#[ignore = "runs inside another test"]
fn hold_a_server_until_killed() {
    let server = Server::start().expect("a server starts");
    println!("\nserver at {}", server.url());
    sleep(Duration::from_secs(60));
}

#[test]
fn it_is_gone_when_the_process_is_killed() {
    let mut child = Command::new(std::env::current_exe().expect("this binary has a path"))
        .args(["--exact", "server::hold_a_server_until_killed", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("this binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines().map_while(Result::ok);
    let url =
        lines.find_map(|line| line.strip_prefix("server at ").map(str::to_owned)).expect("it says where its server is");
    let folder = folder(&url);
    assert!(folder.exists());
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
    for _ in 0..1_000 {
        if !folder.exists() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{} is still there", folder.display());
}

#[test]
fn what_does_not_start_says_why() {
    for program in ["/no/such/server", "false"] {
        let error = Server::start_with(program).expect_err("that is no server");
        assert!(error.to_string().contains(program), "{error}");
    }
}
