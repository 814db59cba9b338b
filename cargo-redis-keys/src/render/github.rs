//! Findings as commands of GitHub Actions, which become annotations of a pull request.

use std::fmt::Write as _;

use super::finding::{Finding, SourcePlace};
use super::level::Level;

/// A finding in one line.
pub(crate) fn line(finding: &Finding) -> String {
    let Finding { level, code, message, details, help, .. } = finding;
    let mut text = message.clone();
    if let Some(stored) = finding.stored() {
        text = format!("{}: {text}", stored.shown());
    }
    if let Some((place, label)) = finding.place().and_then(|place| place.other.as_ref()) {
        let at = place.start();
        let _ = write!(text, "\n{}:{}:{}: {label}", place.file.path, at.line, at.column);
    }
    for detail in details {
        let _ = write!(text, "\n{}: {}", detail.name, detail.text);
    }
    if !help.is_empty() {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let place = finding.place().map(properties).unwrap_or_default();
    let command = if *level == Level::Note { "notice" } else { level.name() };
    format!("::{command} {place}title={}::{}", property(code.name()), escaped(&text))
}

fn properties(SourcePlace { at, .. }: &SourcePlace) -> String {
    // GitHub ignores the columns of places with several lines.
    let (start, end, file) = (at.start(), at.end(), property(&at.file.path));
    format!("file={file},line={},endLine={},col={},endColumn={},", start.line, end.line, start.column, end.column)
}

/// Text that stays in one line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text that does not end the property that it is the value of.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
