//! Instructions and allocations of building, sending and decoding, counted by valgrind.

use std::path::Path;
use std::process::Command;

use super::Setup;
use super::table::{Table, with_goal};
use crate::run::{Failure, Outcome, cargo, run, target};

/// The workload, its title, and whether it has a goal.
const SINGLE: [(&str, &str, bool); 4] = [
    ("key", "the key alone", false),
    ("command", "a GET, built", false),
    ("get", "a GET, built, sent to a mock, decoded", true),
    ("set", "a SET with expiry, built, sent to a mock, decoded", false),
];

/// The workload, its title, and how often it runs.
const BATCHES: [(&str, &str, u32); 5] = [
    ("batch", "a batch of 50 GETs", 50),
    ("get_many", "`get_many` of 1,000", 5),
    ("load", "a batch of 50 times `load`", 50),
    ("store", "a batch of 50 times `store`", 50),
    ("lpush", "a batch of 50 LPUSHs, `keep_last`", 50),
];

/// The ways of reading a cached key, and the titles.
const CACHE: [(&str, &str); 5] = [
    ("get", "`get`"),
    ("get_or_load", "a hit of `get_or_load`"),
    ("refresh", "a hit of `get_or_load`, `refresh`"),
    ("near", "a near copy, with `get_or_load_shared`"),
    ("by-hand", "GET and serde_json by hand"),
];

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    if !has_valgrind() {
        return Ok(Vec::new());
    }
    run(cargo().args(["build", "--quiet", "--release", "--package", "redis-keys-bench", "--bin", "instructions"]))?;
    let program = target().join("release").join("instructions");
    Ok(vec![single(&program, setup)?, batches(&program, setup)?, cache(&program, setup)?])
}

/// Whether valgrind is installed. If not, it says how to get it.
pub(super) fn has_valgrind() -> bool {
    let is_there = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        println!("skipped: valgrind is missing (`apt install valgrind`, `dnf install valgrind`)");
    }
    is_there
}

fn single(program: &Path, setup: Setup<'_>) -> Outcome<Table> {
    let mut rows = Vec::new();
    for (workload, title, has_goal) in SINGLE {
        println!("counting: {title}");
        let cost = |side| Cost::of(program, workload, side, setup.count(2_000, 50));
        let (ours, minimal, by_hand) = (cost("redis-keys")?, cost("minimal")?, cost("by-hand")?);
        let ratio = ours.instructions / minimal.instructions;
        let ratio_text = if has_goal {
            let reached = ratio <= 1.05 && ours.allocations <= minimal.allocations;
            with_goal(ratio, reached, "≤ 1.05, no more allocations")
        } else {
            format!("{ratio:.2}")
        };
        rows.push(vec![title.to_owned(), ours.to_string(), minimal.to_string(), by_hand.to_string(), ratio_text]);
    }
    println!("counting: a key under a legacy text");
    let cost = |side| Cost::of(program, "key", side, setup.count(2_000, 50));
    let (ours, by_hand) = (cost("legacy")?, cost("by-hand")?);
    let ratio = ours.instructions / by_hand.instructions;
    let reached = ratio <= 1.0 && ours.allocations <= by_hand.allocations;
    let ratio = format!("{} `format!`", with_goal(ratio, reached, "≤ 1.00, no more allocations"));
    rows.push(vec![
        "the key alone, under a legacy text".to_owned(),
        ours.to_string(),
        "–".to_owned(),
        by_hand.to_string(),
        ratio,
    ]);
    Ok(Table {
        title: "Instructions (and allocations)",
        method: "Counted by `valgrind --tool=callgrind` and `--tool=memcheck`, as the difference between two runs of which one \
                 does the work twice as often. Minimal is written by hand, too: a key on the stack and `Cmd::with_capacity`, \
                 without checks."
            .to_owned(),
        columns: &["", "redis-keys", "minimal", "redis-rs and `format!`", "redis-keys / minimal"],
        rows,
    })
}

