//! What is wrong with the policy file.

use std::fmt;
use std::ops::Range;

use crate::diagnostic::Place;
use crate::lint::{Level, Lint, Warning};

/// A mistake in the policy file: where, what is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyFault {
    /// The bytes of the file that are at fault.
    pub range: Range<usize>,
    /// What is wrong with them, in plain words.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl PolicyFault {
    pub(super) fn at(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), help: String::new() }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The line and the column, in characters, counted from 1.
    ///
    /// ```
    /// use redis_keys_schema::Policy;
    ///
    /// let text = "[limits]\nmax_byte = \"4KB\"";
    /// let (_, faults) = Policy::parse(text);
    /// assert_eq!(faults[0].place(text), (2, 1));
    /// ```
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.range.start).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }

    /// All of it, as it is told: the place, the line with what is at fault underlined, and the help.
    pub fn told<'f>(&'f self, file: &'f str, text: &'f str) -> impl fmt::Display + 'f {
        Told(Lines { fault: self, file, text })
    }

    /// The same as a warning, for what is only doubted.
    #[must_use]
    pub fn warning(&self, lint: Lint, level: Level, file: &str, text: &str) -> Warning {
        let message = Lines { fault: self, file, text }.to_string();
        Warning { place: Place::Item, lint, level, message, help: self.help.clone() }
    }
}

struct Told<'f>(Lines<'f>);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhelp: {}\nrule: policy", self.0, self.0.fault.help)
    }
}

/// The message with its place.
struct Lines<'f> {
    fault: &'f PolicyFault,
    file: &'f str,
    text: &'f str,
}

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, file, text } = self;
        let (line, column) = fault.place(text);
        writeln!(f, "{file}:{line}:{column}: {}", fault.message)?;
        let shown = text.split('\n').nth(line - 1).unwrap_or_default().trim_end();
        let start = column - 1;
        let length = text.get(fault.range.clone()).and_then(|part| part.split('\n').next()).unwrap_or_default();
        let room = shown.chars().count().saturating_sub(start);
        let carets = length.trim_end().chars().count().min(room).max(1);
        // A tab is as wide as the editor says, so that it stays one.
        let indent: String = shown.chars().take(start).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let indent = indent + &" ".repeat(start.saturating_sub(shown.chars().count()));
        write!(f, "    {shown}\n    {indent}{}", "^".repeat(carets))
    }
}
