//! What serde and others call the options of fields, and how it is said here.

use super::assignment::Assignment;
use super::field::Name;
use super::field_type;
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::item::Field;
use crate::options::{form_example, form_named, ttl_meant};
use crate::piece::Piece;

/// What a foreign option is in ours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Another name for `rename`.
    Rename,
    /// Another name for `ttl`.
    Ttl,
    /// The stored form that `value` names.
    Form,
    /// A stored form by functions.
    Functions,
    /// Not stored.
    Skip,
    /// Stored only sometimes.
    SkipIf,
    /// Fields of a field.
    Flatten,
    /// Further names.
    Alias,
    /// May be missing.
    Optional,
    /// Many names at once.
    RenameAll,
}

const HABITS: [(&str, Meaning); 39] = [
    ("name", Meaning::Rename),
    ("field", Meaning::Rename),
    ("key", Meaning::Rename),
    ("column", Meaning::Rename),
    ("stored_name", Meaning::Rename),
    ("expire", Meaning::Ttl),
    ("expires", Meaning::Ttl),
    ("expiry", Meaning::Ttl),
    ("expire_in", Meaning::Ttl),
    ("expires_in", Meaning::Ttl),
    ("ex", Meaning::Ttl),
    ("lifetime", Meaning::Ttl),
    ("max_age", Meaning::Ttl),
    ("timeout", Meaning::Ttl),
    ("json", Meaning::Form),
    ("serde", Meaning::Form),
    ("codec", Meaning::Form),
    ("format", Meaning::Form),
    ("encoding", Meaning::Form),
    ("msgpack", Meaning::Form),
    ("form", Meaning::Form),
    ("with", Meaning::Functions),
    ("serialize_with", Meaning::Functions),
    ("deserialize_with", Meaning::Functions),
    ("from", Meaning::Functions),
    ("into", Meaning::Functions),
    ("try_from", Meaning::Functions),
    ("skip", Meaning::Skip),
    ("ignore", Meaning::Skip),
    ("skip_serializing", Meaning::Skip),
    ("skip_deserializing", Meaning::Skip),
    ("skip_serializing_if", Meaning::SkipIf),
    ("flatten", Meaning::Flatten),
    ("nested", Meaning::Flatten),
    ("alias", Meaning::Alias),
    ("aliases", Meaning::Alias),
    ("optional", Meaning::Optional),
    ("nullable", Meaning::Optional),
    ("rename_all", Meaning::RenameAll),
];

/// Translates an option of another library. The answer is the option that was meant, so that its lack is not told as well.
pub(super) fn translate(given: Assignment<'_>, field: &Field<'_>) -> Option<(Option<Name>, Diagnostic)> {
    let word = given.name.text;
    let &(_, meaning) = HABITS.iter().find(|(habit, _)| *habit == word)?;
    let value = given.value.map_or("", |value| value.bare().text);
    let payload = field_type::payload(field.ty).unwrap_or(field.ty);
    let (why, help) = match meaning {
        Meaning::Rename => ("it is called `rename` here", format!("write `rename = {}`", quoted(given.value))),
        Meaning::Ttl => ("the expiry is called `ttl` here", format!("write `ttl = {}`", ttl_meant(value, "s"))),
        Meaning::Form => {
            let form = form_named(value).or_else(|| form_named(word)).unwrap_or("Json");
            ("the stored form is a type", format!("write `value = {}`", form_example(form, payload)))
        }
        Meaning::Functions => (
            "a stored form is a type",
            "write `value = …`, with a type of your own that implements `Stored`".to_owned(),
        ),
        Meaning::Skip => ("all of a record is stored", "move the field out of the struct".to_owned()),
        Meaning::SkipIf => {
            ("an `Option` that is `None` is not stored anyhow", format!("remove it, and write `Option<{payload}>`"))
        }
        Meaning::Flatten => {
            ("a record is flat", format!("write its fields here, or store it as one with `value = Json<{payload}>`"))
        }
        Meaning::Alias => {
            ("a field has one stored name", format!("write `rename = {}` if it is that one", quoted(given.value)))
        }
        Meaning::Optional => {
            ("a field that may be missing is an `Option`", format!("write `{}: Option<{payload}>`", field.name))
        }
        Meaning::RenameAll => ("each field says its own name", "write `rename = \"…\"` at the field".to_owned()),
    };
    let meant = match meaning {
        Meaning::Rename | Meaning::Alias => Some(Name::Rename),
        Meaning::Ttl => Some(Name::Ttl),
        Meaning::Form | Meaning::Functions | Meaning::Skip | Meaning::Flatten => Some(Name::Value),
        Meaning::Optional | Meaning::SkipIf => Some(Name::Default),
        Meaning::RenameAll => None,
    };
    let diagnostic =
        Diagnostic::at(given.name.range(), Rule::Declaration, format!("there is no option `{word}`: {why}"));
    Some((meant, diagnostic.help(help)))
}

/// What is said of a struct elsewhere: why it is not said here, and what to do.
pub(super) fn of_the_struct(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "rename_all" | "rename_all_fields" => (
            "each field says its own name",
            "write `#[redis_hash(rename = \"…\")]` at the fields that are stored under another name",
        ),
        "ttl" | "expire" | "expiry" | "expires" | "ex" => {
            ("the key says when it expires", "write `ttl = …` in the key's `#[redis_key(…)]`")
        }
        "key" | "prefix" | "template" => {
            ("a record has no key of its own", "declare one with `#[derive(RedisKey)]`, whose `value` is this record")
        }
        "deny_unknown_fields" => ("fields of others are left alone", "remove it"),
        _ => return None,
    })
}

/// A name as it stands in quotes.
fn quoted(value: Option<Piece<'_>>) -> String {
    let text = value.map(|value| value.bare().text).filter(|text| !text.is_empty());
    format!("\"{}\"", text.unwrap_or("…"))
}
