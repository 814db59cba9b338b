//! `cargo redis-keys`: the audit of a filled server beside `redis-cli`, the search for a key's declaration, and the
//! check of many sources.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use super::Setup;
use super::table::{Table, median, minimum, with_goal};
use super::throughput::Cores;
use crate::run::{Failure, Outcome, cargo, program, root, run, target};

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    run(cargo().args(["build", "--quiet", "--release", "--package", "cargo-redis-keys"]))?;
    run(cargo().args(["build", "--quiet", "--release", "--package", "redis-keys-bench", "--bin", "audit"]))?;
    let tool = fs::canonicalize(target().join("release").join("cargo-redis-keys"))?;
    let cores = Cores::choose(setup.server)?;
    let keys = setup.count(832_000, 10_000);
    let mut command = cores.client(target().join("release").join("audit"));
    command.arg(&tool).args([keys.to_string(), setup.count(3, 1).to_string()]);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Failure::new("the benchmark `audit` failed"));
    }
    let figures = Figures(String::from_utf8_lossy(&output.stdout).into_owned());
    Ok(vec![audits(&figures, keys, &cores), others(&figures, &tool, setup, &cores)?])
}

/// Lines of a name and figures: keys per second, microseconds of the client a key, idle share of the server, KB of
/// memory.
struct Figures(String);

impl Figures {
    /// The median of a figure, if it was measured.
    fn get(&self, name: &str, index: usize) -> Option<f64> {
        let lines = self.0.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let figures: Vec<f64> = lines.filter_map(|figures| figures.split(' ').nth(index)?.parse().ok()).collect();
        (!figures.is_empty()).then(|| median(figures))
    }
}

fn audits(figures: &Figures, keys: u32, cores: &Cores<'_>) -> Table {
    let row = |(name, title): &(&str, String)| {
        let [speed, client, idle, memory] = [0, 1, 2, 3].map(|index| figures.get(name, index));
        let (speed, client, idle, memory) = (speed?, client?, idle?, memory? / 1024.0);
        let is_ours = matches!(*name, "full" | "large");
        let goal = |figure: f64, at_most: f64| {
            if is_ours {
                with_goal(figure, figure <= at_most, &format!("≤ {at_most}"))
            } else {
                format!("{figure:.2}")
            }
        };
        let ours = figures.get("full", 0).unwrap_or(f64::NAN);
        let ratio = if is_ours { String::new() } else { format!("{:.2}", ours / speed) };
        Some(vec![title.clone(), format!("{speed:.0}"), goal(client, 1.0), goal(idle, 3.0), goal(memory, 64.0), ratio])
    };
    let rows = [
        ("full", "`cargo redis-keys audit --full-speed`".to_owned()),
        ("memkeys", "`redis-cli --memkeys`".to_owned()),
        ("keystats", "`redis-cli --keystats`".to_owned()),
        ("large", format!("`audit --full-speed`, {} keys", keys * 12)),
    ];
    Table {
        title: "Audit",
        method: format!(
            "{keys} keys of all types, 2,000 declarations of which 60 have keys, {}; medians of the rounds, start of the program \
             included. `redis-cli` gets 1,000 keys at once from version 8 on. The audit asks for type, expiry and memory of each \
             key, for length and encoding of some, and finds its declaration.",
            cores.describe()
        ),
        columns: &[
            "",
            "keys/s",
            "client, µs a key",
            "server idle, %",
            "memory of the client, MB",
            "audit is faster by",
        ],
        rows: rows.iter().filter_map(row).collect(),
    }
}

fn others(figures: &Figures, tool: &Path, setup: Setup<'_>, cores: &Cores<'_>) -> Outcome<Table> {
    let figure = |name, index| figures.get(name, index).unwrap_or(f64::NAN);
    let matching = figure("match", 0);
    let (before, during) = (figure("p99", 0) / 1e3, figure("p99", 1) / 1e3);
    let check = check_seconds(tool, setup)?;
    Ok(Table {
        title: "Around the audit",
        method: format!(
            "The 99th percentile of 500 GETs a second of another client, on the client's core, before and during an audit at its \
             default pace; {}. `check` reads 2,000 declarations in 210 files and 2.5 MB, fastest of 5 runs.",
            cores.describe()
        ),
        columns: &["declaration of a key, ns", "p99 of another client before, ms", "during, ms", "`check`, s"],
        rows: vec![vec![
            with_goal(matching, matching <= 200.0, "≤ 200"),
            format!("{before:.2}"),
            with_goal(during, during <= before + 1.0, "≤ 1 more"),
            with_goal(check, check <= 1.0, "≤ 1"),
        ]],
    })
}

/// The time to check a generated workspace of ten packages.
fn check_seconds(tool: &Path, setup: Setup<'_>) -> Outcome<f64> {
    let folder = target().join("bench").join("check");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let files = setup.count(20, 2);
    let members: Vec<String> = (0..10).map(|package| format!("package{package}")).collect();
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))?;
    for (index, name) in members.iter().enumerate() {
        write_package(&folder.join(name), name, index, files)?;
    }
    let seconds = |()| -> Outcome<f64> {
        let started = Instant::now();
        let mut command = program(tool);
        command.args(["check", "--manifest-path"]).arg(folder.join("Cargo.toml"));
        run(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
        Ok(started.elapsed().as_secs_f64())
    };
    let times = (0..5).map(|_| seconds(())).collect::<Outcome<Vec<f64>>>()?;
    Ok(minimum(&times))
}

/// Writes a package with ten declarations, and other code, in each file.
fn write_package(folder: &Path, name: &str, index: usize, files: u32) -> Outcome {
    let source: PathBuf = folder.join("src");
    fs::create_dir_all(&source)?;
    let library = root().join("redis-keys");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\nredis-keys = {{ path = \"{}\" }}\n",
        library.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    let modules = (0..files).fold(String::new(), |mut modules, file| {
        let _ = writeln!(modules, "pub mod keys{file};");
        modules
    });
    fs::write(source.join("lib.rs"), modules)?;
    for file in 0..files {
        let mut text = "use redis_keys::prelude::*;\n".to_owned();
        for key in 0..10 {
            let _ = writeln!(
                text,
                "\n/// The profile of a user.\n#[derive(RedisKey)]\n\
                 #[redis_key(module{index}:file{file}.key{key}:{{user_id}}:string, value = u64, ttl = 1h, jitter = 5m)]\n\
                 pub struct Key{key} {{\n    user_id: u64,\n}}"
            );
        }
        // 12 KB a file.
        for function in 0..120 {
            let _ = writeln!(
                text,
                "\npub fn work{function}(numbers: &[u64]) -> u64 {{\n    numbers.iter().map(|n| n * 2).sum()\n}}"
            );
        }
        fs::write(source.join(format!("keys{file}.rs")), text)?;
    }
    Ok(())
}
