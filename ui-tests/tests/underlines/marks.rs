//! Marks in a source: `^^^^` in a comment below a line, under what must be underlined; then, for each of them, a comment
//! with the rule that it is a case of, and with what its message must say.
//!
//! ```text
//! #[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
//! //               ^^^^^^^^^
//! // lower-case: write `basic.info`
//! ```
//!
//! Where one place has several errors, there are as many comments for each. `----` is under what a note of an error must show;
//! if a source has such marks, notes show nothing else.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::project::Error;

/// What is expected of one error. Lines and columns are counted from 1, columns in characters.
#[derive(Debug)]
pub(crate) struct Mark {
    line: usize,
    start: usize,
    end: usize,
    says: String,
}

impl Mark {
    pub(crate) fn read(source: &str) -> Vec<Self> {
        let lines: Vec<_> = source.lines().collect();
        let mut marks = Vec::new();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| is_marked(line, '^')) {
            let notes = lines[number + 1..].iter().map_while(|line| line.trim_start().strip_prefix("// "));
            let runs = runs(line, '^');
            let notes: Vec<_> = notes.collect();
            assert!(notes.len() >= runs.len(), "line {} has a mark of which nothing is said", number + 1);
            for ((start, end), says) in runs.into_iter().cycle().zip(notes) {
                marks.push(Self { line: number, start, end, says: says.to_owned() });
            }
        }
        marks
    }

    /// The name of the rule that this is a case of.
    pub(crate) fn rule(&self) -> &str {
        self.parts().0
    }

    /// The rule, and what the message says.
    fn parts(&self) -> (&str, &str) {
        self.says.split_once(": ").unwrap_or(("", &self.says))
    }

    fn is_met_by(&self, error: &Error) -> bool {
        let (rule, text) = self.parts();
        (error.line, error.start, error.end) == (self.line, self.start, self.end)
            && error.text.contains(text)
            && error.text.contains(rule)
    }
}

/// Whether a line is a comment of such marks.
fn is_marked(line: &str, by: char) -> bool {
    let Some(marks) = line.trim_start().strip_prefix("//") else { return false };
    marks.contains(by) && marks.chars().all(|c| c == by || c == ' ')
}

/// The first and the last column of each `^^^^`, as rustc counts them: from 1, the last one behind the end.
fn runs(line: &str, by: char) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (column, _) in line.chars().enumerate().filter(|(_, c)| *c == by) {
        match runs.last_mut() {
            Some((_, end)) if *end == column + 1 => *end += 1,
            _ => runs.push((column + 1, column + 2)),
        }
    }
    runs
}

/// What is marked and was not told, and what was told and is not marked.
pub(crate) fn differences(path: &Path, source: &str, errors: &[&Error]) -> String {
    let mut marks = Mark::read(source);
    assert!(!marks.is_empty(), "{} has no marks", path.display());
    let mut text = String::new();
    for error in errors {
        if let Some(met) = marks.iter().position(|mark| mark.is_met_by(error)) {
            marks.remove(met);
            continue;
        }
        let Error { line, start, end, text: told, .. } = error;
        let _ = writeln!(text, "told, not marked: {}:{line}:{start}..{end}\n{told}\n", path.display());
    }
    for Mark { line, start, end, says } in marks {
        let _ = writeln!(text, "marked, not told: {}:{line}:{start}..{end} {says}\n", path.display());
    }
    text
}

/// What no note shows although it is marked, and what notes show that is not.
pub(crate) fn shown_differences(path: &Path, source: &str, errors: &[&Error]) -> String {
    let lines: Vec<_> = source.lines().collect();
    let marked = |by: char| -> BTreeSet<_> {
        let marks = lines.iter().enumerate().filter(|(_, line)| is_marked(line, by));
        marks
            .flat_map(|(number, line)| runs(line, by).into_iter().map(move |(start, end)| (number, start, end)))
            .collect()
    };
    let (to_show, told) = (marked('-'), marked('^'));
    if to_show.is_empty() {
        return String::new();
    }
    let shown: BTreeSet<_> = errors.iter().flat_map(|error| error.shown.iter().copied()).collect();
    let mut text = String::new();
    for (line, start, end) in to_show.difference(&shown) {
        let _ = writeln!(text, "marked, not shown: {}:{line}:{start}..{end}", path.display());
    }
    for (line, start, end) in shown.iter().filter(|place| !to_show.contains(place) && !told.contains(place)) {
        let _ = writeln!(text, "shown, not marked: {}:{line}:{start}..{end}", path.display());
    }
    for error in errors.iter().filter(|error| error.shown.is_empty()) {
        let _ = writeln!(text, "shows nothing beside itself: {}:{}", path.display(), error.line);
    }
    text
}

#[test]
fn marks_are_read() {
    let source = "one two é three\n//  ^^^   ^\n// lower-case: two\n// shape: three\n";
    let marks: Vec<_> =
        Mark::read(source).into_iter().map(|mark| (mark.line, mark.start, mark.end, mark.says)).collect();
    assert_eq!(marks, [(1, 5, 8, "lower-case: two".to_owned()), (1, 11, 12, "shape: three".to_owned())]);
}
