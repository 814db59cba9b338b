//! The line of a terminal that shows the progress of a command.

use std::cell::Cell;
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
    /// The characters of the line that is shown.
    length: Cell<usize>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { started: Instant::now(), shown: None, is_terminal, length: Cell::default() }
    }

    /// Shows the line, if it is time. It gets the seconds since the start.
    pub(crate) fn show(&mut self, line: impl FnOnce(f64) -> String) {
        if !self.is_terminal || self.shown.is_some_and(|shown| shown.elapsed() < SHOW_EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        let line = line(self.started.elapsed().as_secs_f64());
        crate::stderr::print(format_args!("{}", self.replaced_by(&line, width)));
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.is_terminal {
            crate::stderr::print(format_args!("{}\r", self.replaced_by("", 0)));
        }
    }

    /// The text that writes a line over the line before. It has no escape codes, which `NO_COLOR` would remove, and
    /// does not wrap.
    fn replaced_by(&self, line: &str, width: usize) -> String {
        let line: String = line.chars().take(width.saturating_sub(1)).collect();
        let length = line.chars().count();
        let rest = self.length.replace(length).saturating_sub(length);
        format!("\r{line}{}", " ".repeat(rest))
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
    fn a_line_replaces_the_one_before() {
        let line = ProgressLine::new();
        assert_eq!(line.replaced_by("1,000 keys", 80), "\r1,000 keys");
        assert_eq!(line.replaced_by("2 keys", 80), "\r2 keys    ");
        assert_eq!(line.replaced_by("1,000 keys", 6), "\r1,000 ");
        assert_eq!(line.replaced_by("", 0), "\r     ");
        assert_eq!(line.replaced_by("", 0), "\r");
    }

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
