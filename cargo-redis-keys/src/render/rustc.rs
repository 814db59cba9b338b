//! Findings as rustc shows them: for people, and as `rustc --error-format=json` writes them for editors and other
//! programs.

use annotate_snippets::{Annotation, AnnotationKind, Level as Shown, Renderer, Snippet, normalize_untrusted_str};
use serde_json::{Value, json};

use super::finding::{Detail, Finding, Location, SourcePlace};
use super::level::Level;

/// A finding with its place underlined, in color.
pub(crate) fn snippet(finding: &Finding) -> String {
    render(finding, &Renderer::styled())
}

/// The same without color.
fn plain(finding: &Finding) -> String {
    render(finding, &Renderer::plain())
}

fn render(finding: &Finding, renderer: &Renderer) -> String {
    let Finding { level, code, message, details, help, .. } = finding;
    let level = match level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
        Level::Note => Shown::NOTE,
    };
    let mut group = level.primary_title(message).elements(finding.place().map(snippets).unwrap_or_default());
    for detail in details {
        let named = if detail.is_help() { Shown::HELP } else { Shown::NOTE.with_name(&*detail.name) };
        group = group.element(named.message(normalize_untrusted_str(&detail.text)));
    }
    if !help.is_empty() {
        group = group.element(Shown::HELP.message(normalize_untrusted_str(help)));
    }
    if let Some(topic) = code.topic() {
        group = group.element(Shown::NOTE.with_name(topic).message(code.name()));
    }
    renderer.render(&[group])
}

/// The underlined places, with the places of one file together.
fn snippets(SourcePlace { at, label, other }: &SourcePlace) -> Vec<Snippet<'_, Annotation<'_>>> {
    let primary = annotation(AnnotationKind::Primary, at, label.as_deref());
    let snippet = Snippet::source(&at.file.text).path(&at.file.path).annotation(primary);
    let Some((place, label)) = other else { return vec![snippet] };
    let context = annotation(AnnotationKind::Context, place, Some(label));
    if place.file == at.file {
        return vec![snippet.annotation(context)];
    }
    vec![snippet, Snippet::source(&place.file.text).path(&place.file.path).annotation(context)]
}

fn annotation<'f>(kind: AnnotationKind, at: &Location, label: Option<&'f str>) -> Annotation<'f> {
    kind.span(at.range.clone()).label(label)
}

/// A finding as one line of JSON.
pub(crate) fn line(finding: &Finding) -> String {
    let Finding { level, code, message, details, help, .. } = finding;
    let mut spans = Vec::new();
    if let Some(SourcePlace { at, label, other }) = finding.place() {
        spans.push(span(at, true, label.as_deref()));
        spans.extend(other.iter().map(|(place, label)| span(place, false, Some(label))));
    }
    let child = |level: &str, message: &str| json!({ "message": message, "code": null, "level": level, "spans": [], "children": [], "rendered": null });
    let detail = |detail: &Detail| {
        if detail.is_help() {
            child("help", &detail.text)
        } else {
            child("note", &format!("{}: {}", detail.name, detail.text))
        }
    };
    let mut children: Vec<_> = details.iter().map(detail).collect();
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
        "rendered": plain(finding) + "\n",
    });
    diagnostic.to_string()
}

fn span(at: &Location, is_primary: bool, label: Option<&str>) -> Value {
    let (start, end) = (at.start(), at.end());
    let lines = at.file.text.lines().enumerate().skip(start.line - 1).take(end.line + 1 - start.line);
    let text: Vec<_> = lines
        .map(|(index, line)| {
            let from = if index + 1 == start.line { start.column } else { 1 };
            let to = if index + 1 == end.line { end.column } else { line.chars().count() + 1 };
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
