//! `lookup`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use snapbox::{assert_data_eq, str};

use crate::catalog::{EVERY_FIELD, with_legacy_texts};
use crate::command::{Ran, run};

fn lookup(arguments: &[&str]) -> Ran {
    run(&[&["lookup", "--catalog", EVERY_FIELD], arguments].concat())
}

#[test]
fn a_key_has_its_declaration_and_parameters() {
    assert_data_eq!(
        lookup(&["cache:card:42:string", "queue:mails:10:42:zset"]).fine(),
        str![[r#"
cache:card:42:string
  cache:card:{user_id}:string
  The profile card of a user, as `web` renders it.
  user_id = 42 (u64)
  expiry: 1h, and up to 6m at random, and 1d more in case loads fail
  owner: web team
  --> shop/src/keys.rs:12, `keys::Card` in shop (lib:shop)

queue:mails:10:42:zset
  queue:mails:{tenant % 16}:{tenant}:zset
  tenant = 10 (u32)
  tenant = 42 (u32)
  expiry: 1h, and up to 1m at random
  --> shop/src/keys.rs:70, `mails::Mails` in shop (bin:worker)

"#]]
    );
}

#[test]
fn a_key_is_found_under_both_texts() {
    let file = with_legacy_texts("lookup.json");
    let lookup = |arguments: &[&str]| run(&[&["lookup", "--catalog", file.path()], arguments].concat());
    let keys = ["app/Card:00042", "cache:card:42:string", "app/cart|0190cd2e-0000-7000-8000-00000000000a"];
    assert_data_eq!(
        lookup(&[&["--legacy-prefix", "app/"][..], &keys].concat()).fine(),
        str![[r#"
app/Card:00042
  Card:{user_id:05} (text in use)
  other text: cache:card:{user_id}:string (template, which is not in use yet)
  The profile card of a user, as `web` renders it.
  user_id = 00042 (u64)
  expiry: 1h, and up to 6m at random, and 1d more in case loads fail
  owner: web team
  --> shop/src/keys.rs:12, `keys::Card` in shop (lib:shop)

cache:card:42:string
  cache:card:{user_id}:string (template, which is not in use yet)
  other text: Card:{user_id:05} (text in use)
  The profile card of a user, as `web` renders it.
  user_id = 42 (u64)
  expiry: 1h, and up to 6m at random, and 1d more in case loads fail
  owner: web team
  --> shop/src/keys.rs:12, `keys::Card` in shop (lib:shop)

app/cart|0190cd2e-0000-7000-8000-00000000000a
  cart|{cart_id} (former text)
  other text: cart:{#cart_id}:items:list (text in use)
  cart_id = 0190cd2e-0000-7000-8000-00000000000a (Uuid)
  expiry: 7d, restarted by each write
  --> shop/src/keys.rs:30, `keys::Items` in shop (lib:shop)

"#]]
    );
    assert_data_eq!(
        lookup(&["--format", "json", "Card:00042"]).fine(),
        str![[r#"
{"declaration":{"file":"shop/src/keys.rs","formerly":null,"legacy":"Card:{user_id:05}","line":12,"module":"keys","name":"Card","package":"shop","target":"lib:shop","template":"cache:card:{user_id}:string"},"in_use":true,"key":"Card:00042","parameters":[{"decoded":null,"name":"user_id","text":"00042","type":"u64"}],"text":"legacy"}

"#]]
    );
    assert_eq!(lookup(&["app/Card:00042"]).status, Some(1));
}

#[test]
fn an_unknown_key_has_its_first_difference() {
    let ran =
        lookup(&["cache:card:ada:string", "eu:nothing:string", "counter:signs:202613:orders:bitmap", "cache:card:42"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.starts_with("2 places make keys"), "{}", ran.stderr);
    assert_data_eq!(
        ran.stdout,
        str![[r#"
unknown key: expected a number for `user_id`, `u64`
  cache:card:ada:string
             ^^^
  nearest: cache:card:{user_id}:string
  --> shop/src/keys.rs:12, `keys::Card` in shop (lib:shop)

unknown key: expected `cache`
  eu:nothing:string
  ^^
  nearest: cache:hot:{copy}:{path}:string
  --> shop/src/keys.rs:50, `keys::Hot` in shop (lib:shop)

unknown key: expected a month, YYYYMM for `month`
  counter:signs:202613:orders:bitmap
                ^^^^^^
  nearest: counter:signs:{month}:{section}:bitmap
  --> shop/src/keys.rs:41, `keys::Signs` in shop (lib:shop)

unknown key: missing `string`
  cache:card:42
               ^
  nearest: cache:card:{user_id}:string
  --> shop/src/keys.rs:12, `keys::Card` in shop (lib:shop)

"#]]
    );
}

#[test]
fn a_namespace_is_in_front() {
    let ran = lookup(&["--namespace", "eu", "eu:game:best:a.b:zset", "game:best:a.b:zset"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stdout.contains("\n  name = a.b (&'a str)\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("unknown key: expected the namespace `eu`\n  game:best:a.b:zset\n  ^^^^\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn json_is_for_programs() {
    let ran = lookup(&["--format", "json", "cache:card:42:string", "cache:card:A:string"]);
    assert_eq!(ran.status, Some(1));
    let lines: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = serde_json::json!({
        "name": "Card", "template": "cache:card:{user_id}:string", "legacy": null, "formerly": null, "package": "shop", "target": "lib:shop", "module": "keys",
        "file": "shop/src/keys.rs", "line": 12,
    });
    assert_eq!(
        lines,
        [
            serde_json::json!({
                "key": "cache:card:42:string", "declaration": place, "text": "template", "in_use": true,
                "parameters": [{ "name": "user_id", "type": "u64", "text": "42", "decoded": null }],
            }),
            serde_json::json!({
                "key": "cache:card:A:string", "declaration": null, "nearest": place,
                "difference": { "from": 11, "to": 12, "problem": "expected a number for `user_id`, `u64`" },
            }),
        ]
    );
}

/// Returns what it writes for keys on stdin.
fn from_stdin(input: &[u8], arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    command.args(["lookup", "--catalog", EVERY_FIELD, "-"]).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn stdin_has_a_key_in_each_line() {
    let (status, stdout) = from_stdin(b"cache:card:42:string\r\n\ngame:best:x:zset", &[]);
    assert_eq!(status, Some(0));
    assert_eq!(stdout.matches("  --> ").count(), 2, "{stdout}");
    assert_eq!(from_stdin(b"", &[]), (Some(0), String::new()));
}

#[test]
fn any_bytes_can_be_a_key() {
    let key = b"game:best:\x1b[2J\xff\xe2\x80\xae:zset\n";
    let (status, stdout) = from_stdin(key, &[]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("\n  game:best:\\x1b[2J\\xff\\u{202e}:zset\n            ^^^^\n"), "{stdout}");
    let (_, json) = from_stdin(key, &["--format", "json"]);
    assert!(json.contains(r#""key":{"base64":"Z2FtZTpiZXN0OhtbMkr/4oCuOnpzZXQ="}"#), "{json}");
}
