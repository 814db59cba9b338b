//! `sibling_fields`: strings that are the fields of one object.

mod parameter;

use std::ops::Range;

use super::{Level, Lint, Subject, Warning};
use crate::Kind;
use crate::template::Part;

use parameter::Parameter;

/// A string that may be one field of an object: `user:{id}:name:string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The object without what is said of its parameters, `user:{}`: two fields of one object have that in common.
    pub shape: String,
    /// The field: `name`.
    pub field: String,
    /// The object: `user:{id}`.
    object: String,
    parameters: Vec<Parameter>,
    range: Range<usize>,
    level: Level,
}

/// A string that was declared before, and may be a field of the same object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elder {
    /// The field.
    field: String,
    parameters: Vec<Parameter>,
    /// The struct that declares it.
    name: String,
    /// File and line of the declaration, if they are known.
    place: String,
}

/// The field that a key may be: its last logic segment is text, and what stands before it holds a parameter. A hot key is
/// none, since a hash has no copies.
pub(super) fn find(subject: &Subject<'_>) -> Option<Sibling> {
    let template = subject.template;
    let last = subject.logic().last().filter(|last| template.kind == Some(Kind::String) && last.literal())?;
    let field = template.text.rsplit(':').nth(1)?;
    let behind = format!(":{field}:string");
    let object = template.text.strip_suffix(&behind)?;
    let mut shape = String::new();
    for part in &template.parts {
        match part {
            Part::Literal(text) => shape.push_str(text),
            Part::Placeholder(placeholder) => shape.push_str(&parameter::form(placeholder)?),
        }
    }
    let shape = shape.strip_suffix(&behind)?;
    let words: Vec<_> = shape.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let parameter = |placeholder| Parameter::of(subject.item, placeholder, &words);
    let parameters = template.placeholders().map(parameter).collect::<Option<Vec<_>>>()?;
    (!parameters.is_empty()).then(|| Sibling {
        shape: shape.to_owned(),
        field: field.to_owned(),
        object: object.to_owned(),
        parameters,
        range: last.range.clone(),
        level: subject.policy.lints.of(Lint::SiblingFields),
    })
}

impl Sibling {
    /// What later keys are told of it. `name` is the struct that declares it, and `place` its file and line, if they are known.
    pub fn elder(&self, name: impl Into<String>, place: impl Into<String>) -> Elder {
        let (field, parameters) = (self.field.clone(), self.parameters.clone());
        Elder { field, parameters, name: name.into(), place: place.into() }
    }

    /// Whether it belongs to the same object as one of the same shape.
    pub fn is_of_the_object_of(&self, elder: &Elder) -> bool {
        self.parameters.iter().zip(&elder.parameters).all(|(own, other)| own.is_like(other))
    }

    /// What is told of it where a field of the same object was declared before. The same field twice is the same key twice,
    /// which is no matter of lints.
    pub fn warning(&self, elder: &Elder) -> Option<Warning> {
        let Self { field, object, range, level, .. } = self;
        if *field == elder.field {
            return None;
        }
        let place = if elder.place.is_empty() { String::new() } else { format!(" at {}", elder.place) };
        let both = self.parameters.iter().zip(&elder.parameters).filter(|(own, other)| own.name != other.name);
        let called: Vec<_> =
            both.map(|(own, other)| format!("`{{{}}}` is called `{{{}}}`", own.name, other.name)).collect();
        let called = if called.is_empty() { String::new() } else { format!(", where {}", called.join(" and ")) };
        let message = format!(
            "`{field}` is a field of the same object as `{}`, which is the key `{}`{place}{called}",
            elder.field, elder.name
        );
        let help = format!("declare one key `{object}:…:hash` with a record that has `{}` and `{field}`", elder.field);
        Some(Warning { level: *level, ..Warning::at(Lint::SiblingFields, range, message, help) })
    }
}

#[cfg(test)]
mod tests;
