//! Audits that look green, and are not.

use std::fs;
use std::process::{Command, Stdio};

use redis_keys::testing::Server;
use redis_keys_tests::FakeServer;
use serde_json::Value;

use super::run::{Folder, Ran, audit, command, fill, run, start};

#[test]
fn a_wrong_namespace_is_refused() {
    let (server, mut con) = start();
    fill(&mut con, 10);
    for (namespace, message) in [("shop:", "write `shop`"), ("Shop", "starts with a letter"), ("", "for example")] {
        let ran = audit(&[&server.url(), "--namespace", namespace]);
        assert!(ran.failure().contains(message), "{ran:?}");
    }
    // A valid one without keys is in the result.
    let ran = audit(&[&server.url(), "--full-speed", "--namespace", "shop"]);
    assert!(ran.stdout.contains("the servers have 10 keys, of which none was read: see `--namespace`"), "{ran:?}");
}

/// A server that replies `MOVED` for some or for all keys, and does not say that it is a node of a cluster.
fn moving(all: bool) -> FakeServer {
    FakeServer::start(move |command| {
        let words: Vec<_> = command.iter().map(|word| String::from_utf8_lossy(word).to_uppercase()).collect();
        let moves = all || words.last().is_some_and(|key| key == "FOO");
        let reply: &[u8] = match words[0].as_str() {
            "INFO" => b"$10\r\nrun_id:abc\r\n",
            "SCAN" => b"*2\r\n$1\r\n0\r\n*2\r\n$3\r\nfoo\r\n$3\r\nbar\r\n",
            "TYPE" | "PTTL" | "MEMORY" if moves => b"-MOVED 12182 127.0.0.1:7000\r\n",
            "TYPE" => b"+string\r\n",
            "PTTL" | "MEMORY" | "STRLEN" | "DBSIZE" => b":60\r\n",
            "CONFIG" | "OBJECT" => b"-NOPERM no permissions\r\n",
            _ => b"+OK\r\n",
        };
        reply.to_vec()
    })
}

#[test]
fn keys_that_another_node_has_are_not_lost_in_silence() {
    let server = moving(true);
    let ran = audit(&[&server.url(), "--full-speed"]);
    assert!(ran.failure().contains("replies for each of its 2 keys that another node has it"), "{ran:?}");
    assert!(ran.stderr.contains("help: it is a node of a cluster, and does not say so"), "{ran:?}");
    let server = moving(false);
    let ran = audit(&[&server.url(), "--full-speed", "--json", "-"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        report["not_checked"].to_string().contains("1 key: the server replies that another node has it"),
        "{ran:?}"
    );
    assert_eq!((report["is_complete"].as_bool(), ran.keys()), (Some(false), 1));
}

/// Writes the report of an audit with these options, and returns its file.
fn report(folder: &Folder, server: &Server, options: &[&str]) -> String {
    let file = folder.file("baseline.json");
    audit(&[&[server.url().as_str(), "--full-speed", "--json", &file], options].concat()).keys();
    file
}

#[test]
fn a_new_pattern_without_an_expiry_is_a_finding() {
    let (server, mut con) = start();
    for id in 0..40 {
        let _: String = run(&mut con, &["SET", &format!("cart:{id}"), "x"]);
        let _: String = run(&mut con, &["SET", &format!("{id:064x}"), "x"]);
    }
    let folder = Folder::new();
    let url = server.url();
    let file = report(&folder, &server, &[]);
    let compared = || audit(&[&url, "--full-speed", "--baseline", &file]);
    assert_eq!(compared().status, Some(0), "{:?}", compared());
    // Fewer than 10 % more keys, in a pattern of their own.
    for key in ["basket:1", "basket:2"] {
        let _: String = run(&mut con, &["SET", key, "x"]);
    }
    let ran = compared();
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("no_expiry in new unknown string without expiry {hidden}:{integer}"), "{ran:?}");
    let json = audit(&[&url, "--full-speed", "--baseline", &file, "--format", "json"]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["changes"][0]["is_new_without_expiry"], true, "{json:?}");
    // Another pattern that is shown alike is new as well.
    let file = self::report(&folder, &server, &[]);
    assert_eq!(audit(&[&url, "--full-speed", "--baseline", &file]).status, Some(0));
    let _: String = run(&mut con, &["SET", "trolley:1", "x"]);
    assert_eq!(audit(&[&url, "--full-speed", "--baseline", &file]).status, Some(1));
    // One with an expiry is shown, and fails only with `--fail-on`.
    let _: u64 = run(&mut con, &["DEL", "trolley:1"]);
    let _: String = run(&mut con, &["SET", "wagon:1", "x", "EX", "600"]);
    assert_eq!(audit(&[&url, "--full-speed", "--baseline", &file]).status, Some(0));
}

