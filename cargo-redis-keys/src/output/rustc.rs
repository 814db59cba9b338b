//! Findings as `rustc --error-format=json` writes them, which editors and other programs can read.

use serde_json::{Value, json};

use super::snippet;
use crate::check::{Finding, Location};

/// A finding as one line.
pub(crate) fn line(finding: &Finding) -> String {
    let Finding { level, code, message, help, at, label, other } = finding;
    let mut spans = vec![span(at, true, label.as_deref())];
    spans.extend(other.iter().map(|(place, label)| span(place, false, Some(label))));
    let child = |level: &str, message: &str| json!({ "message": message, "code": null, "level": level, "spans": [], "children": [], "rendered": null });
    let mut children = Vec::new();
    if !help.is_empty() {
        children.push(child("help", help));
    }
    let diagnostic = json!({
        "$message_type": "diagnostic",
        "message": message,
        "code": { "code": code.name(), "explanation": null },
        "level": level.name(),
        "spans": spans,
        "children": children,
        "rendered": snippet::plain(finding) + "\n",
    });
    diagnostic.to_string()
}

fn span(at: &Location, is_primary: bool, label: Option<&str>) -> Value {
    let (start, end) = (at.start(), at.end());
    let lines = at.file.text.lines().enumerate().skip(start.line - 1).take(end.line + 1 - start.line);
    let text: Vec<_> = lines
        .map(|(number, line)| {
            let from = if number + 1 == start.line { start.column } else { 1 };
            let to = if number + 1 == end.line { end.column } else { line.chars().count() + 1 };
            json!({ "text": line, "highlight_start": from, "highlight_end": to })
        })
        .collect();
    json!({
        "file_name": at.file.path,
        "byte_start": at.range.start,
        "byte_end": at.range.end,
        "line_start": start.line,
        "line_end": end.line,
        "column_start": start.column,
        "column_end": end.column,
        "is_primary": is_primary,
        "text": text,
        "label": label,
        "suggested_replacement": null,
        "suggestion_applicability": null,
        "expansion": null,
    })
}
