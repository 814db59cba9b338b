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
    let cores = Cores::choose(setup.server)?;
    let keys = setup.count(832_000, 10_000);
    let tool = tool()?;
    let figures = figures(&tool, keys, setup, &cores, &[])?;
    Ok(vec![audits(&figures, keys, &cores), others(&figures, &tool, setup, &cores)?])
}

/// Drafts for keys without declarations.
pub(super) fn adopt(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let cores = Cores::choose(setup.server)?;
    let keys = setup.count(1_000_000, 10_000);
    let figures = figures(&tool()?, keys, setup, &cores, &["adopt"])?;
    let figure = |name, index| figures.get(name, index).unwrap_or(f64::NAN);
    let times = figure("audit", 0) / figure("adopt", 0);
    let (mut rows, mut programs) = (Vec::new(), Vec::new());
    for count in [10_000, 100_000, 1_000_000, 10_000_000] {
        if !setup.quick || count == 10_000 {
            rows.extend(inferred("memory_is_bounded", count)?);
        }
        if (!setup.quick || count == 10_000) && count <= 1_000_000 {
            programs.extend(inferred("programs_of_public_software", count)?);
        }
    }
    let speed = Table {
        title: "Drafts",
        method: format!(
            "{keys} keys of many programs without declarations, {}; medians of the rounds.",
            cores.describe()
        ),
        columns: &["`audit --full-speed`, keys/s", "`adopt --full-speed`, keys/s", "takes longer by", "memory, MB"],
        rows: vec![vec![
            format!("{:.0}", figure("audit", 0)),
            format!("{:.0}", figure("adopt", 0)),
            with_goal(times, times <= 1.2, "≤ 1.2"),
            with_goal(figure("adopt", 3) / 1024.0, figure("adopt", 3) <= 65_536.0, "≤ 64"),
        ]],
    };
    let right = Table {
        title: "Inference",
        method:
            "Keys with random ids in the formats of many programs. A template is right if it has its text, its type \
                 and all its keys."
                .to_owned(),
        columns: &["keys", "right templates", "keys in right templates", "memory", "time a key"],
        rows,
    };
    let programs = Table {
        title: "Inference of programs",
        method: "The same for the formats of programs. Rules were tuned on the first list and on that of the development, and some \
                 on the validation. Nothing was tuned on the formats held out."
            .to_owned(),
        columns: &["list", "keys", "right templates", "keys in right templates", "right classes"],
        rows: programs,
    };
    Ok(vec![speed, right, programs])
}

/// Rows of what is inferred from this many keys.
fn inferred(name: &str, count: u32) -> Outcome<Vec<Vec<String>>> {
    let mut command = cargo();
    command.args(["test", "--quiet", "--release", "--package", "cargo-redis-keys", "--lib", "--"]);
    command.args([&format!("infer::tests::{name}"), "--nocapture"]);
    let output = command.env("REDIS_KEYS_INFERRED_KEYS", count.to_string()).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.strip_prefix("measured: "));
    let rows: Vec<Vec<_>> = lines.map(|line| line.split(", ").map(str::to_owned).collect()).collect();
    if rows.is_empty() { Err(Failure::new("the inference was not measured")) } else { Ok(rows) }
}

/// Builds the command.
fn tool() -> Outcome<PathBuf> {
    run(cargo().args(["build", "--quiet", "--release", "--package", "cargo-redis-keys"]))?;
    run(cargo().args(["build", "--quiet", "--release", "--package", "redis-keys-bench", "--bin", "audit"]))?;
    Ok(fs::canonicalize(target().join("release").join("cargo-redis-keys"))?)
}

/// Runs the measuring program.
fn figures(tool: &Path, keys: u32, setup: Setup<'_>, cores: &Cores<'_>, mode: &[&str]) -> Outcome<Figures> {
    let mut command = cores.client(target().join("release").join("audit"));
    command.arg(tool).args([keys.to_string(), setup.count(3, 1).to_string()]).args(mode);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Failure::new("the benchmark `audit` failed"));
    }
    Ok(Figures(String::from_utf8_lossy(&output.stdout).into_owned()))
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
