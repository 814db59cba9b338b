//! Findings in the files of a project, and the levels of all findings.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use redis_keys_schema::{Lint, Rule};
use serde::{Deserialize, Serialize};

/// A file of the project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct File {
    /// The path, relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: Rc<File>,
    pub(crate) range: Range<usize>,
}

/// The severity of a finding of `check` or of `audit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Worth knowing.
    Note,
    /// A guideline is not followed. The project compiles.
    Warning,
    /// A rule is broken. The project does not compile, or must not be deployed.
    Error,
}

/// The rule, the lint or the kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Code {
    /// A broken rule.
    Rule(Rule),
    /// A lint that fires.
    Lint(Lint),
    /// A place that declares keys and could not be read.
    Unread,
    /// A command on Redis outside of declarations.
    RawUse,
}

/// A finding of `check`, at a place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) level: Level,
    pub(crate) code: Code,
    /// The problem, in one line.
    pub(crate) message: String,
    /// The remedy. Empty if there is none.
    pub(crate) help: String,
    /// The underlined place.
    pub(crate) at: Location,
    /// The text beside the underlined place.
    pub(crate) label: Option<String>,
    /// Another place that belongs to it, with its text.
    pub(crate) other: Option<(Location, String)>,
}

impl Finding {
    /// A finding with one place, without a label.
    pub(crate) fn new(
        level: Level,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
        at: Location,
    ) -> Self {
        Self { level, code, message: message.into(), help: help.into(), at, label: None, other: None }
    }
}

/// A place in a text, counted from 1, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Location {
    /// The position of the first byte.
    pub(crate) fn start(&self) -> Position {
        self.position(self.range.start)
    }

    /// The position after the last byte.
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
    /// The name, as in messages and in `--fail-on`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The style of the name in a terminal.
    pub(crate) fn style(self) -> Style {
        let color = match self {
            Self::Note => AnsiColor::Cyan,
            Self::Warning => AnsiColor::Yellow,
            Self::Error => AnsiColor::Red,
        };
        Style::new().bold().fg_color(Some(color.into()))
    }
}

impl Code {
    /// The name. `explain` knows those of rules and lints.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.name(),
            Self::Lint(lint) => lint.name(),
            Self::Unread => "unread",
            Self::RawUse => "raw_use",
        }
    }

    /// The kind of name that messages show before it, as in `rule: lower-case`.
    pub(crate) fn topic(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) => Some("rule"),
            Self::Lint(_) => Some("lint"),
            Self::Unread | Self::RawUse => None,
        }
    }

    /// The meaning of a code that `explain` does not know.
    pub(crate) fn summary(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) | Self::Lint(_) => None,
            Self::Unread => Some("A place that may declare keys was not read."),
            Self::RawUse => Some("A command on Redis outside of declarations."),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
