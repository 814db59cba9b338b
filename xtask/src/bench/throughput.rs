//! GET and SET against a real server, end to end.

use std::fs;
use std::path::Path;

use super::pinned::Cores;
use super::samples::Samples;
use super::topic::{Topic, beside_goal};
use crate::run::{Outcome, cargo, run, target};

const GOAL: f64 = 0.98;

/// What is measured: the name in the benchmark, and the one in the table.
const CASES: [(&str, &str); 4] = [
    ("one_by_one/get", "GET, blocking, one after the other"),
    ("one_by_one/set", "SET, blocking, one after the other"),
    ("in_flight/get", "GET, multiplexed, 64 tasks"),
    ("in_flight/set", "SET, multiplexed, 64 tasks"),
];

const BENCH: [&str; 6] = ["bench", "--quiet", "--package", "redis-keys-bench", "--bench", "throughput"];

pub(super) fn measure(binary: &Path) -> Outcome<Vec<Topic>> {
    // Built on all cores; what runs afterwards is pinned.
    run(cargo().args(BENCH).arg("--no-run"))?;
    let cores = Cores::choose(binary)?;
    let samples = samples(&cores)?;
    Ok(vec![Topic {
        title: "End-to-end throughput",
        how: format!(
            "Criterion, {}; both sides take turns within each sample, medians over the samples.",
            cores.describe()
        ),
        columns: &["", "redis-keys, requests/s", "redis-rs and `format!`, requests/s", "ratio"],
        rows: CASES.iter().map(|(name, title)| row(title, name, &samples)).collect(),
    }])
}

fn row(title: &str, name: &str, samples: &Samples) -> Vec<String> {
    let ratio = samples.ratio(name, 1);
    vec![
        title.to_owned(),
        samples.per_second(name, 0),
        samples.per_second(name, 1),
        beside_goal(ratio, ratio >= GOAL, "≥ 0.98"),
    ]
}

/// Runs the benchmark and gives what it wrote.
fn samples(cores: &Cores<'_>) -> Outcome<Samples> {
    let folder = target().join("bench");
    let file = folder.join("pairs");
    fs::create_dir_all(&folder)?;
    fs::write(&file, "")?;
    // Criterion would compare with another day's run, of which nobody knows how it was taken.
    let criterion = folder.join("criterion");
    if criterion.exists() {
        fs::remove_dir_all(&criterion)?;
    }
    let mut command = cores.client(cargo().get_program());
    command.args(BENCH).args(["--", "--warm-up-time", "0.5", "--measurement-time", "6", "--nresamples", "2000"]);
    run(command.env("REDIS_KEYS_PAIRS", &file).env("CRITERION_HOME", &criterion))?;
    Ok(Samples::new(fs::read_to_string(&file)?))
}
