//! What `check` finds.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use redis_keys_schema::{Lint, Rule};

/// A file of the project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct File {
    /// Its path, relative to the workspace, with `/`.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// The file.
    pub(crate) file: Rc<File>,
    /// The bytes.
    pub(crate) range: Range<usize>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The project does not compile, or must not be deployed.
    Error,
    /// The project compiles.
    Warning,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Code {
    /// A broken rule.
    Rule(Rule),
    /// A lint that fires.
    Lint(Lint),
    /// A place that declares keys and could not be read.
    Unread,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// How bad it is.
    pub(crate) level: Level,
    /// What it is about.
    pub(crate) code: Code,
    /// The problem, in one line.
    pub(crate) message: String,
    /// The remedy.
    pub(crate) help: String,
    /// What is underlined.
    pub(crate) at: Location,
    /// The text beside the underlined place.
    pub(crate) label: Option<String>,
    /// Another place that belongs to it, with its text.
    pub(crate) other: Option<(Location, String)>,
}

/// A place in a text, counted from 1, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The line.
    pub(crate) line: usize,
    /// The column.
    pub(crate) column: usize,
}

impl Location {
    /// The place of the first byte.
    pub(crate) fn start(&self) -> Position {
        self.position(self.range.start)
    }

    /// The place behind the last byte.
    pub(crate) fn end(&self) -> Position {
        self.position(self.range.end)
    }

    fn position(&self, byte: usize) -> Position {
        let before = self.file.text.get(..byte).unwrap_or(&self.file.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Position { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
    }
}

impl Level {
    /// In messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Code {
    /// The name, which `explain` knows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.name(),
            Self::Lint(lint) => lint.name(),
            Self::Unread => "unread",
        }
    }

    /// What the name is one of, if it is shown.
    pub(crate) fn topic(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) => Some("rule"),
            Self::Lint(_) => Some("lint"),
            Self::Unread => None,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
