//! Errors in the policy file.

use std::fmt;
use std::ops::Range;

use crate::place::Place;
use crate::warning::{Level, Lint, Warning};

/// The number of errors that are reported together.
pub(super) const MAX_ERRORS: usize = 20;

/// An error in the policy file: its place, the problem and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    /// The bytes of the file at fault.
    pub range: Range<usize>,
    /// The problem.
    pub message: String,
    /// The text to write instead.
    pub suggestion: String,
}

impl PolicyError {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), suggestion: String::new() }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.suggestion = help.into();
        self
    }

    /// Shortens a message that repeats a long text of the file.
    pub(super) fn shorten(&mut self) {
        const MAX_CHARS: usize = 400;
        for text in [&mut self.message, &mut self.suggestion] {
            if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
                text.truncate(end);
                text.push('…');
            }
        }
    }

    /// The line and the column, in characters, counted from 1.
    ///
    /// ```
    /// use redis_keys_schema::Policy;
    ///
    /// let text = "[limits]\nmax_byte = \"4KB\"";
    /// let (_, errors) = Policy::parse(text);
    /// assert_eq!(errors[0].position(text), (2, 1));
    /// ```
    pub fn position(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.range.start).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }

    /// The whole report: the place, the underlined line, the help and the rule.
    pub fn report(&self, file: &str, text: &str) -> String {
        format!("{}\nhelp: {}\nrule: policy", self.underlined(file, text), self.suggestion)
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(&self, lint: Lint, level: Level, file: &str, text: &str) -> Warning {
        let message = self.underlined(file, text).to_string();
        Warning { place: Place::Item, lint, level, message, suggestion: self.suggestion.clone(), edits: Vec::new() }
    }

    fn underlined<'e>(&'e self, file: &'e str, text: &'e str) -> ErrorPlace<'e> {
        ErrorPlace { error: self, file, text }
    }
}

/// Keeps the first errors, and adds an error that counts the others.
pub(super) fn limit(errors: &mut Vec<PolicyError>) {
    let rest = errors.len().saturating_sub(MAX_ERRORS);
    let Some(next) = errors.get(MAX_ERRORS) else { return };
    let noun = if rest == 1 { "error" } else { "errors" };
    let error = PolicyError::new(next.range.clone(), format!("{rest} more {noun} from here on"));
    errors.truncate(MAX_ERRORS);
    errors.push(error.help("correct the errors above first"));
}

/// The message below its place and above the underlined line.
struct ErrorPlace<'e> {
    error: &'e PolicyError,
    file: &'e str,
    text: &'e str,
}

impl fmt::Display for ErrorPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, file, text } = self;
        let (line, column) = error.position(text);
        let (shown, start) = excerpt(text, line, column - 1);
        let length = text.get(error.range.clone()).and_then(|part| part.split('\n').next()).unwrap_or_default();
        let width = shown.chars().count().saturating_sub(start);
        let carets = length.trim_end_matches([' ', '\t']).chars().count().min(width).max(1);
        // A tab is as wide as the editor shows it.
        let indent: String = shown.chars().take(start).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let indent = indent + &" ".repeat(start.saturating_sub(shown.chars().count()));
        writeln!(f, "{file}:{line}:{column}: {}", error.message)?;
        write!(f, "    {shown}\n    {indent}{}", "^".repeat(carets))
    }
}

/// A line in printable characters, and the place in it, in characters. Of a long line it is the part around the place.
fn excerpt(text: &str, line: usize, start: usize) -> (String, usize) {
    const MAX_WIDTH: usize = 120;
    const BEFORE: usize = 60;
    let mut lines = text.split('\n').skip(line - 1);
    let whole = lines.next().unwrap_or_default();
    let whole = if lines.next().is_some() { whole.strip_suffix('\r').unwrap_or(whole) } else { whole };
    let chars: Vec<_> = whole.trim_end_matches([' ', '\t']).chars().map(printable).collect();
    let from = if chars.len() > MAX_WIDTH { start.saturating_sub(BEFORE).min(chars.len()) } else { 0 };
    let to = chars.len().min(from + MAX_WIDTH);
    let part = chars.get(from..to).unwrap_or_default().iter();
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < chars.len() { "…" } else { "" });
    (format!("{before}{}{after}", part.collect::<String>()), start - from + before.chars().count())
}

/// A character, or a substitute for a character that has no width or that moves the cursor.
fn printable(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
        '\u{7f}' => '\u{2421}',
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
            char::REPLACEMENT_CHARACTER
        }
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
