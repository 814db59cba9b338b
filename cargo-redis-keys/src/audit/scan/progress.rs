//! The line that shows the progress on a terminal.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::node::Node;

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(250);

/// The line that shows the progress on a terminal.
pub(super) struct Progress {
    started: Instant,
    shown: Option<Instant>,
    /// The keys that an earlier run has counted.
    earlier: u64,
}

impl Progress {
    pub(super) fn new(nodes: &[Arc<Node>]) -> Self {
        Self { started: Instant::now(), shown: None, earlier: seen(nodes) }
    }

    /// Shows the line, if it is time.
    pub(super) fn show(&mut self, nodes: &[Arc<Node>]) {
        if self.shown.is_some_and(|shown| shown.elapsed() < EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let (seen, all) = (seen(nodes), nodes.iter().map(|node| node.keys()).sum());
        let finished = nodes.iter().filter(|node| node.is_finished()).count();
        let seconds = self.started.elapsed().as_secs_f64();
        anstream::eprint!(
            "\r{}\x1b[K",
            line(seen, all, seen.saturating_sub(self.earlier), seconds, finished, nodes.len())
        );
    }

    /// Removes the line.
    #[allow(clippy::unused_self, reason = "without a line there is nothing to remove")]
    pub(super) fn clear(&self) {
        anstream::eprint!("\r\x1b[K");
    }
}

fn seen(nodes: &[Arc<Node>]) -> u64 {
    nodes.iter().map(|node| node.seen()).sum()
}

#[allow(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn line(seen: u64, all: u64, new: u64, seconds: f64, finished: usize, nodes: usize) -> String {
    let percent = (seen as f64 / all.max(1) as f64 * 100.0).min(100.0);
    let mut line = format!("{seen} of about {all} keys ({percent:.0}%), {:.0} keys/s", new as f64 / seconds.max(0.1));
    if nodes > 1 {
        let _ = write!(line, ", {finished} of {nodes} nodes finished");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_a_terminal() {
        assert_eq!(line(500, 1_000, 100, 2.0, 0, 1), "500 of about 1000 keys (50%), 50 keys/s");
        assert_eq!(line(0, 0, 0, 0.0, 1, 3), "0 of about 0 keys (0%), 0 keys/s, 1 of 3 nodes finished");
        assert_eq!(line(7, 5, 7, 1.0, 0, 1), "7 of about 5 keys (100%), 7 keys/s");
    }
}
