//! Users, passwords, and what a user may do.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use redis_keys::testing::Server;
use redis_keys_tests::{FakeServer, forward};

use super::run::{Folder, Ran, Running, audit, command, connect, fill, run, start};

fn server_with_password() -> Server {
    let (server, mut con) = start();
    fill(&mut con, 10_000);
    let _: String = run(&mut con, &["CONFIG", "SET", "requirepass", "sesame"]);
    server
}

fn with_password(server: &Server) -> String {
    server.url().replace("redis://", "redis://:sesame@")
}

#[test]
fn the_password_comes_from_the_environment_a_file_or_the_url() {
    let server = server_with_password();
    let (folder, url) = (Folder::new(), server.url());
    let file = folder.write("password", "sesame\n");
    let from_environment = command(&folder, &[&url, "--full-speed"]).env("REDISCLI_AUTH", "sesame").output();
    assert_eq!(Ran::new(from_environment.unwrap()).keys(), 10_000);
    assert_eq!(audit(&[&url, "--full-speed", "--password-file", &file]).keys(), 10_000);
    let from_url = audit(&[&with_password(&server), "--full-speed"]);
    assert_eq!(from_url.keys(), 10_000);
    assert!(from_url.stderr.starts_with("warning: the password in the URL can be seen by other users"), "{from_url:?}");
    // A password that is given otherwise is taken before that of the URL.
    let wrong = audit(&[&url.replace("redis://", "redis://:wrong@"), "--full-speed", "--password-file", &file]);
    assert_eq!(wrong.keys(), 10_000);
    let missing = audit(&[&url]);
    assert!(missing.failure().contains("refuses the connection: NOAUTH"), "{missing:?}");
}

#[test]
fn a_password_is_never_shown() {
    let server = server_with_password();
    let mut con = connect(&with_password(&server));
    let folder = Folder::new();
    let (url, file) = (with_password(&server), folder.file("state"));
    let running = Running::start(command(&folder, &[&url, "--resume", &file]), &mut con);
    let arguments = fs::read_to_string(format!("/proc/{}/cmdline", running.id())).unwrap();
    assert!(arguments.contains(&server.port().to_string()) && !arguments.contains("sesame"), "{arguments}");
    running.signal("INT");
    let ran = running.finish();
    assert!(ran.failure().contains("go on with"), "{ran:?}");
    let state = fs::read_to_string(file).unwrap();
    let wrong = audit(&[&url.replace("sesame", "sesame-wrong")]);
    wrong.failure();
    let no_url = audit(&["redis://:sesame@[", "--full-speed"]);
    no_url.failure();
    for text in [&ran.stdout, &ran.stderr, &state, &wrong.stderr, &no_url.stderr] {
        assert!(!text.contains("sesame"), "{text}");
    }
}

/// A server that was restarted loads its keys before it serves clients.
#[test]
fn a_server_that_is_loading_is_waited_for() {
    let (server, mut con) = start();
    fill(&mut con, 1_000);
    let (port, replies) = (server.port(), AtomicU32::new(0));
    let front = FakeServer::start(move |words| {
        let is_loading = words[0] != b"INFO" && replies.fetch_add(1, Ordering::Relaxed) < 6;
        let loading = b"-LOADING Redis is loading the dataset in memory\r\n";
        if is_loading { loading.to_vec() } else { forward(port, words).unwrap() }
    });
    let ran = audit(&[&front.url(), "--full-speed"]);
    assert_eq!((ran.status, ran.keys()), (Some(0), 1_000), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_server_can_have_a_unix_socket() {
    use std::io::copy;
    use std::net::{Shutdown, TcpStream};
    use std::os::unix::net::UnixListener;

    let (server, mut con) = start();
    fill(&mut con, 3_000);
    let (folder, port) = (Folder::new(), server.port());
    let path = folder.file("socket");
    let listener = UnixListener::bind(&path).unwrap();
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let (mut requests, mut replies) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || {
                let _ = copy(&mut requests, &mut &server);
                server.shutdown(Shutdown::Write)
            });
            std::thread::spawn(move || copy(&mut replies, &mut &client));
        }
    });
    let url = format!("unix://{path}");
    assert_eq!(audit(&[&url, "--full-speed"]).keys(), 3_000);
    assert_eq!(audit(&[&url, "--max-latency", "1s"]).keys(), 3_000);
    assert_eq!(audit(&[&format!("{url}?db=1"), "--full-speed"]).keys(), 0);
}

