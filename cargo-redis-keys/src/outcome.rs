//! The outcome of a command: a result, or the failure to run.

use std::path::Path;
use std::{fmt, io};

use crate::render::{BOLD, Level};

/// The result of a command that could run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing is wrong: status 0.
    Fine,
    /// Something was found: status 1.
    Findings,
}

/// The failure of a command that could not run. The program prints it and exits with status 2.
///
/// It contains no password, and no value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: String,
    help: Option<String>,
    is_broken_pipe: bool,
}

impl Failure {
    /// A failure, in lower case and without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, is_broken_pipe: false }
    }

    /// The failure for a file that cannot be read.
    pub(crate) fn reading(file: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(format!("cannot read `{}`: {error}", file.display()))
    }

    /// The failure for a file that cannot be written.
    pub(crate) fn writing(file: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(format!("cannot write `{}`: {error}", file.display()))
    }

    /// The failure for a program that cannot be run.
    pub(crate) fn running(program: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(format!("cannot run {program}: {error}"))
    }

    /// Adds the remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the remedy, unless it is known already.
    #[must_use]
    pub(crate) fn or_help(self, help: impl Into<String>) -> Self {
        if self.help.is_some() { self } else { self.help(help) }
    }

    /// The failure in one line, without the remedy.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Whether the reader of the output has closed it.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        self.is_broken_pipe
    }
}

/// An error of writing the output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let is_broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { is_broken_pipe, ..Self::new(format!("cannot write the output: {error}")) }
    }
}

impl fmt::Display for Failure {
    /// The message, then `help:` on a separate line. The form `{:#}` is for terminals: with `error:` before it, and in
    /// color.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = Level::Error.style();
        if f.alternate() {
            write!(f, "{error}error{error:#}{BOLD}:{BOLD:#} ")?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) if f.alternate() => write!(f, "\n{BOLD}help:{BOLD:#} {help}"),
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
