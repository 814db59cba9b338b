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
    /// Whether what is behind it can't be read for it.
    last: bool,
}

impl PolicyFault {
    pub(super) fn at(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), help: String::new(), last: false }
    }

    /// What is behind it can't be read for it, so that nothing of that is told.
    pub(super) fn last(self) -> Self {
        Self { last: true, ..self }
    }

    /// Cuts what repeats a long text of the file, which is shown beside it.
    pub(super) fn shorten(&mut self) {
        const MOST: usize = 400;
        for text in [&mut self.message, &mut self.help] {
            if let Some((end, _)) = text.char_indices().nth(MOST) {
                text.truncate(end);
                text.push('…');
            }
        }
    }

    pub(super) fn is_last(&self) -> bool {
        self.last
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
        Told(Shown { fault: self, file, text })
    }

    /// The same as a warning, for what is only doubted.
    #[must_use]
    pub fn warning(&self, lint: Lint, level: Level, file: &str, text: &str) -> Warning {
        let message = Shown { fault: self, file, text }.to_string();
        Warning { place: Place::Item, lint, level, message, help: self.help.clone() }
    }
}

/// Leaves so many of the faults, and says how many there are beside them. `cut` where even these are not all.
pub(super) fn tell_most(faults: &mut Vec<PolicyFault>, most: usize, cut: bool) {
    let rest = faults.len().saturating_sub(most);
    let Some(next) = faults.get(most) else { return };
    let (mistakes, least) = (if rest == 1 { "mistake" } else { "mistakes" }, if cut { " at least" } else { "" });
    let fault = PolicyFault::at(next.range.clone(), format!("and {rest} more {mistakes}{least}, from here on"));
    faults.truncate(most);
    faults.push(fault.help("put right what is told, and see what is left"));
}

struct Told<'f>(Shown<'f>);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhelp: {}\nrule: policy", self.0, self.0.fault.help)
    }
}

/// The message with its place.
struct Shown<'f> {
    fault: &'f PolicyFault,
    file: &'f str,
    text: &'f str,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, file, text } = self;
        let (line, column) = fault.place(text);
        let (shown, start) = shown(text, line, column - 1);
        let length = text.get(fault.range.clone()).and_then(|part| part.split('\n').next()).unwrap_or_default();
        let room = shown.chars().count().saturating_sub(start);
        let carets = length.trim_end_matches([' ', '\t']).chars().count().min(room).max(1);
        // A tab is as wide as the editor says, so that it stays one.
        let indent: String = shown.chars().take(start).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let indent = indent + &" ".repeat(start.saturating_sub(shown.chars().count()));
        writeln!(f, "{file}:{line}:{column}: {}", fault.message)?;
        write!(f, "    {shown}\n    {indent}{}", "^".repeat(carets))
    }
}

/// Where each line starts: of a file that is no policy at all there is much to say, and each time its line is asked for.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect())
    }

    /// The number of the line that a fault starts in.
    pub(super) fn of_fault(&self, fault: &PolicyFault) -> usize {
        self.of_place(fault.range.start)
    }

    pub(super) fn of_place(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at)
    }
}

/// The line as it can be seen, and where in it the place is, in characters. Of a long line it is the part around the place.
fn shown(text: &str, line: usize, start: usize) -> (String, usize) {
    /// How many characters are left as they are, and how many of a longer line there are before the place.
    const WIDTH: usize = 120;
    const BEFORE: usize = 60;
    let mut lines = text.split('\n').skip(line - 1);
    let whole = lines.next().unwrap_or_default();
    let whole = if lines.next().is_some() { whole.strip_suffix('\r').unwrap_or(whole) } else { whole };
    let signs: Vec<_> = whole.trim_end_matches([' ', '\t']).chars().map(sign).collect();
    let from = if signs.len() > WIDTH { start.saturating_sub(BEFORE).min(signs.len()) } else { 0 };
    let to = signs.len().min(from + WIDTH);
    let part = signs.get(from..to).unwrap_or_default().iter();
    let (before, behind) = (if from > 0 { "…" } else { "" }, if to < signs.len() { "…" } else { "" });
    (format!("{before}{}{behind}", part.collect::<String>()), start - from + before.chars().count())
}

/// A character, or what stands for one that can't be seen or that moves the cursor.
fn sign(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() || is_unseen(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Whether a character has no width.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
