//! Reads one item as the derives do.

use redis_keys_schema::legacy::Legacy;
use redis_keys_schema::overlap::Pattern;
use redis_keys_schema::{self as schema, Diagnostic, Place, Sibling, Warning};
use redis_keys_syntax::{Input, read_key, read_record, read_segment};

use super::Subject;
use crate::declare::sources::DeclarationKind;
use crate::render::{Code, Finding, Level};

/// An item as it was read.
pub(crate) struct ReadItem<'i> {
    /// The item, to find the places of problems.
    pub(crate) input: Input<'i>,
    /// Its problems.
    pub(crate) findings: Vec<Finding>,
    /// The object that it may be a field of.
    pub(crate) sibling: Option<Sibling>,
    /// The keys that it can produce and the place of its template, if it is a valid key that does not allow overlaps.
    pub(crate) pattern: Option<(Pattern, Place)>,
    /// Its legacy text.
    pub(crate) legacy: Option<Legacy>,
}

/// Reads an item.
pub(crate) fn read<'i>(subject: &Subject<'i>) -> ReadItem<'i> {
    match subject.kind {
        DeclarationKind::Key => key(subject),
        DeclarationKind::Record => {
            let record = read_record(subject.item, subject.policy);
            let errors = record.diagnostics.finish(record.record.fields).err();
            let mut read = ReadItem::other(subject, record.input, errors);
            let warnings = record.warnings.into_iter();
            read.findings.extend(warnings.filter_map(|warning| subject.warning(&read.input, warning)));
            read
        }
        DeclarationKind::Segment => {
            let segment = read_segment(subject.item);
            let errors = segment.diagnostics.finish(segment.segment).err();
            ReadItem::other(subject, segment.input, errors)
        }
    }
}

fn key<'i>(subject: &Subject<'i>) -> ReadItem<'i> {
    let key = read_key(subject.item, subject.policy);
    let warnings = key.warnings.into_iter().filter_map(|warning| subject.warning(&key.input, warning));
    let mut findings: Vec<_> = warnings.collect();
    let mut pattern = None;
    let legacy = key.declaration.legacy.clone();
    match key.diagnostics.finish(key.declaration.template_and_kind()) {
        Ok((template, _)) => {
            let place = Place::Attribute(template.range.clone());
            pattern = Pattern::of(&key.input.item(), &key.declaration).map(|pattern| (pattern, place));
        }
        Err(errors) => findings.extend(errors.into_iter().map(|error| subject.error(&key.input, error))),
    }
    ReadItem { input: key.input, findings, sibling: key.sibling, pattern, legacy }
}

impl<'i> ReadItem<'i> {
    fn other(subject: &Subject<'i>, input: Input<'i>, errors: Option<Vec<Diagnostic>>) -> Self {
        let findings = errors.into_iter().flatten().map(|error| subject.error(&input, error)).collect();
        Self { input, findings, sibling: None, pattern: None, legacy: None }
    }
}

impl Subject<'_> {
    fn error(&self, input: &Input<'_>, diagnostic: Diagnostic) -> Finding {
        let Diagnostic { place, rule, message, suggestion, .. } = diagnostic;
        Finding::new(Level::Error, Code::Rule(rule), message, suggestion, self.location(input, &place))
    }

    /// The finding of a lint, unless it is not to be shown.
    pub(super) fn warning(&self, input: &Input<'_>, warning: Warning) -> Option<Finding> {
        let level = match warning.level {
            schema::Level::Deny => Level::Error,
            schema::Level::Warn if !self.is_silenced => Level::Warning,
            schema::Level::Warn | schema::Level::Allow => return None,
        };
        let (help, at) = (warning.help(), self.location(input, &warning.place));
        Some(Finding::new(level, Code::Lint(warning.lint), warning.message, help, at))
    }
}
