//! Hot keys, as Redis has found them from 8.6 on: a server that tells about itself what a newer one would.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redis_keys::testing::Server;
use redis_keys_tests::{FakeServer, forward};
use serde_json::{Value, json};

use super::run::{Ran, audit, fill, start};

/// The reply to `HOTKEYS GET`, as a server sends it with RESP2.
fn reply() -> String {
    let bulk = |text: &str| format!("${}\r\n{text}\r\n", text.len());
    let fields = [
        ("tracking-active", ":0\r\n".to_owned()),
        ("sample-ratio", ":1\r\n".to_owned()),
        ("selected-slots", "*1\r\n*2\r\n:0\r\n:16383\r\n".to_owned()),
        ("all-commands-all-slots-us", ":103\r\n".to_owned()),
        ("net-bytes-all-commands-all-slots", ":2042\r\n".to_owned()),
        ("collection-start-time-unix-ms", ":1770824933147\r\n".to_owned()),
        ("collection-duration-ms", ":5000\r\n".to_owned()),
        ("total-cpu-time-user-ms", ":23\r\n".to_owned()),
        ("total-cpu-time-sys-ms", ":7\r\n".to_owned()),
        ("by-cpu-time-us", format!("*4\r\n{}:29\r\n{}:25\r\n", bulk("user:name:7:string"), bulk("user:name:8:string"))),
    ];
    let fields: String = fields.iter().map(|(name, value)| bulk(name) + value).collect();
    format!("*1\r\n*20\r\n{fields}")
}

/// Starts a server in front of another one, with this version and this reply to `HOTKEYS GET`. The number is that of
/// these requests.
fn in_front_of(server: &Server, version: &str, reply: String) -> (FakeServer, Arc<AtomicU32>) {
    let (port, version, asked) = (server.port(), version.to_owned(), Arc::new(AtomicU32::new(0)));
    let counter = Arc::clone(&asked);
    let front = FakeServer::start(move |words| match words[0].as_slice() {
        b"HOTKEYS" => {
            assert_eq!(words[1..], [b"GET".to_vec()]);
            counter.fetch_add(1, Ordering::Relaxed);
            reply.clone().into_bytes()
        }
        b"INFO" => {
            let info = String::from_utf8(forward(port, words).unwrap()).unwrap();
            let lines = info.split("\r\n").skip(1).filter(|line| !line.contains("_version:"));
            let info = format!("{version}\r\n{}", lines.collect::<Vec<_>>().join("\r\n"));
            format!("${}\r\n{info}\r\n", info.len()).into_bytes()
        }
        _ => forward(port, words).unwrap(),
    });
    (front, asked)
}

fn report(ran: &Ran) -> Value {
    assert_eq!((ran.status, ran.keys()), (Some(0), 500), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn the_hot_keys_of_a_server_are_read_once() {
    let (server, mut con) = start();
    fill(&mut con, 500);
    let (front, asked) = in_front_of(&server, "redis_version:8.6.0", reply());
    let ran = audit(&[&front.url(), "--full-speed", "--json", "-"]);
    let report = report(&ran);
    let subject = json!({"pattern": "user:name:{integer}:string"});
    assert_eq!(report["hot_keys"], json!([{ "subject": subject, "keys": 2, "cpu_us": 54, "network_bytes": 0 }]));
    let total = json!({"servers": 1, "collected_ms": 5_000, "sample_ratio": 1, "cpu_us": 103, "network_bytes": null});
    assert_eq!(report["hot_total"], total);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let ran = audit(&[&front.url(), "--full-speed"]);
    assert!(ran.stdout.contains("52%                  2  user:name:{integer}:string"), "{ran:?}");
}

/// Without hot keys the report is that of an older server.
#[test]
fn a_server_without_hot_keys_is_audited_as_before() {
    let (server, mut con) = start();
    fill(&mut con, 500);
    for reply in [
        "$-1\r\n",
        "*0\r\n",
        "-ERR unknown command 'HOTKEYS', with args beginning with: 'GET' \r\n",
        "-NOPERM User audit has no permissions to run the 'hotkeys|get' command\r\n",
        "-ERR not supported\r\n",
        "+OK\r\n",
        "*1\r\n*3\r\n:1\r\n$-1\r\n*1\r\n:1\r\n",
        "*1\r\n*2\r\n$14\r\nby-cpu-time-us\r\n:9223372036854775807\r\n",
    ] {
        let (front, asked) = in_front_of(&server, "redis_version:8.10.2", reply.to_owned());
        let report = report(&audit(&[&front.url(), "--full-speed", "--json", "-"]));
        assert_eq!(
            (asked.load(Ordering::Relaxed), &report["not_checked"].as_array().unwrap().len()),
            (1, &1),
            "{reply}"
        );
        assert!(report["hot_keys"].as_array().is_none_or(Vec::is_empty), "{reply}");
    }
    // An older server, and Valkey with a command of the same name, are not asked.
    for version in ["redis_version:8.5.9", "redis_version:7.4.0", "redis_version:8.6.0\r\nvalkey_version:9.2.0", "x:y"]
    {
        let (front, asked) = in_front_of(&server, version, reply());
        report(&audit(&[&front.url(), "--full-speed", "--json", "-"]));
        assert_eq!(asked.load(Ordering::Relaxed), 0, "{version}");
    }
}
