//! `cargo xtask soak`: the tests with random numbers, again and again, each round with a new seed.

use std::fmt;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::run::{Failure, Outcome, cargo, heading, program, run, target};
use crate::server;
use crate::test::TESTS;

/// A part of the run.
struct Part {
    name: &'static str,
    /// Its end, in per cent of the time.
    until: u32,
    /// The runs of a round: each a test binary and the names of tests.
    runs: &'static [(&'static str, &'static [&'static str])],
    /// Longer than one of these takes.
    limit: Duration,
}

const PARTS: [Part; 9] = [
    Part {
        name: "a changing cluster, on the connection of redis-keys",
        until: 20,
        runs: &[
            ("integration", &["changes::long_batches_are_exact_while_slots_move", "--ignored"]),
            ("integration", &["changes::long_batches_are_exact_while_everything_changes", "--ignored"]),
        ],
        limit: Duration::from_secs(180),
    },
    Part {
        name: "a changing cluster, on the connection of redis-rs",
        until: 35,
        runs: &[
            ("integration", &["changes::long_batches_on_redis_rs_are_exact", "--ignored"]),
            ("integration", &["changes::long_batches_on_redis_rs_are_only", "--ignored"]),
        ],
        limit: Duration::from_secs(180),
    },
    Part {
        name: "killed clients, cut connections and dropped futures",
        until: 50,
        runs: &[(
            "integration",
            &["killed::", "connections::lost", "blocking::delivered", "blocking::drops", "a_dropped_batch"],
        )],
        limit: Duration::from_secs(180),
    },
    Part {
        name: "cached keys that several processes read and remove",
        until: 62,
        runs: &[
            ("integration", &["cache::storm::long_no_value_is_stale", "--ignored", "--test-threads", "1"]),
            ("integration", &["cache::processes"]),
        ],
        limit: Duration::from_secs(900),
    },
    Part {
        name: "near copies of cached keys that are written, flushed and lost all the time",
        until: 70,
        runs: &[
            (
                "integration",
                &[
                    "near::own_writes::long",
                    "near::races::long",
                    "near::changes::long",
                    "near::budget::long",
                    "near::herd::long",
                    "near::processes::long",
                    "near::refused::long",
                    "near::cluster::long",
                    "--ignored",
                    "--test-threads",
                    "1",
                ],
            ),
            ("integration", &["near::connections", "near::cluster", "--test-threads", "1"]),
        ],
        limit: Duration::from_secs(900),
    },
    Part {
        name: "locks that many processes need",
        until: 74,
        runs: &[("integration", &["lock::processes::long_no_increment", "--ignored"]), ("integration", &["lock::"])],
        limit: Duration::from_secs(600),
    },
    Part {
        name: "queues of jobs whose workers are killed, and whose slots move",
        until: 79,
        runs: &[(
            "integration",
            &["jobs::processes", "jobs::killed", "jobs::moving_slots", "jobs::worker::", "--test-threads", "1"],
        )],
        limit: Duration::from_secs(300),
    },
    Part {
        name: "hostile servers",
        until: 87,
        runs: &[("integration", &["hostile::"])],
        limit: Duration::from_secs(180),
    },
    Part {
        name: "random values, keys and declarations",
        until: 100,
        runs: &[
            ("redis_keys", &["every_form", "round_trip", "properties", "bucket", "encoding"]),
            ("redis_keys_schema", &["random", "policy", "segment", "text"]),
            ("redis_keys_macros", &["tokens"]),
        ],
        limit: Duration::from_secs(300),
    },
];

/// The results of a part.
#[derive(Default)]
struct Figures {
    rounds: u64,
    /// The numbers that its tests print, each with what it counts.
    counts: Vec<(String, u64)>,
}

/// Runs each part for its share of the time.
pub(crate) fn soak(server: &Path, minutes: u32, seed: Option<u64>) -> Outcome {
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    println!("Seed: {seed:#x}");
    heading("Building the tests");
    let binaries = build()?;
    let started = Instant::now();
    let mut summary = Vec::new();
    for (number, part) in (0..).zip(&PARTS) {
        heading(part.name);
        let ends = started + Duration::from_secs(60) * minutes * part.until / 100;
        let figures = part.run(server, &binaries, seed.wrapping_add(number << 32), ends);
        let figures = figures.inspect_err(|_| println!("\nRun all again: {}", again(minutes, seed)))?;
        println!("{figures}");
        summary.push((part.name, figures));
    }
    heading(&format!("Nothing failed in {} s", started.elapsed().as_secs()));
    for (name, figures) in summary {
        println!("{name}:\n    {figures}");
    }
    println!("\nRun all again: {}", again(minutes, seed));
    Ok(())
}

