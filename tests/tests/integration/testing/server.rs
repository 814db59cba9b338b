//! `redis_keys::testing::Server`.

use std::net::TcpStream;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use redis_keys::testing::Server;
use redis_keys_tests::{Child, Con, wait_until};

/// Returns the working directory of the server at an address.
pub(super) fn folder(url: &str) -> PathBuf {
    let [_, folder]: [String; 2] = Con::blocking(url).raw(&["CONFIG", "GET", "dir"]);
    folder.into()
}

pub(super) fn answers(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

#[test]
fn dropping_a_server_removes_it() {
    let server = Server::start().expect("a server starts");
    let (folder, port) = (folder(&server.url()), server.port());
    assert!(folder.exists() && answers(port));
    drop(server);
    assert!(!folder.exists() && !answers(port));
}

#[test]
fn each_server_is_private() {
    let servers: Vec<Server> = (0..4).map(|_| Server::start().expect("a server starts")).collect();
    for (index, server) in servers.iter().enumerate() {
        let mut con = Con::blocking(&server.url());
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
        let _: String = con.raw(&["SET", "x", &index.to_string(), "EX", "60"]);
    }
}

#[test]
fn a_server_is_removed_when_its_thread_panics() {
    let (send, receive) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let server = Server::start().expect("a server starts");
        send.send(server.port()).expect("the test receives the port");
        panic!("this panic is part of the test");
    });
    let port = receive.recv().expect("the thread sends its port");
    assert!(thread.join().is_err());
    assert!(!answers(port));
}

/// Not a test: the process that [`a_server_is_removed_when_its_process_is_killed`] kills.
#[test]
#[ignore = "runs inside another test"]
fn hold_a_server_until_killed() {
    let server = Server::start().expect("a server starts");
    println!("\nserver at {}", server.url());
    sleep(Duration::from_secs(60));
}

#[test]
fn a_server_is_removed_when_its_process_is_killed() {
    let mut child = Child::start("testing::server::hold_a_server_until_killed", &[]);
    let folder = folder(&child.wait_for_line("server at "));
    assert!(folder.exists());
    child.kill();
    wait_until("the folder is removed", || !folder.exists());
}

#[test]
fn a_program_that_does_not_start_is_reported() {
    for program in ["/no/such/server", "false"] {
        let error = Server::start_with(program).expect_err("the program is not a server");
        assert!(error.to_string().contains(program), "{error}");
    }
}
