//! The line of a terminal that shows the progress of a command.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use crate::render::units::{count, duration, percent};

/// The interval at which the line changes.
const SHOW_EVERY: Duration = Duration::from_millis(250);

/// The line that shows the progress. Without a terminal it shows nothing.
pub(crate) struct ProgressLine {
    started: Instant,
    shown: Option<Instant>,
    is_terminal: bool,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), shown: None, is_terminal: std::io::stderr().is_terminal() }
    }

    /// Shows the line, if it is time. It gets the seconds since the start.
    pub(crate) fn show(&mut self, line: impl FnOnce(f64) -> String) {
        if !self.is_terminal || self.shown.is_some_and(|shown| shown.elapsed() < SHOW_EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        anstream::eprint!("\r{}\x1b[K", line(self.started.elapsed().as_secs_f64()));
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.is_terminal {
            anstream::eprint!("\r\x1b[K");
        }
    }
}

/// Describes the progress: `500 of 1,000 keys (50%), 50 keys/s, 10s left`. `new` is the part that was done in these
/// seconds.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is shown with few digits"
)]
pub(crate) fn progress(done: u64, all: &str, total: u64, new: u64, seconds: f64) -> String {
    let speed = new as f64 / seconds.max(0.1);
    let mut line = format!(
        "{} of {all}{} keys ({}), {} keys/s",
        count(done),
        count(total),
        percent(done.min(total), total.max(1)),
        count(speed.round() as u64)
    );
    let rest = total.saturating_sub(done);
    // The first moments say little.
    if new > 0 && rest > 0 && seconds >= 1.0 {
        let left = (rest as f64 / speed).ceil() as u64;
        let _ = write!(line, ", {} left", duration(left.saturating_mul(1_000)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_long_it_takes() {
        assert_eq!(
            progress(1_500, "about ", 1_003_000, 500, 2.0),
            "1,500 of about 1,003,000 keys (< 1%), 250 keys/s, 1h6m left"
        );
        assert_eq!(progress(500, "", 1_000, 500, 0.5), "500 of 1,000 keys (50%), 1,000 keys/s");
        assert_eq!(progress(0, "about ", 0, 0, 0.0), "0 of about 0 keys (0%), 0 keys/s");
        assert_eq!(progress(7, "about ", 5, 7, 1.0), "7 of about 5 keys (100%), 7 keys/s");
    }
}
