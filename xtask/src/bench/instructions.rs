//! What building, sending and decoding costs, counted by valgrind.

use std::path::Path;
use std::process::Command;

use super::topic::{Topic, beside_goal};
use crate::run::{Failure, Outcome, cargo, run, target};

const GOAL: f64 = 1.05;

/// The work, its name in the table, and whether it has a goal.
const WORKS: [(&str, &str, bool); 4] = [
    ("key", "the key alone", false),
    ("command", "a GET, built", false),
    ("get", "a GET, built, sent to a mock, decoded", true),
    ("set", "a SET with expiry, built, sent to a mock, decoded", false),
];

/// Work that is done in batches: its name in the table, and how often.
const BATCHES: [(&str, &str, u32); 5] = [
    ("batch", "a batch of 50 GETs", 50),
    ("get_many", "`get_many` of 1,000", 5),
    ("load", "a batch of 50 times `load`", 50),
    ("store", "a batch of 50 times `store`", 50),
    ("lpush", "a batch of 50 LPUSHs, `keep_last`", 50),
];

pub(super) fn measure(_server: &Path) -> Outcome<Vec<Topic>> {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: valgrind is needed (`apt install valgrind`, `dnf install valgrind`)");
        return Ok(Vec::new());
    }
    run(cargo().args(["build", "--quiet", "--release", "--package", "redis-keys-bench", "--bin", "instructions"]))?;
    let program = target().join("release").join("instructions");
    Ok(vec![single(&program)?, batches(&program)?])
}

fn single(program: &Path) -> Outcome<Topic> {
    let mut rows = Vec::new();
    for (work, name, has_goal) in WORKS {
        println!("counting: {name}");
        let [ours, floor, hand] = ["ours", "floor", "hand"].map(|way| Cost::of(program, work, way, 2_000));
        let (ours, floor, hand) = (ours?, floor?, hand?);
        let ratio = ours.instructions / floor.instructions;
        let ratio_text = if has_goal {
            beside_goal(ratio, ratio <= GOAL && ours.allocations <= floor.allocations, "≤ 1.05, no more allocations")
        } else {
            format!("{ratio:.2}")
        };
        rows.push(vec![name.to_owned(), ours.to_string(), floor.to_string(), hand.to_string(), ratio_text]);
    }
    Ok(Topic {
        title: "Instructions (and allocations)",
        how: "Counted by `valgrind --tool=callgrind` and `--tool=memcheck`: the difference between two runs of which one does the \
              work twice as often. The floor is hand-written too, with a key on the stack and `Cmd::with_capacity`, unchecked."
            .to_owned(),
        columns: &["", "redis-keys", "floor", "redis-rs and `format!`", "of the floor"],
        rows,
    })
}

fn batches(program: &Path) -> Outcome<Topic> {
    let mut rows = Vec::new();
    for (work, name, often) in BATCHES {
        println!("counting: {name}");
        let (ours, hand) = (Cost::of(program, work, "ours", often)?, Cost::of(program, work, "hand", often)?);
        let ratio = ours.instructions / hand.instructions;
        let shown = beside_goal(ratio, ours.allocations <= hand.allocations, "no more allocations");
        rows.push(vec![name.to_owned(), ours.to_string(), hand.to_string(), shown]);
    }
    Ok(Topic {
        title: "Instructions (and allocations) of batches",
        how: "Counted in the same way: built, packed, sent to a mock, decoded. By hand it is `redis::pipe()` and `format!`.".to_owned(),
        columns: &["", "redis-keys", "by hand", "ratio"],
        rows,
    })
}

/// What a piece of work takes.
struct Cost {
    instructions: f64,
    allocations: f64,
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0} ({:.0})", self.instructions, self.allocations)
    }
}

impl Cost {
    /// Does the work so many times and twice as many.
    fn of(program: &Path, work: &str, way: &str, often: u32) -> Outcome<Self> {
        let per_piece = |few: u32, count: &dyn Fn(u32) -> Outcome<f64>| {
            Ok::<_, Failure>((count(2 * few)? - count(few)?) / f64::from(few))
        };
        let run = |tool: &[&str], before: &str, times: u32| {
            let output =
                Command::new("valgrind").args(tool).arg(program).args([work, way, &times.to_string()]).output()?;
            number_after(&String::from_utf8_lossy(&output.stderr), before)
        };
        let instructions = |times| run(&["--tool=callgrind", "--callgrind-out-file=/dev/null"], "Collected :", times);
        let allocations = |times| run(&["--tool=memcheck", "--leak-check=no"], "total heap usage:", times);
        Ok(Self {
            instructions: per_piece(often, &instructions)?,
            allocations: per_piece(often.min(200), &allocations)?,
        })
    }
}

/// The number that follows some words of valgrind's, which writes thousands with commas.
fn number_after(text: &str, words: &str) -> Outcome<f64> {
    let digits = text.split_once(words).map(|(_, rest)| rest.trim_start());
    let digits = digits.and_then(|rest| rest.split_whitespace().next()).map(|digits| digits.replace(',', ""));
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| Failure::new(format!("valgrind did not say `{words}`:\n{text}")))
}
