//! Every count of an audit is that of the keys that were planted.

use std::collections::BTreeMap;
use std::time::Instant;

use redis::Connection;
use serde_json::{Value, json};

use super::run::{Folder, Ran, connect, run, start};
use crate::change::run::{key, planned};

/// The declarations of the planted keys.
fn declarations() -> Vec<Value> {
    let declared = |name: &str, template: &str, ttl_ms: Option<u64>, limits: &[(&str, u64)]| {
        let mut declared = key(name, template, ttl_ms, 0);
        for (name, limit) in limits {
            declared[*name] = json!(limit);
        }
        declared
    };
    let hour = Some(3_600_000);
    vec![
        declared("Profile", "user:profile:{id}:string", hour, &[("max_bytes", 2_048)]),
        declared("Cart", "cart:items:{id}:hash", hour, &[("max_len", 100), ("max_member_bytes", 1_000)]),
        declared("Recent", "shop:recent:{id}:list", hour, &[("keep_last", 100), ("max_member_bytes", 1_000)]),
        declared("Tags", "shop:tags:{id}:set", hour, &[("max_len", 50), ("max_member_bytes", 1_000)]),
        declared("Events", "shop:events:{id}:stream", hour, &[("max_len", 10), ("max_member_bytes", 1_000)]),
        declared("Visitors", "page:visitors:{id}:hyperloglog", hour, &[]),
        declared("Kept", "app:kept:{id}:string", None, &[("max_bytes", 2_048)]),
    ]
}

/// A count by a name, such as that of a declaration.
type Counts = BTreeMap<String, u64>;

/// What an audit finds.
#[derive(Debug, Default, PartialEq)]
struct Found {
    keys: u64,
    unknown: u64,
    without_expiry: u64,
    unmeasured: u64,
    declarations: Counts,
    types: Counts,
    findings: Counts,
    patterns: Counts,
}

impl Found {
    /// What is found in these keys, by the rules of the script that plants them.
    fn planted(count: u64) -> Self {
        let mut found = Self { keys: count, ..Self::default() };
        for number in 0..count {
            let (case, round) = (number % 50, number / 50);
            let is_light = (20..38).contains(&case) && !round.is_multiple_of(20);
            let case = if is_light { 0 } else { case };
            let (name, redis_type, findings): (_, _, &[&str]) = match case {
                0..20 | 21 => ("Profile", "string", &[]),
                20 => ("Profile", "string", &["big_value"]),
                22 => ("Cart", "hash", &["big_collection"]),
                23 | 45 => ("Cart", "hash", &[]),
                24 => ("Cart", "hash", &["big_member", "left_compact_encoding"]),
                25 => ("Cart", "hash", &["left_compact_encoding"]),
                26 => ("Recent", "list", &["big_collection"]),
                27 | 46 => ("Recent", "list", &[]),
                28 => ("Tags", "set", &["big_collection"]),
                29 => ("Tags", "set", &[]),
                30 => ("unknown", "string", &["unknown_key", "big_value"]),
                31 => ("unknown", "string", &["unknown_key"]),
                32 => ("Events", "stream", &["big_collection"]),
                33..38 => ("Visitors", "string", &[]),
                38 => ("Visitors", "string", &["wrong_type"]),
                39 => ("Profile", "string", &["no_expiry"]),
                40 => ("Profile", "string", &["long_expiry"]),
                41 => ("Profile", "list", &["wrong_type"]),
                42 => ("Kept", "string", &["no_rebuild"]),
                43 => ("unknown", "string", &["unknown_key", "no_expiry"]),
                44 => ("unknown", "string", &["unknown_key", "wrong_type"]),
                _ => ("unknown", "string", &["unknown_key", "bad_name"]),
            };
            let add = |counts: &mut Counts, name: String| *counts.entry(name).or_default() += 1;
            add(&mut found.types, redis_type.to_owned());
            for finding in findings {
                add(&mut found.findings, format!("{name} {finding}"));
            }
            found.without_expiry += u64::from([39, 42, 43].contains(&case));
            if name != "unknown" {
                add(&mut found.declarations, name.to_owned());
                continue;
            }
            found.unknown += 1;
            let letter = |index: u64| char::from(b'a' + u8::try_from(index).unwrap());
            let program = round % 40;
            add(
                &mut found.patterns,
                match case {
                    30 | 31 => "old:large:{integer}:string".to_owned(),
                    43 => "old:thing:{integer}:string".to_owned(),
                    44 => "old:typed:{integer}:hash".to_owned(),
                    _ => format!("{}{}:cache:{{integer}}", letter(program / 26), letter(program % 26)),
                },
            );
        }
        found
    }

