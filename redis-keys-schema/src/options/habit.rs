//! What other libraries call the options, and how it is said here.

use std::time::Duration;

use super::assignment::Assignment;
use super::name::Name;
use super::{duration, form};
use crate::Rule;
use crate::diagnostic::Diagnostic;

/// What a foreign option is in ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// One of our options under another name.
    Option(Name),
    /// The same, in seconds or milliseconds.
    Ttl(&'static str),
    /// The stored form that `value` names.
    Form,
    /// Compression, which is part of the stored form.
    Compression,
    /// The type, which is the template's last segment.
    Kind,
    /// The template itself.
    Template,
    /// A doc comment on the struct.
    Docs,
    /// A shard in the template.
    Shards,
}

const HABITS: [(&str, Meaning); 68] = [
    ("expire", Meaning::Ttl("s")),
    ("expires", Meaning::Ttl("s")),
    ("expiry", Meaning::Ttl("s")),
    ("expiration", Meaning::Ttl("s")),
    ("expire_in", Meaning::Ttl("s")),
    ("expires_in", Meaning::Ttl("s")),
    ("expire_after", Meaning::Ttl("s")),
    ("ex", Meaning::Ttl("s")),
    ("timeout", Meaning::Ttl("s")),
    ("lifetime", Meaning::Ttl("s")),
    ("max_age", Meaning::Ttl("s")),
    ("time_to_live", Meaning::Ttl("s")),
    ("ttl_secs", Meaning::Ttl("s")),
    ("ttl_seconds", Meaning::Ttl("s")),
    ("ttl_ms", Meaning::Ttl("ms")),
    ("px", Meaning::Ttl("ms")),
    ("pexpire", Meaning::Ttl("ms")),
    ("codec", Meaning::Form),
    ("format", Meaning::Form),
    ("encoding", Meaning::Form),
    ("encode", Meaning::Form),
    ("serializer", Meaning::Form),
    ("serialize", Meaning::Form),
    ("serde", Meaning::Form),
    ("stored_as", Meaning::Form),
    ("compress", Meaning::Compression),
    ("compression", Meaning::Compression),
    ("compressed", Meaning::Compression),
    ("compressor", Meaning::Compression),
    ("type", Meaning::Kind),
    ("kind", Meaning::Kind),
    ("data_type", Meaning::Kind),
    ("key", Meaning::Template),
    ("pattern", Meaning::Template),
    ("template", Meaning::Template),
    ("prefix", Meaning::Template),
    ("name", Meaning::Template),
    ("key_pattern", Meaning::Template),
    ("doc", Meaning::Docs),
    ("docs", Meaning::Docs),
    ("description", Meaning::Docs),
    ("comment", Meaning::Docs),
    ("shards", Meaning::Shards),
    ("shard", Meaning::Shards),
    ("spread", Meaning::Option(Name::Jitter)),
    ("random", Meaning::Option(Name::Jitter)),
    ("ttl_jitter", Meaning::Option(Name::Jitter)),
    ("value_type", Meaning::Option(Name::Value)),
    ("values", Meaning::Option(Name::Value)),
    ("refresh", Meaning::Option(Name::Renew)),
    ("sliding", Meaning::Option(Name::Renew)),
    ("slide", Meaning::Option(Name::Renew)),
    ("touch", Meaning::Option(Name::Renew)),
    ("negative_ttl", Meaning::Option(Name::NullTtl)),
    ("not_found_ttl", Meaning::Option(Name::NullTtl)),
    ("empty_ttl", Meaning::Option(Name::NullTtl)),
    ("max_size", Meaning::Option(Name::MaxBytes)),
    ("size", Meaning::Option(Name::MaxBytes)),
    ("capacity", Meaning::Option(Name::MaxLen)),
    ("max_items", Meaning::Option(Name::MaxLen)),
    ("max_elements", Meaning::Option(Name::MaxLen)),
    ("maxlen", Meaning::Option(Name::MaxLen)),
    ("keep", Meaning::Option(Name::KeepLast)),
    ("top", Meaning::Option(Name::KeepTop)),
    ("replicas", Meaning::Option(Name::Copies)),
    ("team", Meaning::Option(Name::Owner)),
    ("why", Meaning::Option(Name::Reason)),
    ("because", Meaning::Option(Name::Reason)),
];

/// Whether a word is another library's name for something that can be said here.
pub(super) fn is_known(word: &str) -> bool {
    meaning(word).is_some()
}

