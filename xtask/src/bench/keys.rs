//! What a key costs the compiler: 2,000 derives beside the bare structs and beside serde's `Serialize`, without a policy file
//! and with one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::checked::{Package, Workspace};
use super::topic::{Topic, beside_goal};
use crate::run::Outcome;

const KEYS: u32 = 2_000;
const RUNS: usize = 7;
const GOAL: f64 = 1.1;

/// What stands above each struct.
#[derive(Clone, Copy, PartialEq)]
enum Derive {
    Nothing,
    RedisKey,
    Serialize,
}

/// The packages of the workspace.
const VARIANTS: [(&str, Derive); 4] =
    [("bare", Derive::Nothing), ("keys", Derive::RedisKey), ("policy", Derive::RedisKey), ("serde", Derive::Serialize)];

/// Something of everything that a policy file can say.
const POLICY: &str = r#"
modules = ["user", "shop", "app", "session", "counter", "cache"]

[limits]
max_bytes = "512KB"
max_len = 1000
longest_ttl = "30d"

[lints]
unusual_ttl = "deny"
undocumented = "warn"

[abbreviations]
economic = "ec"
file.path = "fp"
preferences = "prefs"

[module.session]
ttl = "1d..30d"
types = ["string", "hash"]
owner = "web"

[module.app]
owner = "platform"
"#;

pub(super) fn measure(_server: &Path) -> Outcome<Vec<Topic>> {
    let packages = VARIANTS.map(|(name, derive)| Package { name, source: source(derive) });
    let workspace = Workspace::new("keys", packages.into())?;
    fs::write(workspace.folder.join("policy").join("redis-keys.toml"), POLICY)?;
    let [bare, keys, policy, serde] = workspace.measure(RUNS)?[..] else { return Ok(Vec::new()) };
    let per_key = |total: f64| (total - bare) / f64::from(KEYS);
    Ok(vec![Topic {
        title: "Compile time of a key",
        how: format!(
            "`cargo check` of a crate of {KEYS} structs with 0 to 2 parameters and everyday options, dependencies built, not \
             incremental, in turns, fastest of {RUNS} runs; above the same crate with the bare structs ({bare:.0} ms). The \
             policy file says something of everything."
        ),
        columns: &["`RedisKey`, ms a key", "with a policy file", "serde's `Serialize`, ms a struct"],
        rows: vec![vec![
            format!("{:.2}", per_key(keys)),
            beside_goal(per_key(policy), per_key(policy) <= GOAL, "≤ 1.1"),
            format!("{:.2}", per_key(serde)),
        ]],
    }])
}

fn source(derive: Derive) -> String {
    let mut text = "#![allow(dead_code)]\n".to_owned();
    if derive == Derive::RedisKey {
        text.push_str("use redis_keys::prelude::*;\n");
    }
    text.push_str(
        "#[derive(serde::Serialize, serde::Deserialize)]\npub struct Profile { name: String, email: String }\n",
    );
    for number in 0..KEYS {
        // A mix such as an application has: ids mostly, some text, some single keys.
        let (template, options, body) = match number % 5 {
            0 => (
                "user:basic.info.nN:{user_id}:string",
                "value = Json<Profile>, ttl = 1h, jitter = 5m",
                "{ user_id: u64 }",
            ),
            1 => (
                "shop:price.nN:{country}:{article}:string",
                "value = u64, ttl = 30m",
                "{ country: String, article: u32 }",
            ),
            2 => ("app:settings.nN:string", "value = Json<Profile>, ttl = 1d, jitter = 10%, max_bytes = 8KB", ";"),
            3 => ("session:token.nN:{token}:string", "value = String, ttl = 7d, renew = read", "{ token: u128 }"),
            _ => ("counter:views.nN:{page}:{day}:string", "value = i64, ttl = 2d", "{ page: String, day: u16 }"),
        };
        let _ = writeln!(text, "/// Key number {number}.");
        match derive {
            Derive::Nothing => {}
            Derive::Serialize => text.push_str("#[derive(serde::Serialize)]\n"),
            Derive::RedisKey => {
                let template = template.replace('N', &number.to_string());
                let _ = writeln!(text, "#[derive(RedisKey)]\n#[redis_key({template}, {options})]");
            }
        }
        let _ = writeln!(text, "pub struct Key{number} {body}");
    }
    text.push_str("fn main() {}\n");
    text
}
