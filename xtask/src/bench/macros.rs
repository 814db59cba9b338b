//! How long the macro crates build from nothing, beside syn, quote and proc-macro2 alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::topic::{Topic, beside_goal, fastest};
use crate::run::{Failure, Outcome, cargo, root, run, status, target};

const RUNS: usize = 5;
const GOAL: f64 = 1.3;

pub(super) fn measure(_server: &Path) -> Outcome<Vec<Topic>> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let floor = project("floor", &floor_dependencies(&manifest)?)?;
    let ours = project(
        "ours",
        &format!("redis-keys-macros = {{ path = '{}' }}\n", root().join("redis-keys-macros").display()),
    )?;
    for folder in [&floor, &ours] {
        run(cargo().args(["fetch", "--quiet"]).current_dir(folder))?;
    }
    let (mut floor_times, mut our_times) = (Vec::new(), Vec::new());
    for round in 1..=RUNS {
        floor_times.push(cold_build(&floor)?);
        our_times.push(cold_build(&ours)?);
        println!("run {round} of {RUNS}: {:.2} s beside {:.2} s", our_times[round - 1], floor_times[round - 1]);
    }
    let (ours, floor) = (fastest(&our_times), fastest(&floor_times));
    let ratio = ours / floor;
    Ok(vec![Topic {
        title: "Cold build of the macro crates",
        how: format!("`cargo build` into an empty folder, sources already fetched, in turns, fastest of {RUNS} runs."),
        columns: &["redis-keys-macros, all of it", "syn + quote + proc-macro2 alone", "ratio"],
        rows: vec![vec![format!("{ours:.2} s"), format!("{floor:.2} s"), beside_goal(ratio, ratio <= GOAL, "≤ 1.3")]],
    }])
}

/// The very lines with which this workspace asks for the three crates.
fn floor_dependencies(manifest: &str) -> Outcome<String> {
    ["proc-macro2", "quote", "syn"]
        .iter()
        .map(|name| {
            let line =
                manifest.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" = ")));
            line.map(|line| format!("{line}\n"))
                .ok_or_else(|| Failure::new(format!("the workspace does not depend on {name}")))
        })
        .collect()
}

/// A crate of nothing but dependencies, of the versions that the workspace has locked.
fn project(name: &str, dependencies: &str) -> Outcome<PathBuf> {
    let folder = target().join("bench").join("macros").join(name);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("lib.rs"), "")?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let package = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n[lib]\npath = \"lib.rs\"\n[dependencies]\n"
    );
    fs::write(folder.join("Cargo.toml"), package + dependencies)?;
    Ok(folder)
}

fn cold_build(folder: &Path) -> Outcome<f64> {
    let built = folder.join("target");
    if built.exists() {
        fs::remove_dir_all(&built)?;
    }
    let started = Instant::now();
    let status =
        status(cargo().args(["build", "--quiet", "--offline", "--target-dir"]).arg(&built).current_dir(folder))?;
    if !status.success() {
        return Err(Failure::new("the macro crates do not build"));
    }
    Ok(started.elapsed().as_secs_f64())
}
