//! Findings: of `check` in the files of a project, and of `audit` on a server.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use redis_keys_schema::{Lint, Rule};
use serde::{Deserialize, Serialize};

use super::finding_id::FindingId;
use super::key_text::KeyText;
use super::level::Level;

/// A file of the project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct File {
    /// The path, relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    /// A line's range, which is counted from 1, without its end.
    pub(crate) fn line(&self, number: usize) -> Range<usize> {
        let start: usize = self.text.split_inclusive('\n').take(number.saturating_sub(1)).map(str::len).sum();
        let length = self.text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
        start..start + length
    }
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: Rc<File>,
    pub(crate) range: Range<usize>,
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
    /// A finding about stored values.
    Value(ValueCode),
    /// A finding of an audit.
    Audit(FindingId),
}

/// The kind of a finding about stored values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ValueCode {
    /// Values would be read as something else.
    Misread,
    /// A change that other releases cannot read, or have to be reviewed.
    Changed,
    /// Two declarations of one template differ.
    Different,
    /// The shapes are not known.
    Unknown,
    /// The file lacks it.
    Unlisted,
    /// The declaration is gone.
    Gone,
}

/// A single problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) level: Level,
    pub(crate) code: Code,
    pub(crate) subject: Subject,
    /// The problem, in one line.
    pub(crate) message: String,
    /// Lines below the place, each with a name, such as `effect`.
    pub(crate) details: Vec<Detail>,
    /// The remedy. Empty if there is none.
    pub(crate) help: String,
    pub(crate) figures: Figures,
}

/// A line about a finding, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Detail {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Detail {
    /// The name of a remedy.
    const HELP: &str = "help";

    pub(crate) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// One of several remedies.
    pub(crate) fn help(text: impl Into<String>) -> Self {
        Self::new(Self::HELP, text)
    }

    /// A line `name: text`.
    pub(crate) fn of_line(line: String) -> Self {
        match line.split_once(": ") {
            Some((name, text)) => Self::new(name, text),
            None => Self::new("note", line),
        }
    }

    pub(crate) fn is_help(&self) -> bool {
        self.name == Self::HELP
    }
}

/// The subject of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A place in the sources.
    Source(SourcePlace),
    /// The stored data of a server.
    Stored(StoredSubject),
}

/// A place in the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourcePlace {
    /// The underlined place.
    pub(crate) at: Location,
    /// The text beside the underlined place.
    pub(crate) label: Option<String>,
    /// Another place that belongs to it, with its text.
    pub(crate) other: Option<(Location, String)>,
}

/// Keys of a server, or the server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredSubject {
    /// A declaration's keys.
    Declaration {
        /// The struct's name.
        name: String,
        /// The template.
        template: String,
    },
    /// Keys without declaration.
    UnknownKeys,
    /// Keys of another program, by the name or the pattern in the policy.
    Foreign(String),
    /// A server, by its address.
    Server(String),
    /// Several servers.
    Servers,
}

/// The numbers of a finding of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    /// The number of keys, or for a finding about a server the number in its text.
    pub(crate) count: u64,
    /// The memory of these keys.
    pub(crate) bytes: u64,
    /// The worst keys.
    pub(crate) examples: Vec<Example>,
}

/// A key, as an example of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Example {
    /// The measure that makes it an example: its memory in bytes, its length, the milliseconds until it expires, or
    /// how hot it is.
    #[serde(rename = "value")]
    pub(crate) weight: u64,
    /// The key.
    pub(crate) key: KeyText,
}

impl Subject {
    /// The text that is shown for it.
    pub(crate) fn shown(&self) -> &str {
        match self {
            Self::Source(place) => &place.at.file.path,
            Self::Stored(stored) => stored.shown(),
        }
    }
}

impl StoredSubject {
    /// The text that is shown for it.
    pub(crate) fn shown(&self) -> &str {
        match self {
            Self::Declaration { template, .. } => template,
            Self::UnknownKeys => "unknown keys",
            Self::Foreign(name) => name,
            Self::Server(address) => address,
            Self::Servers => "several servers",
        }
    }
}

impl Finding {
    /// A finding with one place in the sources, without a label.
    pub(crate) fn new(
        level: Level,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
        at: Location,
    ) -> Self {
        let subject = Subject::Source(SourcePlace { at, label: None, other: None });
        let (message, help) = (message.into(), help.into());
        Self { level, code, subject, message, details: Vec::new(), help, figures: Figures::default() }
    }

    /// A finding of an audit.
    pub(crate) fn of_audit(id: FindingId, stored: StoredSubject, message: String, figures: Figures) -> Self {
        let subject = Subject::Stored(stored);
        let (level, code, details, help) = (id.level(), Code::Audit(id), Vec::new(), String::new());
        Self { level, code, subject, message, details, help, figures }
    }

    /// Adds lines below the place.
    #[must_use]
    pub(crate) fn with_details(self, details: Vec<Detail>) -> Self {
        Self { details, ..self }
    }

    /// Adds the text beside the underlined place.
    #[must_use]
    pub(crate) fn with_label(mut self, text: Option<String>) -> Self {
        if let Subject::Source(place) = &mut self.subject {
            place.label = text;
        }
        self
    }

    /// Adds another place that belongs to it, with its text.
    #[must_use]
    pub(crate) fn with_other(mut self, at: Location, text: String) -> Self {
        if let Subject::Source(place) = &mut self.subject {
            place.other = Some((at, text));
        }
        self
    }

    /// Its place in the sources, if it has a place.
    pub(crate) fn place(&self) -> Option<&SourcePlace> {
        if let Subject::Source(place) = &self.subject { Some(place) } else { None }
    }

    /// The keys or the server that it is about.
    pub(crate) fn stored(&self) -> Option<&StoredSubject> {
        if let Subject::Stored(stored) = &self.subject { Some(stored) } else { None }
    }

    /// Its kind, if it is a finding of an audit.
    pub(crate) fn id(&self) -> Option<FindingId> {
        if let Code::Audit(id) = self.code { Some(id) } else { None }
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

impl Code {
    /// The name. `explain` knows the names of rules and lints.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.name(),
            Self::Lint(lint) => lint.name(),
            Self::Unread => "unread",
            Self::RawUse => "raw_use",
            Self::Value(code) => code.name(),
            Self::Audit(id) => id.name(),
        }
    }

    /// The kind of name that messages show before it, as in `rule: lower-case`.
    pub(crate) fn topic(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) => Some("rule"),
            Self::Lint(_) => Some("lint"),
            Self::Unread | Self::RawUse | Self::Value(_) | Self::Audit(_) => None,
        }
    }

    /// The meaning of a code that `explain` does not know.
    pub(crate) fn summary(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) | Self::Lint(_) | Self::Value(_) | Self::Audit(_) => None,
            Self::Unread => Some("A place that may declare keys was not read."),
            Self::RawUse => Some("A command on Redis outside of declarations."),
        }
    }
}

impl ValueCode {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 6] =
        [Self::Misread, Self::Changed, Self::Different, Self::Unknown, Self::Unlisted, Self::Gone];

    /// The name, as in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Misread => "misread_value",
            Self::Changed => "changed_value",
            Self::Different => "different_values",
            Self::Unknown => "unknown_value",
            Self::Unlisted => "unlisted_value",
            Self::Gone => "gone_value",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
