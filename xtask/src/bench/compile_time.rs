//! Compile time of keys: `cargo check` of generated crates with thousands of them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Setup;
use super::table::{Table, minimum, with_goal};
use crate::run::{Failure, Outcome, cargo, root, run, status, target};

/// A policy file with every section.
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

/// Optimizes macros, as the performance guide recommends.
const OPTIMIZED_MACROS: &str = "[profile.dev.build-override]\nopt-level = 3\n";

/// The derive of each struct of a generated crate.
#[derive(Clone, Copy, PartialEq)]
enum Derive {
    Nothing,
    RedisKey,
    /// `RedisKey` with the option `legacy`.
    Legacy,
    Serialize,
}

/// Measures everyday keys beside the bare structs and beside serde.
pub(super) fn keys(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let (count, runs) = (setup.count(2_000, 100), setup.count(7, 1));
    let package = |name, derive| Package { name, source: everyday_keys(count, derive) };
    let bare = || package("bare", Derive::Nothing);
    let packages = vec![
        bare(),
        package("keys", Derive::RedisKey),
        package("policy", Derive::RedisKey),
        package("legacy", Derive::Legacy),
        package("serde", Derive::Serialize),
    ];
    let workspace = Workspace::new("keys", packages, "", "")?;
    fs::write(workspace.folder.join("policy").join("redis-keys.toml"), POLICY)?;
    let optimized =
        Workspace::new("keys-optimized", vec![bare(), package("keys", Derive::RedisKey)], "", OPTIMIZED_MACROS)?;
    let reported = Workspace::new("keys-reported", vec![bare(), package("keys", Derive::RedisKey)], "\"metrics\"", "")?;
    let [bare, keys, policy, legacy, serde] = workspace.measure(runs)?[..] else { return Ok(Vec::new()) };
    let [bare_reported, keys_reported] = reported.measure(runs)?[..] else { return Ok(Vec::new()) };
    let [bare_optimized, keys_optimized] = optimized.measure(runs)?[..] else { return Ok(Vec::new()) };
    let per_key = |total: f64, bare: f64| (total - bare) / f64::from(count);
    let (without, with_policy, with_legacy) = (per_key(keys, bare), per_key(policy, bare), per_key(legacy, bare));
    let with_metrics = per_key(keys_reported, bare_reported);
    Ok(vec![Table {
        title: "Compile time of a key",
        method: format!(
            "`cargo check` of a crate of {count} structs with 0 to 2 parameters and common options, dependencies built, not \
             incremental, in turns, fastest of {runs} runs; beyond the same crate with the bare structs ({bare:.0} ms). \
             Optimized macros: `[profile.dev.build-override] opt-level = 3`."
        ),
        columns: &[
            "`RedisKey`, ms a key",
            "with a policy file",
            "with `legacy`",
            "with the feature `metrics`",
            "with optimized macros",
            "serde's `Serialize`, ms a struct",
        ],
        rows: vec![vec![
            format!("{without:.2}"),
            with_goal(with_policy, with_policy <= 1.1, "≤ 1.1"),
            with_goal(with_legacy, with_legacy <= 2.0 * without, "at most twice that without"),
            with_goal(with_metrics, with_metrics <= 1.03 * without, "at most 1.03 times that without"),
            format!("{:.2}", per_key(keys_optimized, bare_optimized)),
            format!("{:.2}", per_key(serde, bare)),
        ]],
    }])
}

/// A crate with the mix of keys of an application: mostly ids, some text, some without parameters.
fn everyday_keys(count: u32, derive: Derive) -> String {
    let mut source = "#![allow(dead_code)]\n".to_owned();
    if matches!(derive, Derive::RedisKey | Derive::Legacy) {
        source.push_str("use redis_keys::prelude::*;\n");
    }
    source.push_str(
        "#[derive(serde::Serialize, serde::Deserialize)]\npub struct Profile { name: String, email: String }\n",
    );
    for number in 0..count {
        let (template, options, body, legacy) = match number % 5 {
            0 => (
                "user:basic.info.nN:{user_id}:string",
                "value = Json<Profile>, ttl = 1h, jitter = 5m",
                "{ user_id: u64 }",
                "User:N:{user_id}",
            ),
            1 => (
                "shop:price.nN:{country}:{article}:string",
                "value = u64, ttl = 30m",
                "{ country: String, article: u32 }",
                "N/price/{country}/{article}",
            ),
            2 => (
                "app:settings.nN:string",
                "value = Json<Profile>, ttl = 1d, jitter = 10%, max_bytes = 8KB",
                ";",
                "Settings-N",
            ),
            3 => (
                "session:token.nN:{token}:string",
                "value = String, ttl = 7d, renew = read",
                "{ token: u128 }",
                "sess-N-{token:032x}",
            ),
            _ => (
                "counter:views.nN:{page}:{day}:string",
                "value = i64, ttl = 2d",
                "{ page: String, day: u16 }",
                "views_N_{page}_{day}",
            ),
        };
        let _ = writeln!(source, "/// Key number {number}.");
        match derive {
            Derive::Nothing => {}
            Derive::Serialize => source.push_str("#[derive(serde::Serialize)]\n"),
            Derive::RedisKey | Derive::Legacy => {
                let [template, legacy] = [template, legacy].map(|text| text.replace('N', &number.to_string()));
                let legacy = if derive == Derive::Legacy { format!(", legacy = {legacy:?}") } else { String::new() };
                let _ = writeln!(source, "#[derive(RedisKey)]\n#[redis_key({template}, {options}{legacy})]");
            }
        }
        let _ = writeln!(source, "pub struct Key{number} {body}");
    }
    source.push_str("fn main() {}\n");
    source
}