/// Reads a seed: decimal, or hexadecimal after `0x`.
pub(crate) fn parse_seed(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn again(minutes: u32, seed: u64) -> String {
    format!("cargo xtask soak {minutes} --seed {seed:#x}")
}

/// Builds what `cargo xtask test` builds, and returns the test binaries.
fn build() -> Outcome<Vec<PathBuf>> {
    // The tests of the tool have the same name as those of the library.
    let words = ["--exclude", "cargo-redis-keys", "--no-run", "--color", "never"];
    run(cargo().args(TESTS).args(words).arg("--quiet"))?;
    let output = cargo().args(TESTS).args(words).output()?;
    // `  Executable unittests src/lib.rs (target/debug/deps/redis_keys-0123456789abcdef)`
    let path = |line: &str| Some(line.trim().strip_prefix("Executable ")?.split_once('(')?.1.strip_suffix(')')?.into());
    Ok(String::from_utf8_lossy(&output.stderr).lines().filter_map(path).collect())
}

/// Finds a test binary by its name, which precedes a hash.
fn find<'b>(binaries: &'b [PathBuf], name: &str) -> Outcome<&'b Path> {
    let prefix = format!("{name}-");
    let has_name = |path: &&PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&prefix));
    let found = binaries.iter().find(has_name).map(PathBuf::as_path);
    found.ok_or_else(|| Failure::new(format!("cargo built no tests `{name}`")))
}

impl Part {
    /// Runs at least one round, and no further one after `ends`.
    fn run(&self, server: &Path, binaries: &[PathBuf], first_seed: u64, ends: Instant) -> Outcome<Figures> {
        let mut figures = Figures::default();
        while figures.rounds == 0 || Instant::now() < ends {
            let seed = first_seed.wrapping_add(figures.rounds).to_string();
            for (binary, tests) in self.runs {
                let mut command = program(find(binaries, binary)?);
                command.args(*tests).arg("--nocapture").env(server::VARIABLE, server);
                command.env("REDIS_KEYS_SEED", &seed).env("PROPTEST_RNG_SEED", &seed);
                let output = finish(&mut command, self.limit)?;
                figures.add(&output);
            }
            figures.rounds += 1;
        }
        Ok(figures)
    }
}

/// Runs a command and returns its output. A command that takes too long is killed.
fn finish(command: &mut Command, limit: Duration) -> Outcome<String> {
    let log = target().join("soak.log");
    let file = File::create(&log)?;
    let mut child = command.stdout(file.try_clone()?).stderr(file).spawn()?;
    let ends = Instant::now() + limit;
    let mut status = child.try_wait()?;
    while status.is_none() && Instant::now() < ends {
        sleep(Duration::from_millis(50));
        status = child.try_wait()?;
    }
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let output = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let reason = match status {
        Some(status) if !status.success() => "a test failed".to_owned(),
        Some(_) if output.contains("ok. 0 passed") => "no test has one of these names".to_owned(),
        Some(_) => return Ok(output),
        None => format!("killed after {} s", limit.as_secs()),
    };
    let lines: Vec<_> = output.lines().collect();
    println!("…\n{}", lines[lines.len().saturating_sub(60)..].join("\n"));
    Err(Failure::new(format!("{reason}; its whole output is in {}\nRun this again: {command:?}", log.display())))
}

impl Figures {
    /// Adds up the tests, and the numbers in lines such as `soak: 12 cuts, 3 moves`.
    fn add(&mut self, output: &str) {
        for line in output.lines() {
            let passed = line.strip_prefix("test result: ok. ").and_then(|rest| rest.split(';').next());
            let counted = line.split_once("soak: ").map(|(_, rest)| rest);
            for item in passed.or(counted).unwrap_or_default().split([',', ';']) {
                let Some((number, what)) = item.trim().split_once(' ') else { continue };
                let Ok(number) = number.parse::<u64>() else { continue };
                match self.counts.iter_mut().find(|(known, _)| known == what) {
                    Some((_, sum)) => *sum += number,
                    None => self.counts.push((what.to_owned(), number)),
                }
            }
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rounds: {}", self.rounds)?;
        self.counts.iter().try_for_each(|(what, sum)| write!(f, ", {sum} {what}"))
    }
}
