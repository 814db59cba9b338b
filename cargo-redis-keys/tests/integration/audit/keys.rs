//! Keys that an audit reads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::run::{Folder, Ran, audit, command, connect, fill, run, start};

#[test]
fn every_key_is_read_once() {
    let (server, mut con) = start();
    assert_eq!(audit(&[&server.url()]).keys(), 0);
    fill(&mut con, 20_000);
    for words in [
        &["HSET", "a:hash", "field", "value"][..],
        &["RPUSH", "a:list", "x", "y"],
        &["SADD", "a:set", "1", "2"],
        &["ZADD", "a:zset", "1", "x"],
        &["XADD", "a:stream", "*", "field", "value"],
        &["PFADD", "a:hyperloglog", "x"],
    ] {
        let _: redis::Value = run(&mut con, words);
    }
    assert_eq!(audit(&[&server.url(), "--full-speed"]).keys(), 20_006);
    assert_eq!(audit(&[&server.url(), "--max-latency", "1s"]).keys(), 20_006);
    // Two URLs of one server.
    let other = server.url().replace("127.0.0.1", "localhost");
    assert_eq!(audit(&[&server.url(), &other, "--full-speed"]).keys(), 20_006);
    // Another database is empty.
    assert_eq!(audit(&[&format!("{}1", server.url()), "--full-speed"]).keys(), 0);
}

#[test]
fn a_pattern_a_namespace_and_a_sample_choose_keys() {
    let (server, mut con) = start();
    fill(&mut con, 5_000);
    for key in ["shop:user:1:string", "shop:user:2:string", "shopping:user:3:string"] {
        let _: String = run(&mut con, &["SET", key, "x"]);
    }
    let url = server.url();
    assert_eq!(audit(&[&url, "--full-speed", "--match", "*:user:*"]).keys(), 3);
    assert_eq!(audit(&[&url, "--full-speed", "--namespace", "shop"]).keys(), 2);
    assert_eq!(audit(&[&url, "--full-speed", "--sample", "1500"]).keys(), 1_500);
    assert_eq!(audit(&[&url, "--sample", "7"]).keys(), 7);
    assert_eq!(audit(&[&url, "--full-speed", "--sample", "9999"]).keys(), 5_003);
}

#[test]
fn names_can_be_any_bytes() {
    let (server, mut con) = start();
    let long = "x".repeat(100_000);
    let names: [&[u8]; 8] = [
        b"",
        b"\r\n$5\r\nhello\r\n",
        b"\x1b[2J\x1b]0;title\x07",
        b"\xff\xfe\x00",
        b"<script>alert(1)</script>",
        "\u{202e}gnp.exe".as_bytes(),
        b"{{{}}}",
        long.as_bytes(),
    ];
    for (index, name) in names.iter().enumerate() {
        let mut command = redis::cmd(if index % 2 == 0 { "SET" } else { "RPUSH" });
        command.arg(name).arg("x").exec(&mut con).unwrap();
    }
    let ran = audit(&[&server.url(), "--full-speed"]);
    assert_eq!((ran.status, ran.keys()), (Some(1), 8));
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains('\x1b') && !text.contains('\x07') && !text.contains('\u{202e}'), "{text}");
    }
}

/// The types of keys change between the looks, and keys vanish.
#[test]
fn keys_that_change_meanwhile_are_no_errors() {
    let (server, mut con) = start();
    fill(&mut con, 30_000);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let (mut con, mut key) = (connect(&server.url()), 0);
            while !done.load(Ordering::Relaxed) {
                let mut pipe = redis::pipe();
                for _ in 0..100 {
                    key = (key + 7_919) % 30_000;
                    let name = format!("user:name:{key}:string");
                    pipe.cmd("DEL").arg(&name).ignore();
                    match key % 3 {
                        0 => pipe.cmd("RPUSH").arg(&name).arg("x").ignore(),
                        1 => pipe.cmd("HSET").arg(&name).arg("field").arg("x").ignore(),
                        _ => &mut pipe,
                    };
                }
                pipe.exec(&mut con).unwrap();
            }
        });
        for options in [&["--full-speed"][..], &["--share", "90", "--max-latency", "1s"]] {
            let ran = audit(&[&[server.url().as_str()], options].concat());
            done.store(true, Ordering::Relaxed);
            assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
        }
    });
}

#[test]
fn keys_of_other_programs_are_not_unknown() {
    let (server, mut con) = start();
    for key in ["bull:mails:id", "legacy:1", "tmp:1"] {
        let _: String = run(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let policy = "[foreign]\nsystems = [\"bullmq\"]\npatterns = [\"legacy:*\"]\n";
    folder.write("redis-keys.toml", policy);
    let output = command(&folder, &[&server.url(), "--full-speed"]).current_dir(folder.file("")).output().unwrap();
    let ran = Ran::new(output);
    assert_eq!(ran.keys(), 3);
    assert!(ran.stdout.contains("Keys of other programs\n"), "{ran:?}");
    assert!(ran.stdout.contains("bullmq\n") && ran.stdout.contains("legacy:*\n"), "{ran:?}");
    assert!(ran.stdout.contains("foreign_no_expiry"), "{ran:?}");
}
