//! The names that fields have in Redis, and those of their constants.

use heck::ToShoutySnakeCase;

use super::{Record, RecordItem};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::limits::MAX_FIELD_BYTES;

/// The name of a field's constant: `user_id` is `USER_ID`.
pub(super) fn constant(field: &str) -> String {
    let words = field.to_shouty_snake_case();
    // Nothing but underscores has no words, and `_1` must not begin with its number.
    if words.is_empty() || words.starts_with(|c: char| !c.is_alphabetic()) { field.to_uppercase() } else { words }
}

/// What is wrong with a stored name, and what to write instead.
pub(super) fn fault(name: &str) -> Option<(String, String)> {
    if name.is_empty() {
        return Some(("a stored field has a name".to_owned(), "write a name, or remove the `rename`".to_owned()));
    }
    if let Some(sign) = name.chars().find(|c| c.is_whitespace() || c.is_control() || *c == '\\') {
        let what = match sign {
            ' ' => "a space".to_owned(),
            '\\' => "a `\\`".to_owned(),
            sign if sign.is_whitespace() => "white space".to_owned(),
            _ => "a control character".to_owned(),
        };
        let joined: Vec<_> = name.split(|c: char| c.is_whitespace() || c.is_control() || c == '\\').collect();
        let joined: Vec<_> = joined.into_iter().filter(|word| !word.is_empty()).collect();
        let help = if joined.is_empty() {
            "write a name of letters".to_owned()
        } else {
            format!("write `{}`", joined.join("_"))
        };
        return Some((format!("the name of a stored field has {what}"), help));
    }
    too_long(name)
}

fn too_long(name: &str) -> Option<(String, String)> {
    let bytes = name.len();
    let message =
        || format!("the name of a stored field has at most {MAX_FIELD_BYTES} bytes, and this one has {bytes}");
    (bytes > MAX_FIELD_BYTES).then(|| (message(), "each record holds it once more: write a short one".to_owned()))
}

/// No two fields are stored under one name, and none share a constant.
pub(super) fn check(item: &RecordItem<'_>, record: &Record, diagnostics: &mut Vec<Diagnostic>) {
    for (number, field) in record.fields.iter().enumerate().filter(|(_, field)| !field.constant.is_empty()) {
        let Some(name) = item.fields.get(number).map(|field| field.name.as_str()) else { continue };
        let earlier =
            || record.fields.iter().zip(&item.fields).take(number).filter(|(field, _)| !field.constant.is_empty());
        if let Some((_, first)) = earlier().find(|(first, _)| first.stored == field.stored) {
            let message = format!("`{}` is the stored name of the field `{}` already", field.stored, first.name);
            let help = if field.stored == name {
                "add `#[redis_hash(rename = \"…\")]` to one of them"
            } else {
                "write another name"
            };
            let place = field.rename.clone().unwrap_or(Place::Field(number));
            diagnostics.push(Diagnostic::new(place, Rule::Record, message).help(help));
        }
        if let Some((_, first)) = earlier().find(|(first, _)| first.constant == field.constant) {
            let message =
                format!("the fields `{}` and `{name}` would have one constant, `{}`", first.name, field.constant);
            diagnostics
                .push(Diagnostic::new(Place::Field(number), Rule::Record, message).help("rename one of the fields"));
        }
        if field.stored == name
            && let Some((message, _)) = too_long(name)
        {
            let help = "add `#[redis_hash(rename = \"…\")]` with a short one: each record holds it once more";
            diagnostics.push(Diagnostic::new(Place::Field(number), Rule::Record, message).help(help));
        }
    }
}
