//! Sides that take turns, so that whatever else the machine does affects all of them.

use std::ops::Range;
use std::time::{Duration, Instant};

/// One side: the same work done in one way.
pub(crate) struct Side<'a> {
    calls: u64,
    ids: u64,
    run: Box<dyn FnMut(Range<u64>) + 'a>,
}

impl<'a> Side<'a> {
    /// A side that makes `calls` calls in a turn, each with `ids` ids.
    pub(crate) fn new(calls: u64, ids: u64, run: impl FnMut(Range<u64>) + 'a) -> Self {
        Self { calls, ids, run: Box::new(run) }
    }

    /// Takes a turn and returns the nanoseconds for each command.
    fn turn(&mut self, next_id: &mut u64, commands: u64) -> f64 {
        let started = Instant::now();
        for _ in 0..self.calls {
            let first = *next_id;
            *next_id += self.ids;
            (self.run)(first..*next_id);
        }
        started.elapsed().as_nanos() as f64 / (self.calls * self.ids * commands) as f64
    }
}

/// Lets the sides take turns for the time that the command line gives, and prints a line for each turn: the name, and
/// the nanoseconds of each side. The first tenth of the time is a warm-up.
pub(crate) fn take_turns<const N: usize>(name: &str, commands: u64, mut sides: [Side<'_>; N]) {
    eprintln!("measuring: {name}");
    let milliseconds = std::env::args().nth(2).and_then(|time| time.parse().ok()).unwrap_or(3_000);
    let time = Duration::from_millis(milliseconds);
    let mut next_id = 0;
    let started = Instant::now();
    for turn in 0.. {
        let mut nanoseconds = [0.0; N];
        // The first two sides alternate, so that none of them always follows the slower one.
        let first = turn % 2;
        for side in [first, 1 - first].into_iter().chain(2..N) {
            nanoseconds[side] = sides[side].turn(&mut next_id, commands);
        }
        if started.elapsed() > time / 10 {
            let figures = nanoseconds.map(|figure| format!(" {figure:.1}"));
            println!("{name}{}", figures.concat());
        }
        if started.elapsed() > time {
            break;
        }
    }
}