#[test]
fn the_printed_rule_is_enough() {
    let (server, mut con) = start();
    fill(&mut con, 100);
    let _: u64 = run(&mut con, &["RPUSH", "a:list", "x"]);
    let printed = audit(&["--acl"]);
    assert_eq!(printed.status, Some(0));
    let rule = printed.stdout.trim().replace("PASSWORD", "sesame");
    let words: Vec<&str> = rule.split(' ').collect();
    assert!(words.contains(&"+hotkeys|get"));
    // Redis 7.0 does not know the first one, and no server before Redis 8.6 the second one.
    let newer = [&[][..], &["+hotkeys|get"], &["+hotkeys|get", "+client|no-touch"]];
    let is_accepted = newer.into_iter().any(|newer| {
        let known: Vec<&str> = words.iter().copied().filter(|word| !newer.contains(word)).collect();
        redis::Cmd::new().arg(&known).exec(&mut con).is_ok()
    });
    assert!(is_accepted, "{rule}");
    let folder = Folder::new();
    let file = folder.write("password", "sesame");
    let ran = audit(&[&server.url(), "--user", "audit", "--password-file", &file]);
    // One key has no expiry.
    assert_eq!((ran.status, ran.keys()), (Some(1), 101), "{ran:?}");
    let log: redis::Value = run(&mut con, &["ACL", "LOG"]);
    let denied = format!("{log:?}");
    assert!(!denied.contains("command") || denied.contains("no-touch") || denied.contains("client"), "{denied}");
}

#[test]
fn a_user_who_may_not_even_scan_is_told_the_rule() {
    let (server, mut con) = start();
    fill(&mut con, 100);
    let _: String =
        run(&mut con, &["ACL", "SETUSER", "audit", "on", ">sesame", "~*", "-@all", "+info", "+scan", "+pttl"]);
    let folder = Folder::new();
    let file = folder.write("password", "sesame");
    let ran = audit(&[&server.url(), "--full-speed", "--user", "audit", "--password-file", &file]);
    let failure = ran.failure();
    assert!(failure.contains("does not reply to `TYPE` as expected: the command is refused"), "{failure}");
    assert!(failure.contains("help: `--acl` shows what the user must be allowed"), "{failure}");
}

#[test]
fn what_a_user_may_not_do_is_said_to_be_not_checked() {
    let (server, mut con) = start();
    fill(&mut con, 100);
    let _: String = run(&mut con, &["SET", "other:name:1:string", "x"]);
    let _: u64 = run(&mut con, &["RPUSH", "user:names:list", "x"]);
    let commands = ["+info", "+scan", "+type", "+pttl", "+dbsize", "+client", "+object", "+lrange"];
    let rule = [&["ACL", "SETUSER", "audit", "on", ">sesame", "~user:*", "-@all"][..], &commands].concat();
    let _: String = run(&mut con, &rule);
    let file = Folder::new();
    let password = file.write("password", "sesame");
    let ran = audit(&[&server.url(), "--json", "-", "--touch", "--user", "audit", "--password-file", &password]);
    // A key without an expiry is an error.
    assert_eq!((ran.status, ran.keys()), (Some(1), 101), "{ran:?}");
    for what in [
        "CONFIG is refused",
        "memory: `MEMORY USAGE` is refused",
        "`LLEN` is refused",
        "latency: `PING` is refused",
        "1 key: the user may not access it",
    ] {
        assert!(ran.stdout.contains(what), "{what}: {ran:?}");
    }
    let without_info = ["ACL", "SETUSER", "audit", "-info", "-dbsize", "+ping"];
    let _: String = run(&mut con, &without_info);
    let ran = audit(&[&server.url(), "--json", "-", "--full-speed", "--user", "audit", "--password-file", &password]);
    // A key without an expiry is an error.
    assert_eq!((ran.status, ran.keys()), (Some(1), 101), "{ran:?}");
    assert!(ran.stdout.contains("INFO is refused"), "{ran:?}");
}
