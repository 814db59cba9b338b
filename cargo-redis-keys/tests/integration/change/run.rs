//! Runs `purge` and `expire`.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::{FakeServer, forward};
use serde_json::{Value, json};

pub(super) use crate::audit::run::{Folder, Ran, calls, connect, run, start};

/// A declaration of a catalog, with a number in the place of each parameter.
pub(crate) fn key(name: &str, template: &str, ttl_ms: Option<u64>, jitter_ms: u64) -> Value {
    let parameters: Vec<Value> = template
        .split(':')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
        .map(|parameter| {
            json!({
                "name": parameter.trim_start_matches('#'),
                "type": "u64",
                "hash_tag": parameter.starts_with('#'),
                "form": "plain",
                "values": { "number": { "from": "0", "to": "18446744073709551615" } },
                "dotted": false,
            })
        })
        .collect();
    json!({
        "name": name, "template": template, "type": template.rsplit(':').next(), "parameters": parameters,
        "ttl_ms": ttl_ms, "jitter_ms": jitter_ms, "keep_about": false, "max_key_bytes": 128, "allowed": [],
        "file": "src/lib.rs", "line": 1, "longest": 40, "package": "shop", "target": "lib:shop", "module": "keys",
    })
}

/// The declarations of most tests.
pub(super) fn keys() -> Vec<Value> {
    vec![
        key("Name", "user:name:{id}:string", Some(3_600_000), 60_000),
        key("Visits", "user:visits:{id}:hash", Some(86_400_000), 0),
        key("Settings", "app:settings:{id}:string", None, 0),
    ]
}

/// Writes a catalog, and returns its path.
pub(super) fn catalog(folder: &Folder, keys: &[Value], unread: &[Value]) -> String {
    let (left_out, foreign) = (json!({ "keys": [], "unread": [] }), json!({ "systems": [], "patterns": [] }));
    let text = json!({ "format": 3, "keys": keys, "unread": unread, "left_out": left_out, "foreign": foreign });
    folder.write("catalog.json", &text.to_string())
}

/// A command with arguments, and the declarations of most tests.
pub(super) fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    command.args(arguments).args(["--catalog", &catalog(folder, &keys(), &[])]).env_remove("REDISCLI_AUTH");
    command
}

/// Runs it to its end.
pub(super) fn change(folder: &Folder, arguments: &[&str]) -> Ran {
    Ran::new(command(folder, arguments).output().unwrap())
}

/// A server in front of another one. `reply` gets the index of each script, and a function that runs it.
pub(super) fn in_front_of(
    server: &Server,
    reply: impl Fn(u32, &dyn Fn() -> Vec<u8>) -> Vec<u8> + Send + Sync + 'static,
) -> FakeServer {
    let (port, scripts) = (server.port(), AtomicU32::new(0));
    FakeServer::start(move |words| {
        let forward = || forward(port, words).unwrap();
        if words[0] == b"EVAL" { reply(scripts.fetch_add(1, Ordering::Relaxed), &forward) } else { forward() }
    })
}

/// Makes a plan at full speed, and returns its path.
pub(super) fn plan(folder: &Folder, arguments: &[&str]) -> String {
    let file = folder.file("plan");
    let ran = change(folder, &[arguments, &["--plan", &file, "--full-speed"]].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    file
}

/// Acts on a plan at full speed.
pub(super) fn act(folder: &Folder, name: &str, url: &str, file: &str, options: &[&str]) -> Ran {
    change(folder, &[&[name, url, "--plan", file, "--yes", "--full-speed", "--show-keys"], options].concat())
}

/// The lines of a plan after its first.
pub(crate) fn planned(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Writes a key as if it had not been used for some time.
pub(super) fn write_idle(con: &mut Connection, words: &[&str]) {
    let _: redis::Value = run(con, words);
    make_idle(con, words[1]);
}

/// Whether the server can read without a use of the key.
pub(super) fn has_no_touch(con: &mut Connection) -> bool {
    redis::cmd("CLIENT").arg("NO-TOUCH").arg("OFF").exec(con).is_ok()
}

/// Makes a key look as if it had not been used for some time.
pub(super) fn make_idle(con: &mut Connection, key: &str) {
    let left: i64 = run(con, &["PTTL", key]);
    let value: Vec<u8> = redis::cmd("DUMP").arg(key).query(con).unwrap();
    let mut restore = redis::cmd("RESTORE");
    restore.arg(key).arg(left.max(0)).arg(value).arg(&["REPLACE", "IDLETIME", "1000"]).exec(con).unwrap();
}

/// All keys, with their serialized values, and whether they expire. To read them is a use.
pub(super) fn dump(con: &mut Connection) -> BTreeMap<Vec<u8>, (Vec<u8>, bool)> {
    let names: Vec<Vec<u8>> = redis::cmd("KEYS").arg("*").query(con).unwrap();
    let read = |name: Vec<u8>| {
        let value = redis::cmd("DUMP").arg(&name).query(con).unwrap();
        let left: i64 = redis::cmd("PTTL").arg(&name).query(con).unwrap();
        (name, (value, left >= 0))
    };
    names.into_iter().map(read).collect()
}

/// The number in front of a text in the output.
#[track_caller]
pub(super) fn number_of(ran: &Ran, what: &str) -> u64 {
    let line = ran.stdout.lines().find(|line| line.contains(what));
    let number = line.and_then(|line| line.split(' ').next()).map(|number| number.replace(',', ""));
    number.map_or(0, |number| number.parse().unwrap_or_else(|_| panic!("{ran:?}")))
}
