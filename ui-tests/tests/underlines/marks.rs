//! Marks in a source: `^^^^` in a comment below a line, under the expected underline; then, for each of them, a comment
//! with the rule and a part of the message.
//!
//! ```text
//! #[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
//! //               ^^^^^^^^^
//! // lower-case: write `basic.info`
//! ```
//!
//! A place with several errors has one comment for each. `----` is under a place that a note of an error must show; if
//! a source has such marks, notes show nothing else.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::project::Error;

/// An expected error. Lines and columns are counted from 1, columns in characters.
#[derive(Debug)]
pub(crate) struct Mark {
    line: usize,
    start: usize,
    end: usize,
    expected: String,
}

impl Mark {
    pub(crate) fn read(source: &str) -> Vec<Self> {
        let lines: Vec<_> = source.lines().collect();
        let mut marks = Vec::new();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_marked(line, '^')) {
            let notes = lines[index + 1..].iter().map_while(|line| line.trim_start().strip_prefix("// "));
            let runs = runs(line, '^');
            let notes: Vec<_> = notes.collect();
            assert!(notes.len() >= runs.len(), "line {} has a mark without a comment", index + 1);
            for ((start, end), expected) in runs.into_iter().cycle().zip(notes) {
                marks.push(Self { line: index, start, end, expected: expected.to_owned() });
            }
        }
        marks
    }

    /// Returns the name of the rule.
    pub(crate) fn rule(&self) -> &str {
        self.parts().0
    }

    /// Returns the rule and the part of the message.
    fn parts(&self) -> (&str, &str) {
        self.expected.split_once(": ").unwrap_or(("", &self.expected))
    }

    fn matches(&self, error: &Error) -> bool {
        let (rule, text) = self.parts();
        (error.line, error.start, error.end) == (self.line, self.start, self.end)
            && error.text.contains(text)
            && error.text.contains(rule)
    }
}

/// Returns whether a line is a comment of marks.
fn is_marked(line: &str, mark: char) -> bool {
    let Some(marks) = line.trim_start().strip_prefix("//") else { return false };
    marks.contains(mark) && marks.chars().all(|c| c == mark || c == ' ')
}

/// Returns the columns of each `^^^^` as rustc counts them: from 1, the last one after the end.
fn runs(line: &str, mark: char) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (column, _) in line.chars().enumerate().filter(|(_, c)| *c == mark) {
        match runs.last_mut() {
            Some((_, end)) if *end == column + 1 => *end += 1,
            _ => runs.push((column + 1, column + 2)),
        }
    }
    runs
}

/// Returns the errors without marks and the marks without errors.
pub(crate) fn differences(path: &Path, source: &str, errors: &[&Error]) -> String {
    let mut marks = Mark::read(source);
    assert!(!marks.is_empty(), "{} has no marks", path.display());
    let mut text = String::new();
    for error in errors {
        if let Some(found) = marks.iter().position(|mark| mark.matches(error)) {
            marks.remove(found);
            continue;
        }
        let Error { line, start, end, text: message, .. } = error;
        let _ = writeln!(text, "error without a mark: {}:{line}:{start}..{end}\n{message}\n", path.display());
    }
    for Mark { line, start, end, expected } in marks {
        let _ = writeln!(text, "mark without an error: {}:{line}:{start}..{end} {expected}\n", path.display());
    }
    text
}

/// Returns the marked places that no note shows, and the places in notes that are not marked.
pub(crate) fn shown_differences(path: &Path, source: &str, errors: &[&Error]) -> String {
    let lines: Vec<_> = source.lines().collect();
    let marked = |mark: char| -> BTreeSet<_> {
        let marks = lines.iter().enumerate().filter(|(_, line)| is_marked(line, mark));
        marks
            .flat_map(|(index, line)| runs(line, mark).into_iter().map(move |(start, end)| (index, start, end)))
            .collect()
    };
    let (to_show, underlined) = (marked('-'), marked('^'));
    if to_show.is_empty() {
        return String::new();
    }
    let shown: BTreeSet<_> = errors.iter().flat_map(|error| error.shown.iter().copied()).collect();
    let mut text = String::new();
    for (line, start, end) in to_show.difference(&shown) {
        let _ = writeln!(text, "marked, not shown: {}:{line}:{start}..{end}", path.display());
    }
    for (line, start, end) in shown.iter().filter(|place| !to_show.contains(place) && !underlined.contains(place)) {
        let _ = writeln!(text, "shown, not marked: {}:{line}:{start}..{end}", path.display());
    }
    for error in errors.iter().filter(|error| error.shown.is_empty()) {
        let _ = writeln!(text, "error without a note: {}:{}", path.display(), error.line);
    }
    text
}

#[test]
fn marks_are_parsed() {
    let source = "one two é three\n//  ^^^   ^\n// lower-case: two\n// shape: three\n";
    let marks: Vec<_> =
        Mark::read(source).into_iter().map(|mark| (mark.line, mark.start, mark.end, mark.expected)).collect();
    assert_eq!(marks, [(1, 5, 8, "lower-case: two".to_owned()), (1, 11, 12, "shape: three".to_owned())]);
}
