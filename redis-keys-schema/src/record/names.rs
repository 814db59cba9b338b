//! The names of a record's fields in Redis, and of their constants.

use super::{RecordField, RecordItem};
use crate::Rule;
use crate::diagnostic::{Diagnostics, Place};
use crate::limits::MAX_FIELD_BYTES;
use crate::suggest::words;

/// The name of a field's constant: `user_id` is `USER_ID`.
pub(super) fn constant(field: &str) -> String {
    let words = words(field).join("_").to_uppercase();
    // Only underscores are no words, and the constant of `_1` must not start with a digit.
    if words.is_empty() || words.starts_with(|c: char| !c.is_alphabetic()) { field.to_uppercase() } else { words }
}

/// Explains what is wrong with a stored name, and what to write instead.
pub(super) fn explain(name: &str) -> Option<(String, String)> {
    let is_forbidden = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    if name.is_empty() {
        return Some(("a stored name cannot be empty".to_owned(), "write a name, or remove `rename`".to_owned()));
    }
    if let Some(sign) = name.chars().find(|c| is_forbidden(*c)) {
        let what = match sign {
            ' ' => "a space",
            '\\' => "`\\`",
            sign if sign.is_whitespace() => "white space",
            _ => "control characters",
        };
        let joined: Vec<_> = name.split(is_forbidden).filter(|word| !word.is_empty()).collect();
        let help = if joined.is_empty() {
            "write a name of letters".to_owned()
        } else {
            format!("write `{}`", joined.join("_"))
        };
        return Some((format!("a stored name cannot contain {what}"), help));
    }
    too_long(name).map(|message| (message, "write a shorter name: each stored record repeats it".to_owned()))
}

fn too_long(name: &str) -> Option<String> {
    let bytes = name.len();
    (bytes > MAX_FIELD_BYTES).then(|| format!("a stored name of {bytes} bytes exceeds the limit of {MAX_FIELD_BYTES}"))
}

/// No two fields have the same stored name or the same constant.
pub(super) fn check(item: &RecordItem<'_>, read: &[RecordField], diagnostics: &mut Diagnostics) {
    let fields = || read.iter().zip(&item.fields).enumerate().filter(|(_, (_, field))| !field.phantom);
    for (number, (field, declared)) in fields() {
        let name = declared.name.as_str();
        let own_place = Place::Field(number);
        let mut report = |place, message, help| {
            diagnostics.report(place, Rule::Record, message, help);
        };
        let mut earlier = fields().take_while(|(earlier, _)| *earlier < number);
        if let Some((_, (_, first))) = earlier.find(|(_, (first, _))| first.stored == field.stored) {
            let message = format!("duplicate stored name `{}`: the field `{}` has it", field.stored, first.name);
            let help = if field.stored == name {
                "add `#[redis_hash(rename = \"…\")]` to one of them"
            } else {
                "write another name"
            };
            report(field.rename.clone().unwrap_or(own_place.clone()), message, help);
        }
        let mut earlier = fields().take_while(|(earlier, _)| *earlier < number);
        if let Some((_, (_, first))) = earlier.find(|(_, (first, _))| first.constant == field.constant) {
            let message = format!("duplicate constant `{}`: the field `{}` has it", field.constant, first.name);
            report(own_place.clone(), message, "rename one of the fields");
        }
        if field.stored == name
            && let Some(message) = too_long(name)
        {
            report(own_place, message, "add `#[redis_hash(rename = \"…\")]` with a shorter name");
        }
    }
}