#[test]
fn a_baseline_of_other_keys_is_refused() {
    let ((server, mut con), (other, mut other_con)) = (start(), start());
    fill(&mut con, 20);
    fill(&mut other_con, 20);
    let folder = Folder::new();
    let (url, sampled) = (server.url(), ["--sample", "10"]);
    for (made_with, options, message) in [
        (&[][..], &[][..], None),
        (&sampled[..], &sampled[..], None),
        (&sampled[..], &[][..], Some("with `--sample 10`, not without `--sample`")),
        (&[][..], &sampled[..], Some("without `--sample`, not with `--sample 10`")),
        (&["--match", "user:*"][..], &[][..], Some("with `--match user:*`")),
        (&[][..], &["--namespace", "shop"][..], Some("not with `--namespace shop`")),
        (&["--show-keys"][..], &[][..], Some("with `--show-keys`, not without")),
    ] {
        let file = report(&folder, &server, made_with);
        let ran = audit(&[&[url.as_str(), "--full-speed", "--baseline", &file], options].concat());
        match message {
            None => assert_eq!(ran.status, Some(0), "{ran:?}"),
            Some(message) => assert!(ran.failure().contains(message), "{message}: {ran:?}"),
        }
    }
    let file = report(&folder, &other, &[]);
    let ran = audit(&[&url, "--baseline", &file]);
    let message = format!("an audit of 127.0.0.1:{}/0, not of 127.0.0.1:{}/0", other.port(), server.port());
    assert!(ran.failure().contains(&message) && ran.stderr.contains("help: make a baseline"), "{ran:?}");
    let text = fs::read_to_string(&file).unwrap().replace("\"is_complete\": true", "\"is_complete\": false");
    let file = folder.write("baseline.json", &text);
    assert!(audit(&[&other.url(), "--baseline", &file]).failure().contains("that has not seen all keys"));
}

/// The status of a program whose output is closed before its end is that of `SIGPIPE`.
#[test]
fn a_closed_pipe_is_no_success() {
    let (server, mut con) = start();
    fill(&mut con, 10);
    let folder = Folder::new();
    let mut audit = command(&folder, &[&server.url(), "--full-speed"]);
    let mut child = audit.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(Ran::new(child.wait_with_output().unwrap()).status, Some(141));
    // A reader that has all of it.
    let mut shell = Command::new("sh");
    let script = format!("{{ \"$0\" \"$@\"; echo $? >&2; }} | cat >{}", folder.file("out"));
    shell.args(["-c", &script]).arg(audit.get_program()).args(audit.get_args());
    let ran = Ran::new(shell.output().unwrap());
    assert!(ran.stderr.ends_with("\n0\n"), "{ran:?}");
}

#[test]
fn expiries_are_counted_exactly() {
    let (server, mut con) = start();
    let (hour, day) = (3_600_000, 86_400_000);
    for (index, ms) in [day - 120_000, day - 120_000, day + 120_000, hour - 30_000, hour + 120_000].iter().enumerate() {
        let _: String = run(&mut con, &["SET", &format!("a:{index}"), "x", "PX", &ms.to_string()]);
    }
    let ran = audit(&[&server.url(), "--full-speed", "--json", "-"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let spans = report["expiries"].as_array().unwrap().iter();
    let spans: Vec<_> = spans.map(|span| (span["within"].as_str().unwrap(), span["keys"].as_u64().unwrap())).collect();
    assert_eq!(spans[2..5], [("1 hour", 1), ("1 day", 3), ("1 week", 1)]);
}