fn batches(program: &Path, setup: Setup<'_>) -> Outcome<Table> {
    let mut rows = Vec::new();
    for (workload, title, times) in BATCHES {
        println!("counting: {title}");
        let cost = |side| Cost::of(program, workload, side, setup.count(times, 1));
        let (ours, by_hand) = (cost("redis-keys")?, cost("by-hand")?);
        let ratio = ours.instructions / by_hand.instructions;
        let ratio = with_goal(ratio, ours.allocations <= by_hand.allocations, "no more allocations");
        rows.push(vec![title.to_owned(), ours.to_string(), by_hand.to_string(), ratio]);
    }
    Ok(Table {
        title: "Instructions (and allocations) of batches",
        method:
            "Counted in the same way: built, packed, sent to a mock, decoded. By hand is `redis::pipe()` and `format!`."
                .to_owned(),
        columns: &["", "redis-keys", "by hand", "ratio"],
        rows,
    })
}

fn cache(program: &Path, setup: Setup<'_>) -> Outcome<Table> {
    let mut costs = Vec::new();
    for (side, title) in CACHE {
        println!("counting: {title}");
        costs.push((side, title, Cost::of(program, "cache", side, setup.count(2_000, 50))?));
    }
    let of_get = |cost: &Cost| cost.instructions / costs[0].2.instructions;
    let row = |(side, title, cost): &(&str, &str, Cost)| {
        let ratio = of_get(cost);
        let ratio =
            if *side == "get_or_load" { with_goal(ratio, ratio <= 1.3, "≤ 1.30") } else { format!("{ratio:.2}") };
        vec![(*title).to_owned(), cost.to_string(), ratio]
    };
    Ok(Table {
        title: "Instructions (and allocations) of reading a cached key",
        method: "Counted in the same way, on an asynchronous mock whose replies arrive between two polls, with a value of six \
                 fields as JSON. By hand is redis-rs and `format!`. With `refresh`, one read in eight also asks how long the \
                 value lives."
            .to_owned(),
        columns: &["", "instructions", "of `get`"],
        rows: costs.iter().map(row).collect(),
    })
}

/// The cost of one iteration of a workload.
pub(super) struct Cost {
    pub(super) instructions: f64,
    allocations: f64,
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0} ({:.0})", self.instructions, self.allocations)
    }
}

impl Cost {
    /// Runs the workload `times` times and twice as often; the difference leaves out what is done once.
    fn of(program: &Path, workload: &str, side: &str, times: u32) -> Outcome<Self> {
        Self::within("*", program, &[workload, side], times)
    }

    /// Counts the instructions of functions with such a name only, and of what they call.
    pub(super) fn within(function: &str, program: &Path, words: &[&str], times: u32) -> Outcome<Self> {
        let count = |tool: &[&str], label: &str, times: u32| {
            let mut command = Command::new("valgrind");
            command.args(tool).arg(program).args(words).arg(times.to_string());
            number_after(&String::from_utf8_lossy(&command.output()?.stderr), label)
        };
        let per_iteration = |tool: &[&str], label: &str, times: u32| -> Outcome<f64> {
            Ok((count(tool, label, 2 * times)? - count(tool, label, times)?) / f64::from(times))
        };
        let toggle = format!("--toggle-collect={function}");
        let callgrind = ["--tool=callgrind", "--callgrind-out-file=/dev/null", &toggle];
        let callgrind = &callgrind[..if function == "*" { 2 } else { 3 }];
        let memcheck = ["--tool=memcheck", "--leak-check=no"];
        Ok(Self {
            instructions: per_iteration(callgrind, "Collected :", times)?,
            allocations: per_iteration(&memcheck, "total heap usage:", times.min(200))?,
        })
    }
}

/// The number after a label in valgrind's output, which separates thousands by commas.
fn number_after(text: &str, label: &str) -> Outcome<f64> {
    let digits = text.split_once(label).map(|(_, rest)| rest.trim_start());
    let digits = digits.and_then(|rest| rest.split_whitespace().next()).map(|digits| digits.replace(',', ""));
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| Failure::new(format!("valgrind did not print `{label}`:\n{text}")))
}
