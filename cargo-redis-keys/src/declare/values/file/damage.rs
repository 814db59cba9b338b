//! A file that cannot be read.

use crate::Failure;

/// The first place that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::declare::values) struct Damage {
    /// The line, from 1.
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) help: String,
}

/// The remedy if nothing else is known: the file is in version control.
const RESTORE: &str = "restore the last version of the file, and run `cargo redis-keys values --accept`";

impl Damage {
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into(), help: RESTORE.to_owned() }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    pub(super) fn into_failure(self, name: &str) -> Failure {
        Failure::new(format!("{name}:{}: {}", self.line, self.message)).help(self.help)
    }
}
