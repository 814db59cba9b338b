//! Ways that take turns, so that whatever else the machine does hits all of them.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// Takes so long for each name. The first of it only warms up.
const TIME: Duration = Duration::from_secs(3);
const WARM_UP: Duration = Duration::from_millis(300);

/// One of the ways to do the work.
pub(crate) struct Way<'a> {
    /// How often in a turn.
    pub(crate) calls: u64,
    /// How many ids in a call.
    pub(crate) ids: u64,
    pub(crate) run: Box<dyn FnMut(Range<u64>) + 'a>,
}

impl<'a> Way<'a> {
    pub(crate) fn new(calls: u64, ids: u64, run: impl FnMut(Range<u64>) + 'a) -> Self {
        Self { calls, ids, run: Box::new(run) }
    }

    /// One turn. Gives the nanoseconds for each command.
    fn turn(&mut self, next: &mut u64, commands: u64) -> f64 {
        let started = Instant::now();
        for _ in 0..self.calls {
            let first = *next;
            *next += self.ids;
            (self.run)(first..*next);
        }
        started.elapsed().as_nanos() as f64 / (self.calls * self.ids * commands) as f64
    }
}

/// Lets them take turns, and prints a line for each: the name, and what a command took in each way, in their order.
pub(crate) fn take_turns<const N: usize>(name: &str, commands: u64, mut ways: [Way<'_>; N]) {
    eprintln!("measuring: {name}");
    let mut next = 0;
    let started = Instant::now();
    for turn in 0.. {
        let mut nanoseconds = [0.0; N];
        // Which of the first two begins changes each time, so that each comes as often as the other after what is slow.
        let first = turn % 2;
        for at in [first, 1 - first].into_iter().chain(2..N) {
            nanoseconds[at] = ways[at].turn(&mut next, commands);
        }
        if started.elapsed() > WARM_UP {
            let figures = nanoseconds.map(|figure| format!(" {figure:.1}"));
            println!("{name}{}", figures.concat());
        }
        if started.elapsed() > TIME {
            break;
        }
    }
}
