//! GET and SET against a real server, end to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::topic::{Topic, beside_goal, median};
use crate::run::{Outcome, cargo, program, run, target};
use crate::server;

const GOAL: f64 = 0.98;

/// What is measured: the name in the benchmark, and the one in the table.
const CASES: [(&str, &str); 4] = [
    ("one_by_one/get", "GET, blocking, one after the other"),
    ("one_by_one/set", "SET, blocking, one after the other"),
    ("in_flight/get", "GET, multiplexed, 64 tasks"),
    ("in_flight/set", "SET, multiplexed, 64 tasks"),
];

const BENCH: [&str; 6] = ["bench", "--quiet", "--package", "redis-keys-bench", "--bench", "throughput"];

pub(super) fn measure(binary: &Path) -> Outcome<Option<Topic>> {
    // Built on all cores; what runs afterwards is pinned.
    run(cargo().args(BENCH).arg("--no-run"))?;
    let pinned = pin()?;
    let pairs = samples(binary, pinned.as_deref())?;
    let place = match pinned {
        Some(_) => "client on core 0, server on core 1",
        None => "not pinned, since there is no `taskset` or no second core",
    };
    Ok(Some(Topic {
        title: "End-to-end throughput",
        how: format!(
            "Criterion, over loopback TCP, {place}, {}; both sides take turns within each sample, medians over the samples.",
            server::version(binary).unwrap_or_default()
        ),
        columns: &["", "redis-keys, requests/s", "redis-rs and `format!`, requests/s", "ratio"],
        rows: CASES.iter().map(|(name, title)| row(title, name, &pairs)).collect(),
    }))
}

fn row(title: &str, name: &str, pairs: &str) -> Vec<String> {
    // Each line: the name, how many requests, our nanoseconds, those of the code by hand.
    let samples: Vec<[f64; 3]> = pairs
        .lines()
        .filter_map(|line| line.strip_prefix(name))
        .filter_map(|rest| {
            rest.split_whitespace().map(|number| number.parse().ok()).collect::<Option<Vec<f64>>>()?.try_into().ok()
        })
        .collect();
    let middle = |figure: fn(&[f64; 3]) -> f64| median(samples.iter().map(figure).collect());
    let ratio = middle(|[_, ours, hand]| hand / ours);
    vec![
        title.to_owned(),
        format!("{:.0}", middle(|[count, ours, _]| count / ours * 1e9)),
        format!("{:.0}", middle(|[count, _, hand]| count / hand * 1e9)),
        beside_goal(ratio, ratio >= GOAL, "≥ 0.98"),
    ]
}

/// Runs the benchmark and gives the pairs that it wrote.
fn samples(binary: &Path, pinned_server: Option<&Path>) -> Outcome<String> {
    let folder = target().join("bench");
    let file = folder.join("pairs");
    fs::create_dir_all(&folder)?;
    fs::write(&file, "")?;
    // Criterion would compare with another day's run, of which nobody knows how it was taken.
    let criterion = folder.join("criterion");
    if criterion.exists() {
        fs::remove_dir_all(&criterion)?;
    }
    let mut command = cargo();
    if pinned_server.is_some() {
        let cargo = command;
        command = program("taskset");
        command.args(["-c", "0"]).arg(cargo.get_program());
    }
    command.args(BENCH).args(["--", "--warm-up-time", "0.5", "--measurement-time", "6", "--nresamples", "2000"]);
    command.env("REDIS_KEYS_PAIRS", &file).env("CRITERION_HOME", &criterion);
    run(command.env(server::VARIABLE, pinned_server.unwrap_or(binary)).env(PINNED, binary))?;
    Ok(fs::read_to_string(&file)?)
}

/// Where [`pin`]'s script finds the server: a variable needs no quoting.
const PINNED: &str = "REDIS_KEYS_PINNED_SERVER";

/// A script that runs the server on a core of its own, if this machine can.
fn pin() -> Outcome<Option<PathBuf>> {
    let mut trial = Command::new("taskset");
    if !trial.args(["-c", "1", "true"]).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let script = target().join("bench").join("pinned-server");
    fs::create_dir_all(target().join("bench"))?;
    fs::write(&script, format!("#!/bin/sh\nexec taskset -c 1 \"${PINNED}\" \"$@\"\n"))?;
    server::make_executable(&script)?;
    Ok(Some(script))
}
