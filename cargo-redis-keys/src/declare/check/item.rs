//! Reads one item as the derives do.

use redis_keys_schema::legacy::Legacy;
use redis_keys_schema::overlap::Pattern;
use redis_keys_schema::{self as schema, Diagnostic, Place, Policy, Sibling, Warning};
use redis_keys_syntax::{Input, read_key, read_record, read_segment};
use syn::DeriveInput;

use crate::declare::sources::DeclarationKind;
use crate::render::{Code, Level};

/// A problem of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) level: Level,
    /// The rule or the lint.
    pub(crate) code: Code,
    /// The place to underline.
    pub(crate) place: Place,
    /// The problem.
    pub(crate) message: String,
    /// The remedy.
    pub(crate) help: String,
}

/// An item as it was read.
pub(crate) struct ReadItem<'i> {
    /// The item, to find the places of problems.
    pub(crate) input: Input<'i>,
    /// Its problems.
    pub(crate) problems: Vec<Problem>,
    /// The object that it may be a field of.
    pub(crate) sibling: Option<Sibling>,
    /// The keys that it can produce and the place of its template, if it is a valid key that does not allow overlaps.
    pub(crate) pattern: Option<(Pattern, Place)>,
    /// Its legacy text.
    pub(crate) legacy: Option<Legacy>,
}

/// Reads an item. `is_silenced` says whether the compiler shows no warnings about it.
pub(crate) fn read<'i>(
    kind: DeclarationKind,
    item: &'i DeriveInput,
    policy: &Policy,
    is_silenced: bool,
) -> ReadItem<'i> {
    match kind {
        DeclarationKind::Key => key(item, policy, is_silenced),
        DeclarationKind::Record => {
            let record = read_record(item, policy);
            let errors = record.diagnostics.finish(record.record.fields).err();
            let mut read = ReadItem::other(record.input, errors);
            let warnings = record.warnings.into_iter();
            read.problems.extend(warnings.filter_map(|warning| Problem::of_warning(warning, is_silenced)));
            read
        }
        DeclarationKind::Segment => {
            let segment = read_segment(item);
            let errors = segment.diagnostics.finish(segment.segment).err();
            ReadItem::other(segment.input, errors)
        }
    }
}

fn key<'i>(item: &'i DeriveInput, policy: &Policy, is_silenced: bool) -> ReadItem<'i> {
    let key = read_key(item, policy);
    let warnings = key.warnings.into_iter().filter_map(|warning| Problem::of_warning(warning, is_silenced));
    let mut problems: Vec<_> = warnings.collect();
    let mut pattern = None;
    let legacy = key.declaration.legacy.clone();
    match key.diagnostics.finish(key.declaration.template_and_kind()) {
        Ok((template, _)) => {
            let place = Place::Attribute(template.range.clone());
            pattern = Pattern::of(&key.input.item(), &key.declaration).map(|pattern| (pattern, place));
        }
        Err(errors) => problems.extend(errors.into_iter().map(Problem::of_error)),
    }
    ReadItem { input: key.input, problems, sibling: key.sibling, pattern, legacy }
}

impl<'i> ReadItem<'i> {
    fn other(input: Input<'i>, errors: Option<Vec<Diagnostic>>) -> Self {
        let problems = errors.into_iter().flatten().map(Problem::of_error).collect();
        Self { input, problems, sibling: None, pattern: None, legacy: None }
    }
}

impl Problem {
    fn of_error(diagnostic: Diagnostic) -> Self {
        let Diagnostic { place, rule, message, suggestion, .. } = diagnostic;
        Self { level: Level::Error, code: Code::Rule(rule), place, message, help: suggestion }
    }

    /// The finding of a lint, unless it is not to be shown.
    pub(crate) fn of_warning(warning: Warning, is_silenced: bool) -> Option<Self> {
        let level = match warning.level {
            schema::Level::Deny => Level::Error,
            schema::Level::Warn if !is_silenced => Level::Warning,
            schema::Level::Warn | schema::Level::Allow => return None,
        };
        let help = warning.help();
        Some(Self { level, code: Code::Lint(warning.lint), place: warning.place, message: warning.message, help })
    }
}
