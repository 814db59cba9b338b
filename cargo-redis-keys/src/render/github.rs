//! Findings as commands of GitHub Actions, which become annotations of a pull request.

use std::fmt::Write as _;

use super::finding::Finding;

/// A finding as one line.
pub(crate) fn line(finding: &Finding) -> String {
    let Finding { level, code, message, help, at, other, .. } = finding;
    let (start, end) = (at.start(), at.end());
    let mut text = message.clone();
    if let Some((place, label)) = other {
        let at = place.start();
        let _ = write!(text, "\n{}:{}:{}: {label}", place.file.path, at.line, at.column);
    }
    if !help.is_empty() {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    // GitHub ignores the columns of what has several lines.
    let (file, title) = (property(&at.file.path), property(code.name()));
    let place = format!("line={},endLine={},col={},endColumn={}", start.line, end.line, start.column, end.column);
    format!("::{} file={file},{place},title={title}::{}", level.name(), escaped(&text))
}

/// Text that stays in one line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text that does not end the property that it is the value of.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
