//! `sibling_fields`: strings that are the fields of one object.

use std::ops::Range;

use super::{Level, Lint, Subject, Warning};
use crate::Kind;

/// A string that may be one field of an object: `user:{id}:name:string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// What is the same for all fields: `user:{id}`.
    pub family: String,
    /// The field: `name`.
    pub field: String,
    range: Range<usize>,
    level: Level,
}

/// A field of the same object that was declared before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elder {
    /// The field.
    pub field: String,
    /// The struct that declares it.
    pub name: String,
    /// File and line of the declaration, if they are known.
    pub place: String,
}

/// The field that a key may be: its last logic segment is text, and what stands before it holds a parameter.
pub(super) fn find(subject: &Subject<'_>) -> Option<Sibling> {
    let template = subject.template;
    let last = subject.logic().last().filter(|_| template.kind == Some(Kind::String))?;
    let field = template.text.rsplit(':').nth(1)?;
    let family = template.text.strip_suffix(":string")?.strip_suffix(field)?.strip_suffix(':')?;
    (last.literal() && family.contains('{')).then(|| Sibling {
        family: family.to_owned(),
        field: field.to_owned(),
        range: last.range.clone(),
        level: subject.policy.lints.of(Lint::SiblingFields),
    })
}

impl Sibling {
    /// What is told of it where a field of the same object was declared before.
    pub fn warning(&self, elder: &Elder) -> Warning {
        let Self { family, field, range, level } = self;
        let place = if elder.place.is_empty() { String::new() } else { format!(" at {}", elder.place) };
        let message = format!(
            "`{field}` is a field of the same object as `{}`, which is the key `{}`{place}",
            elder.field, elder.name
        );
        let help = format!("declare one key `{family}:…:hash` with a record that has `{}` and `{field}`", elder.field);
        Warning { level: *level, ..Warning::at(Lint::SiblingFields, range, message, help) }
    }
}
