//! The cost of reports: the same reads without the feature `metrics`, with it, and with a recorder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::Setup;
use super::instructions::{Cost, has_valgrind};
use super::table::{Table, median, with_goal};
use super::throughput::Cores;
use crate::run::{Failure, Outcome, cargo, run, target};

/// The features of each build, and its title.
const BUILDS: [(&str, &str); 3] = [
    ("", "without the feature"),
    ("metrics", "with it, without a recorder"),
    ("exporter", "with `metrics-exporter-prometheus`"),
];

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let programs = BUILDS.map(|(features, _)| build(features));
    let programs = programs.into_iter().collect::<Outcome<Vec<_>>>()?;
    let throughput = throughput(&programs, setup)?;
    let mut rows = Vec::new();
    let mut without = None;
    for ((features, title), (program, nanoseconds)) in BUILDS.iter().zip(programs.iter().zip(&throughput)) {
        let ratios = throughput[0].iter().zip(nanoseconds).map(|(without, with)| without / with).collect();
        let ratio = median(ratios);
        let ratio =
            if *features == "exporter" { with_goal(ratio, ratio >= 0.97, "≥ 0.97") } else { format!("{ratio:.2}") };
        let mut row = vec![(*title).to_owned(), "–".to_owned(), "–".to_owned(), ratio];
        if has_valgrind() {
            println!("counting: {title}");
            let cost = Cost::within("*reads*", program, &["get"], setup.count(2_000, 50))?;
            let base = without.get_or_insert(cost.instructions);
            let more = cost.instructions - *base;
            row[1] = cost.to_string();
            row[2] = match *features {
                "metrics" => with_goal(more, more <= 20.0, "≤ 20"),
                "exporter" => with_goal(more, more <= 300.0, "≤ 300"),
                _ => "–".to_owned(),
            };
        }
        rows.push(row);
    }
    Ok(vec![Table {
        title: "Metrics of a GET",
        method: "Instructions (and allocations) of a GET on an asynchronous mock, counted by valgrind; one call in eight is timed. \
                 Throughput with 64 tasks on `redis_keys::connect`, client and server on different cores where the machine can \
                 pin, the builds in turns, medians."
            .to_owned(),
        columns: &["", "instructions", "more than without", "throughput, of that without"],
        rows,
    }])
}

fn build(features: &str) -> Outcome<PathBuf> {
    let package = "redis-keys-reports-bench";
    run(cargo().args(["build", "--quiet", "--release", "--package", package, "--features", features]))?;
    let program = target().join("bench").join(format!("reports-{features}"));
    fs::create_dir_all(target().join("bench"))?;
    fs::copy(target().join("release").join(package), &program)?;
    Ok(program)
}

/// The nanoseconds of a read by each program, in each round.
fn throughput(programs: &[PathBuf], setup: Setup<'_>) -> Outcome<Vec<Vec<f64>>> {
    let cores = Cores::choose(setup.server)?;
    let mut samples = vec![Vec::new(); programs.len()];
    for round in 1..=setup.count(9, 1) {
        println!("round {round}");
        for (program, samples) in programs.iter().zip(&mut samples) {
            samples.push(nanoseconds(&cores, program, setup.count(6_000, 100))?);
        }
    }
    Ok(samples)
}

fn nanoseconds(cores: &Cores<'_>, program: &Path, count: u32) -> Outcome<f64> {
    let mut command = cores.client(program);
    let output = command.args(["throughput", "64", &count.to_string()]).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| Failure::new("the benchmark of reports failed"))
}
