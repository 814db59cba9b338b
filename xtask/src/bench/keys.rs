//! What a key costs the compiler: 1,000 derives beside the bare structs and beside serde's `Serialize`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use super::topic::{Topic, beside_goal, fastest};
use crate::run::{Failure, Outcome, cargo, root, run, status, target};

const KEYS: u32 = 1_000;
const RUNS: usize = 7;
const GOAL: f64 = 0.45;

/// What stands above each struct.
#[derive(Clone, Copy, PartialEq)]
enum Derive {
    Nothing,
    RedisKey,
    Serialize,
}

const VARIANTS: [(&str, Derive); 3] =
    [("bare", Derive::Nothing), ("keys", Derive::RedisKey), ("serde", Derive::Serialize)];

pub(super) fn measure(_server: &Path) -> Outcome<Vec<Topic>> {
    let folder = target().join("bench").join("keys");
    write_project(&folder)?;
    run(cargo().args(["check", "--quiet"]).current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")))?;
    let mut times = [const { Vec::new() }; VARIANTS.len()];
    for round in 1..=RUNS {
        for (at, (name, derive)) in VARIANTS.into_iter().enumerate() {
            times[at].push(check(&folder, name, derive)?);
        }
        let shown: Vec<String> =
            VARIANTS.iter().zip(&times).map(|((name, _), t)| format!("{name} {:.3} s", t[round - 1])).collect();
        println!("run {round} of {RUNS}: {}", shown.join(", "));
    }
    let [bare, keys, serde] = times.map(|times| fastest(&times) * 1_000.0);
    let per_key = |total: f64| (total - bare) / f64::from(KEYS);
    Ok(vec![Topic {
        title: "Compile time of a key",
        how: format!(
            "`cargo check` of a crate of {KEYS} structs with 0 to 2 parameters and everyday options, dependencies built, not \
             incremental, in turns, fastest of {RUNS} runs; above the same crate with the bare structs ({bare:.0} ms)."
        ),
        columns: &["`RedisKey`, ms a key", "serde's `Serialize`, ms a struct"],
        rows: vec![vec![beside_goal(per_key(keys), per_key(keys) <= GOAL, "≤ 0.45"), format!("{:.2}", per_key(serde))]],
    }])
}

fn write_project(folder: &Path) -> Outcome {
    fs::create_dir_all(folder)?;
    let mut manifest = "[package]\nname = \"keys\"\nedition = \"2024\"\n[workspace]\n".to_owned();
    for (name, derive) in VARIANTS {
        fs::write(folder.join(name).with_extension("rs"), source(derive))?;
        let _ = writeln!(manifest, "[[bin]]\nname = \"{name}\"\npath = \"{name}.rs\"");
    }
    let _ = writeln!(manifest, "[dependencies]\nserde = {{ version = \"1\", features = [\"derive\"] }}");
    let _ = writeln!(manifest, "redis-keys = {{ path = '{}' }}", root().join("redis-keys").display());
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

/// The seconds that one check takes.
fn check(folder: &Path, name: &str, derive: Derive) -> Outcome<f64> {
    // A new file time makes cargo look again.
    fs::write(folder.join(name).with_extension("rs"), source(derive))?;
    let started = Instant::now();
    let mut command = cargo();
    command.args(["check", "--quiet", "--offline", "--bin", name]).current_dir(folder);
    command.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", folder.join("target"));
    if !status(&mut command)?.success() {
        return Err(Failure::new(format!("the generated crate `{}` does not compile", folder.join(name).display())));
    }
    Ok(started.elapsed().as_secs_f64())
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
