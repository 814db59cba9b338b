//! The progress of a run that acts on a plan.

use super::options::ChangeCommand;
use super::results::Results;
use crate::server::progress::{ProgressLine, progress};

/// The progress of a run that acts on a plan.
pub(super) struct ChangeProgress {
    line: ProgressLine,
    verb: &'static str,
    /// The number of keys in the plan.
    total: u64,
}

impl ChangeProgress {
    pub(super) fn new(command: ChangeCommand, total: u64) -> Self {
        let verb = match command {
            ChangeCommand::Purge => "removing",
            ChangeCommand::Expire => "setting expiries",
        };
        Self { line: ProgressLine::new(), verb, total }
    }

    /// Shows the results until now, if it is time.
    pub(super) fn show(&mut self, results: &Results) {
        let (verb, done, total) = (self.verb, results.ended(), self.total);
        self.line.show(|seconds| format!("{verb}: {}", progress(done, "", total, done, seconds)));
    }

    /// Removes the line.
    pub(super) fn clear(&self) {
        self.line.clear();
    }
}