/// Measures what comparing the keys of a crate costs, beside the same keys with `allow(overlap)`.
pub(super) fn overlap(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    // All keys of a crate have the same module, type and length, so that each is compared with each.
    let shapes = [
        ("overlap-plain", "user:basic.info.nN:{id}:set", "u64"),
        ("overlap-newtype", "user:{id}:basic.info.nN:set", "UserId"),
    ];
    let sizes = [(setup.count(1_000, 100), 0.5, "≤ 0.5"), (setup.count(4_000, 200), 1.0, "≤ 1")];
    let runs = setup.count(5, 1);
    let mut rows = sizes.map(|(count, ..)| vec![count.to_string()]);
    for (name, template, ty) in shapes {
        let package = |name, count, allowed| Package { name, source: similar_keys(count, template, ty, allowed) };
        let packages = vec![
            package("small-allowed", sizes[0].0, true),
            package("small-compared", sizes[0].0, false),
            package("large-allowed", sizes[1].0, true),
            package("large-compared", sizes[1].0, false),
        ];
        let times = Workspace::new(name, packages, "", "")?.measure(runs)?;
        for ((row, (count, goal, text)), times) in rows.iter_mut().zip(sizes).zip(times.chunks_exact(2)) {
            let per_key = (times[1] - times[0]).max(0.0) / f64::from(count);
            row.push(with_goal(per_key, per_key <= goal, text));
        }
    }
    Ok(vec![Table {
        title: "Compile time of comparing keys",
        method: format!(
            "`cargo check` of a crate whose keys all have the same module, type and length, beyond the same crate with \
             `allow(overlap)` in each of its keys; not incremental, in turns, fastest of {runs} runs."
        ),
        columns: &["keys", "a number last, ms a key", "a newtype first, ms a key"],
        rows: rows.into(),
    }])
}

fn similar_keys(count: u32, template: &str, ty: &str, allowed: bool) -> String {
    let mut source = "#![allow(dead_code)]\nuse redis_keys::prelude::*;\n\
                      #[derive(KeySegment)]\npub struct UserId(u64);\n"
        .to_owned();
    let allow = if allowed { ", allow(overlap, reason = \"measured\")" } else { "" };
    for number in 0..count {
        let template = template.replace('N', &number.to_string());
        let _ = writeln!(
            source,
            "#[derive(RedisKey)]\n#[redis_key({template}, value = u64, ttl = 1h{allow})]\npub struct Key{number} {{ id: {ty} }}"
        );
    }
    source.push_str("fn main() {}\n");
    source
}

/// A generated crate.
struct Package {
    name: &'static str,
    source: String,
}

/// A workspace of generated crates.
struct Workspace {
    folder: PathBuf,
    packages: Vec<Package>,
}

impl Workspace {
    fn new(name: &str, packages: Vec<Package>, features: &str, profile: &str) -> Outcome<Self> {
        let folder = target().join("bench").join(name);
        let library = root().join("redis-keys").canonicalize()?;
        for Package { name, source } in &packages {
            fs::create_dir_all(folder.join(name))?;
            fs::write(main_file(&folder, name), source)?;
            let manifest = format!(
                "[package]\nname = \"keys-{name}\"\nedition = \"2024\"\n[[bin]]\nname = \"{name}\"\npath = \"main.rs\"\n\
                 [dependencies]\nserde = {{ version = \"1\", features = [\"derive\"] }}\nredis-keys = {{ path = '{}', features = [{features}] }}\n",
                library.display()
            );
            fs::write(folder.join(name).join("Cargo.toml"), manifest)?;
        }
        let members = packages.iter().map(|package| format!("'{}'", package.name)).collect::<Vec<_>>().join(", ");
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n{profile}");
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder, packages })
    }

    /// Checks the packages in turns and returns the shortest time of each in milliseconds.
    fn measure(&self, runs: u32) -> Outcome<Vec<f64>> {
        let folder = &self.folder;
        run(cargo().args(["check", "--quiet"]).current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target")))?;
        let mut times = vec![Vec::new(); self.packages.len()];
        for number in 1..=runs {
            let mut figures = Vec::new();
            for (package, times) in self.packages.iter().zip(&mut times) {
                let time = self.check(package)?;
                figures.push(format!("{} {:.3} s", package.name, time / 1_000.0));
                times.push(time);
            }
            println!("run {number} of {runs}: {}", figures.join(", "));
        }
        Ok(times.iter().map(|times| minimum(times)).collect())
    }

    fn check(&self, Package { name, source }: &Package) -> Outcome<f64> {
        let file = main_file(&self.folder, name);
        // The new modification time makes cargo check the crate again.
        fs::write(&file, source)?;
        let started = Instant::now();
        let mut command = cargo();
        command.args(["check", "--quiet", "--offline"]).current_dir(self.folder.join(name));
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", self.folder.join("target"));
        if !status(&mut command)?.success() {
            return Err(Failure::new(format!("the generated crate `{}` does not compile", file.display())));
        }
        Ok(started.elapsed().as_secs_f64() * 1_000.0)
    }
}

fn main_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).join("main.rs")
}
