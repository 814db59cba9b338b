//! Findings for people, as rustc shows them.

use annotate_snippets::{Annotation, AnnotationKind, Level as Shown, Renderer, Snippet, normalize_untrusted_str};

use crate::check::{Finding, Level, Location};

/// A finding with its place underlined, in color.
pub(crate) fn snippet(finding: &Finding) -> String {
    render(finding, &Renderer::styled())
}

/// The same without color.
pub(crate) fn plain(finding: &Finding) -> String {
    render(finding, &Renderer::plain())
}

fn render(finding: &Finding, renderer: &Renderer) -> String {
    let Finding { level, code, message, help, at, label, other } = finding;
    let level = match level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
    };
    let primary = annotation(AnnotationKind::Primary, at, label.as_deref());
    let mut snippets = vec![Snippet::source(&at.file.text).path(&at.file.path).annotation(primary)];
    if let Some((place, label)) = other {
        let context = annotation(AnnotationKind::Context, place, Some(label));
        match snippets.pop() {
            Some(snippet) if place.file == at.file => snippets.push(snippet.annotation(context)),
            snippet => {
                snippets.extend(snippet);
                snippets.push(Snippet::source(&place.file.text).path(&place.file.path).annotation(context));
            }
        }
    }
    let mut group = level.primary_title(message).elements(snippets);
    if !help.is_empty() {
        group = group.element(Shown::HELP.message(normalize_untrusted_str(help)));
    }
    if let Some(topic) = code.topic() {
        group = group.element(Shown::NOTE.with_name(topic).message(code.name()));
    }
    renderer.render(&[group])
}

fn annotation<'f>(kind: AnnotationKind, at: &Location, label: Option<&'f str>) -> Annotation<'f> {
    kind.span(at.range.clone()).label(label)
}