    /// What a report says.
    fn reported(report: &Value) -> Self {
        let number = |value: &Value| value.as_u64().unwrap();
        let items = |name: &str| report[name].as_array().unwrap().iter();
        let counts = |name: &str, label: &str| -> Counts {
            let counts = items(name).map(|item| (item[label].as_str().unwrap().to_owned(), number(&item["keys"])));
            counts.filter(|(_, keys)| *keys > 0).collect()
        };
        let findings = items("findings").filter_map(|finding| {
            let subject = &finding["subject"];
            let name =
                subject["declaration"]["name"].as_str().or((*subject == json!("unknown_keys")).then_some("unknown"));
            Some((format!("{} {}", name?, finding["id"].as_str()?), number(&finding["count"])))
        });
        let total = &report["total"];
        Self {
            keys: number(&total["keys"]),
            unknown: number(&total["unknown_keys"]),
            without_expiry: number(&total["without_expiry"]),
            unmeasured: number(&total["unmeasured"]),
            declarations: counts("declarations", "name"),
            types: counts("types", "type"),
            findings: findings.collect(),
            patterns: counts("unknown", "pattern"),
        }
    }
}

fn plant(con: &mut Connection, count: u64) {
    for first in (0..count).step_by(20_000) {
        let last = (first + 20_000).min(count) - 1;
        redis::cmd("EVAL").arg(include_str!("planted.lua")).arg(0).arg(first).arg(last).exec(con).unwrap();
    }
}

/// Runs a command with the declarations of the planted keys.
fn with_declarations(folder: &Folder, arguments: &[&str]) -> Ran {
    let (left_out, foreign) = (json!({ "keys": [], "unread": [] }), json!({ "systems": [], "patterns": [] }));
    let catalog =
        json!({ "format": 3, "keys": declarations(), "unread": [], "left_out": left_out, "foreign": foreign });
    let catalog = folder.write("catalog.json", &catalog.to_string());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    Ran::new(command.args(arguments).args(["--catalog", &catalog]).env_remove("REDISCLI_AUTH").output().unwrap())
}

fn every_count_is_exact(count: u64) {
    let (server, mut con) = start();
    plant(&mut con, count);
    let clock = Instant::now();
    let ran = with_declarations(&Folder::new(), &["audit", &server.url(), "--full-speed", "--json", "-"]);
    let took = clock.elapsed();
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let version = report["nodes"][0]["version"].as_str().unwrap();
    println!("{count} keys on {version} in {took:?}; not checked: {}", report["not_checked"]);
    assert_eq!(Found::reported(&report), Found::planted(count), "{version}");
}

#[test]
fn every_count_of_planted_keys_is_exact() {
    every_count_is_exact(20_000);
}

/// With `--release --ignored --nocapture` it prints how long it took.
#[test]
#[ignore = "it takes a minute"]
fn every_count_of_a_million_planted_keys_is_exact() {
    every_count_is_exact(1_000_000);
}

/// Under a policy that evicts by idle time, lengths are not read where that counts as a use. What the memory proves is
/// found all the same, and the rest is said to be unknown.
#[test]
fn what_cannot_be_measured_is_in_the_result() {
    let (server, mut con) = start();
    let _: () = run(&mut con, &["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    let keeps = redis::cmd("CLIENT").arg("NO-TOUCH").arg("ON").exec(&mut connect(&server.url())).is_ok();
    for (key, bytes) in [("user:profile:1:string", 20_000_000), ("user:profile:2:string", 2_100)] {
        let _: () = run(&mut con, &["SET", key, &"x".repeat(bytes), "EX", "60"]);
    }
    let ran = with_declarations(&Folder::new(), &["audit", &server.url(), "--full-speed"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let last = ran.stdout.lines().rev().find(|line| line.contains(" errors, ") || line.contains(" error, ")).unwrap();
    if keeps {
        assert!(ran.stdout.contains("2 keys") && !last.contains("not checked"), "{ran:?}");
    } else {
        assert!(ran.stdout.contains("of 1 key only the memory is known, which proves it"), "{ran:?}");
        assert!(last.contains("; not checked: the size of 1 key that may exceed a limit is unknown"), "{ran:?}");
        let json = with_declarations(&Folder::new(), &["audit", &server.url(), "--full-speed", "--json", "-"]);
        let report: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!((&report["total"]["unmeasured"], &report["declarations"][0]["unmeasured"]), (&json!(1), &json!(1)));
    }
}

/// An audit reads few lengths where that counts as a use of the key, so a plan that was made before it still holds.
#[test]
fn an_audit_between_plan_and_act_keeps_few_keys_from_a_purge() {
    let (server, mut con) = start();
    plant(&mut con, 5_000);
    let folder = Folder::new();
    let (url, file) = (server.url(), folder.file("plan"));
    redis_keys_tests::wait_until("no key was just used", || {
        run::<u64>(&mut con, &["OBJECT", "IDLETIME", "user:profile:4950:string"]) >= 4
    });
    let ran =
        with_declarations(&folder, &["purge", &url, "--unknown", "--match", "*", "--plan", &file, "--full-speed"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let lines = planned(&file).len() as u64;
    let audited = with_declarations(&folder, &["audit", &url, "--full-speed"]);
    assert_eq!(audited.status, Some(1), "{audited:?}");
    let ran = with_declarations(&folder, &["purge", &url, "--plan", &file, "--yes", "--full-speed", "--json"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let (done, changed) = (json["done"].as_u64().unwrap(), json["changed_since"].as_u64().unwrap());
    assert_eq!(done + changed, lines, "{ran:?}");
    // Those near their limit.
    assert!(lines > 300 && changed <= 10, "{changed} of {lines} stay: {ran:?}");
}
