//! Commands outside of declarations.

use serde_json::Value;
use snapbox::{assert_data_eq, file, str};

use crate::workspace::Workspace;

const LIB: &str = r##"//! Keys, and commands beside them.
use redis::AsyncCommands;
use redis_keys::RedisKey;

mod keys;

#[derive(RedisKey)]
#[redis_key(user:profile:{user_id}:hash, field = String, value = String, ttl = 1d, legacy = "User:{user_id}:Profile")]
pub struct UserProfile {
    pub user_id: u64,
}

pub async fn save(con: &mut impl AsyncCommands, user: &User) -> redis::RedisResult<()> {
    let _: Option<String> = con.get("shop:open").await?;
    redis::cmd("SETEX").arg(keys::cart(user.id)).arg(60).arg(1).exec_async(con).await?;
    con.hset(format!("User:{}:Profile", user.id), "name", &user.name).await
}
"##;

const KEYS: &str = r##"const CART: &str = "cart";

pub fn cart(user_id: u64) -> String {
    format!("{CART}:{user_id}")
}
"##;

fn workspace(name: &str) -> Workspace {
    Workspace::new(name, &[("shop", &[("src/lib.rs", LIB), ("src/keys.rs", KEYS)])])
}

#[test]
fn writes_without_an_expiry_come_first() {
    let workspace = workspace("raw-text");
    assert_data_eq!(workspace.run(&["check", "--raw"]).fine(), file!["raw.txt"]);
    assert_data_eq!(
        workspace.run(&["check"]).fine(),
        str![[r#"
checked what the sources say of 1 declaration; cargo check proves the rest

"#]]
    );
}

#[test]
fn all_formats_have_them() {
    let workspace = workspace("raw-formats");
    let run = |format: &str| workspace.run(&["check", "--raw", "--deny-warnings", "--format", format]).findings();
    assert_data_eq!(run("github"), file!["raw.github.txt"]);
    let lines = run("json");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let underlined = |line: &Value| {
        let place = |name: &str| usize::try_from(line["spans"][0][name].as_u64().unwrap()).unwrap();
        LIB[place("byte_start")..place("byte_end")].to_owned()
    };
    assert_eq!(lines.iter().map(underlined).collect::<Vec<_>>(), ["hset", "\"SETEX\"", "get"]);
    assert!(lines.iter().all(|line| line["code"]["code"] == "raw_use" && line["level"] == "error"));
    let log: Value = serde_json::from_str(&run("sarif")).unwrap();
    let rules = &log["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(rules[0]["id"], "raw_use");
    assert_eq!(rules[0]["shortDescription"]["text"], "A command on Redis outside of declarations.");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|result| result["ruleIndex"] == 0));
}

#[test]
fn what_only_a_name_tells_is_said_in_all_formats_and_not_in_a_baseline() {
    const LIB: &str = "use redis::AsyncCommands;\n\npub async fn save(state: &State) -> redis::RedisResult<()> {\n    \
                       let con = state.open();\n    con.set(\"a\", 1).await\n}\n";
    const BASELINE: &str = "{\"format\":1,\"baseline\":\"raw\"}\n\
                            {\"file\":\"packages/shop/src/lib.rs\",\"command\":\"SET\",\"key\":\"a\",\"places\":1}\n";
    let workspace = Workspace::new("raw-guess", &[("shop", &[("src/lib.rs", LIB)])]);
    for format in ["text", "json", "sarif", "github"] {
        let printed = workspace.run(&["check", "--raw", "--deny-warnings", "--format", format]).findings();
        let message = "raw `SET` of `a` without an expiry: `con` is taken for a connection by its name";
        assert!(printed.contains(message), "{format}: {printed}");
    }
    workspace.write("raw.jsonl", BASELINE);
    workspace.run(&["check", "--raw", "--baseline", "raw.jsonl"]).fine();
    workspace.run(&["check", "--raw", "--baseline", "raw.jsonl", "--write-baseline"]).fine();
    assert_eq!(workspace.read("raw.jsonl"), BASELINE);
}

#[test]
fn a_baseline_only_becomes_shorter() {
    const CHECK: [&str; 4] = ["check", "--raw", "--baseline", "raw.jsonl"];
    let workspace = workspace("raw-baseline");
    let (check, write) = (|| workspace.run(&CHECK), || workspace.run(&[&CHECK[..], &["--write-baseline"]].concat()));
    assert_data_eq!(
        check().failure(),
        str![[r#"
error: cannot read `raw.jsonl`: [..]
help: make one with `--write-baseline`

"#]]
    );
    write().fine();
    assert_data_eq!(workspace.read("raw.jsonl"), file!["raw.jsonl"]);
    assert_data_eq!(
        check().fine(),
        str![[r#"
3 raw commands; without an expiry: 1; in the baseline: 3, new: 0
checked what the sources say of 1 declaration; cargo check proves the rest

"#]]
    );
    // Lines move, a command is new, and one is there twice.
    let more =
        "con.hset(format!(\"User:{}:Profile\", user.id), \"x\", 1).await?;\n    con.del(\"b\").await?;\n    con.hset(";
    workspace.write("packages/shop/src/lib.rs", &format!("// A line.\n{}", LIB.replace("con.hset(", more)));
    let found = check().findings();
    assert_data_eq!(&found, file!["raw_new.txt"]);
    assert_eq!(write().findings(), found);
    // A command is gone.
    workspace.write("packages/shop/src/lib.rs", &LIB.replace("con.get(", "other("));
    assert_data_eq!(check().findings(), file!["raw_gone.txt"]);
    write().fine();
    assert_eq!(workspace.read("raw.jsonl").lines().count(), 3);
    workspace.write("packages/shop/src/lib.rs", LIB);
    assert!(check().findings().contains("raw `GET` of `shop:open`"));
    workspace.write("raw.jsonl", "{}");
    assert_data_eq!(
        check().failure(),
        str![[r#"
error: line 1 of `raw.jsonl` is not that of a baseline: missing field `format` at line 1 column 2
help: make one with `--write-baseline`

"#]]
    );
}

#[test]
fn what_does_not_parse_is_named() {
    let workspace = workspace("raw-broken");
    workspace.write("packages/shop/src/keys.rs", "fn f( {");
    let output = workspace.run(&["check", "--raw"]).fine();
    assert!(output.contains("\nnot read: packages/shop/src/keys.rs:1: cannot parse the file: "), "{output}");
    assert!(output.contains("raw `SETEX` of an unknown key") || output.contains("raw `SETEX` of `{cart}`"), "{output}");
}