/// Whether a word is another library's name for the template.
pub(super) fn names_template(word: &str) -> bool {
    meaning(word) == Some(Meaning::Template)
}

fn meaning(word: &str) -> Option<Meaning> {
    HABITS.iter().find(|(habit, _)| *habit == word).map(|&(_, meaning)| meaning)
}

/// Translates an option of another library. `payload` is the type that `value` names, if it is there.
/// The answer is the option that was meant, so that its lack is not reported as well.
pub(super) fn translate(given: Assignment<'_>, payload: Option<&str>) -> Option<(Option<Name>, Diagnostic)> {
    let value = given.value.bare().text;
    let meaning = meaning(given.name.text)?;
    let message = format!("there is no option `{}`: {}", given.name.text, explanation(meaning));
    let help = match meaning {
        // A text keeps its quotes.
        Meaning::Option(name @ (Name::Owner | Name::Reason)) => {
            format!("write `{} = {}`", name.text(), given.value.text)
        }
        Meaning::Option(name) => format!("write `{} = {}`", name.text(), renewed(name, value)),
        Meaning::Ttl(unit) => format!("write `ttl = {}`", ttl(value, unit)),
        Meaning::Form => encoded(value, payload.unwrap_or("Profile")),
        Meaning::Compression => compressed(value, payload.unwrap_or("Profile")),
        Meaning::Kind => format!("remove it, and end the template with `:{value}`"),
        // A template that is only misplaced has been taken before.
        Meaning::Template => "remove it".to_owned(),
        Meaning::Docs => format!("write `/// {value}` above the struct"),
        Meaning::Shards => format!("write `{{field % {value}}}` in the template"),
    };
    let diagnostic = Diagnostic::at(given.name.range(), Rule::Declaration, message).help(help);
    Some((option(meaning), diagnostic))
}

/// The option of ours that it stands for.
fn option(meaning: Meaning) -> Option<Name> {
    match meaning {
        Meaning::Option(name) => Some(name),
        Meaning::Ttl(_) => Some(Name::Ttl),
        Meaning::Form | Meaning::Compression => Some(Name::Value),
        Meaning::Kind | Meaning::Template | Meaning::Docs | Meaning::Shards => None,
    }
}

fn explanation(meaning: Meaning) -> String {
    let text = match meaning {
        Meaning::Option(name) => return format!("it is called `{}` here", name.text()),
        Meaning::Ttl(_) => "the expiry is called `ttl` here",
        Meaning::Form => "the stored form is part of the value's type",
        Meaning::Compression => "compression is part of the value's type",
        Meaning::Kind => "the type is the last segment of the template",
        Meaning::Template => "the template stands first, without a name",
        Meaning::Docs => "the struct's doc comment says it",
        Meaning::Shards => "shards stand in the template",
    };
    text.to_owned()
}

/// A payload in the form that was named.
fn encoded(form: &str, payload: &str) -> String {
    let exact = form::ours(form).unwrap_or("Json");
    if form::compresses(exact) {
        return compressed(form, payload);
    }
    if payload.starts_with(exact) {
        return format!("remove it: `{payload}` says it");
    }
    format!("write `value = {}`", form::example(exact, payload))
}

/// A payload, or the form that it is in already, in the compressing form that was named.
fn compressed(form: &str, payload: &str) -> String {
    let exact = form::ours(form).filter(|exact| form::compresses(exact)).unwrap_or("Zstd");
    // A form or text: what is a type by itself needs a form around it first.
    let is_stored = payload.contains('<') || ["String", "Bytes"].iter().any(|text| payload.ends_with(text));
    let wrapped = if is_stored { format!("{exact}<{payload}>") } else { form::example(exact, payload) };
    format!("write `value = {wrapped}`")
}

/// The expiry that was meant: a bare number has the unit that the other library counts in.
pub(crate) fn ttl(value: &str, unit: &str) -> String {
    let number = value.replace('_', "").parse::<u64>().ok().filter(|number| *number > 0);
    match number {
        Some(number) => format!("{number}{unit}"),
        None => match duration::parse(value) {
            Ok(length) => duration::render(millis(length)),
            Err(fault) => fault.instead.unwrap_or_else(|| "1h".to_owned()),
        },
    }
}

fn millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}

fn renewed(name: Name, value: &str) -> &str {
    match (name, value) {
        (Name::Renew, "true" | "always" | "") => "read",
        (_, "") => name.example().split_once("= ").map_or("", |(_, value)| value),
        _ => value,
    }
}
