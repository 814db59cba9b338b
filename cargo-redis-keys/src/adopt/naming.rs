//! Guesses of names: the template, the struct and the fields of a declaration, from a key's text.

use std::ops::RangeInclusive;

use redis_keys_schema::Kind;

use super::{FoundField, FoundKey, FoundPart};
use crate::declare::words;
use crate::operate::infer::Class;

/// Characters that separate segments. Others join words.
const SEPARATORS: [char; 3] = [':', '/', '|'];

/// Names of structs that would hide others in the same file.
const TAKEN: [&str; 12] =
    ["Box", "Default", "Err", "None", "Ok", "Option", "RedisHash", "RedisKey", "Self", "Some", "String", "Vec"];

/// Words in front of numbers that are no ids.
const COUNTED: [&str; 13] = [
    "attempt", "day", "hour", "index", "level", "limit", "minute", "month", "page", "shard", "size", "version", "year",
];

/// The largest of numbers that are times: seconds and milliseconds from the year 2017 to 2065.
const SECONDS: RangeInclusive<u64> = 1_500_000_000..=3_000_000_000;
const MILLISECONDS: RangeInclusive<u64> = 1_500_000_000_000..=3_000_000_000_000;

/// A declaration's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    /// The first word, which is the Rust module as well.
    pub(super) module: String,
    /// The segments of literal text behind it.
    pub(super) segments: Vec<String>,
    /// The struct's name.
    pub(super) item: String,
    /// The name of each field of the text, in its order. A field can be there twice.
    pub(super) fields: Vec<String>,
    /// The index of the field in the hash tag.
    pub(super) tag: Option<usize>,
}

impl Names {
    /// A key's names. Numbers such as versions are left out if they are not needed.
    pub(super) fn of(key: &FoundKey, kind: Kind, with_numbers: bool) -> Self {
        let (mut segments, fields, tag) = read(&key.parts, with_numbers);
        if segments.last().is_some_and(|last| last == kind.name()) && segments.len() > 1 {
            segments.pop();
        }
        let mut words = segments.first().map(|first| first.split('.').collect::<Vec<_>>()).unwrap_or_default();
        let module = match words.first().copied().filter(|word| starts_with_letter(word)) {
            Some(module) => {
                words.remove(0);
                module.to_owned()
            }
            // A key begins with a word.
            None => "app".to_owned(),
        };
        let rest = words.join(".");
        let segments: Vec<_> = Some(rest).into_iter().chain(segments.into_iter().skip(1)).collect();
        let mut segments: Vec<_> = segments.into_iter().filter(|segment| !segment.is_empty()).collect();
        let item = camel_case(segments.iter().flat_map(|segment| segment.split('.')));
        let item = if item.starts_with(|first: char| first.is_ascii_uppercase()) && !TAKEN.contains(&&*item) {
            item
        } else {
            camel_case([module.as_str()]) + &item
        };
        let item = if TAKEN.contains(&&*item) { item + "Key" } else { item };
        if segments.is_empty() && fields.is_empty() {
            segments.push("all".to_owned());
        }
        Self { module, segments, item, fields, tag }
    }

    /// The template: the literal text, then the fields.
    pub(super) fn template(&self, kind: Kind) -> String {
        let mut segments = vec![self.module.clone()];
        segments.extend(self.segments.iter().cloned());
        for (index, name) in self.fields.iter().enumerate() {
            if self.fields.iter().position(|known| known == name) == Some(index) {
                let tag = if self.tag == Some(index) { "#" } else { "" };
                segments.push(format!("{{{tag}{name}}}"));
            }
        }
        segments.push(kind.name().to_owned());
        segments.join(":")
    }
}

/// The segments of literal text, the fields' names, and the index of the field in the hash tag.
fn read(parts: &[FoundPart], with_numbers: bool) -> (Vec<String>, Vec<String>, Option<usize>) {
    let (mut segments, mut fields, mut tag) = (Vec::new(), Vec::<String>::new(), None);
    let mut given = Vec::<(&FoundField, String)>::new();
    let mut before = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            FoundPart::Text(text) => {
                let found: Vec<_> = text.split(SEPARATORS).map(words).filter(|words| !words.is_empty()).collect();
                before = found.last().cloned().unwrap_or_default();
                for mut words in found {
                    // `1.8.3.gz` is a number as a whole.
                    if !with_numbers && !words.first().is_some_and(|word| starts_with_letter(word)) {
                        continue;
                    }
                    words.retain(|word| with_numbers || starts_with_letter(word));
                    segments.push(words.join("."));
                }
            }
            FoundPart::Field(field) => {
                let is_tag = matches!(index.checked_sub(1).and_then(|index| parts.get(index)), Some(FoundPart::Text(text)) if text.ends_with('{'))
                    && matches!(parts.get(index + 1), Some(FoundPart::Text(text)) if text.starts_with('}'));
                if is_tag && tag.is_none() {
                    tag = Some(fields.len());
                }
                // The same name in the sources is the same value.
                let known = given.iter().find(|(known, _)| field.name.is_some() && known.name == field.name);
                let name = match known {
                    Some((_, name)) => name.clone(),
                    None => unique(field_name(field, &before, given.last()), &fields),
                };
                given.push((field, name.clone()));
                fields.push(name);
                before.clear();
            }
        }
    }
    (segments, fields, tag)
}

fn starts_with_letter(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
}

/// A field's name: its name in the sources, or a name by its values and the word before it.
fn field_name(field: &FoundField, before: &[String], last: Option<&(&FoundField, String)>) -> String {
    let named = field.name.as_deref().map(|name| words(name).join("_")).filter(|name| !name.is_empty());
    // `2026-11-24-17`
    let is_hour = matches!(field.class, Some(Class::Integer { max: ..24, padded: Some(2), .. }))
        && last.is_some_and(|(last, _)| matches!(last.class, Some(Class::Date(_))));
    let name =
        named.unwrap_or_else(|| if is_hour { "hour".to_owned() } else { class_name(field.class.as_ref(), before) });
    if identifier(&name).is_some() { name } else { format!("of_{name}") }
}

/// A name as an identifier of Rust.
pub(crate) fn identifier(name: &str) -> Option<String> {
    [name.to_owned(), format!("r#{name}")].into_iter().find(|name| syn::parse_str::<syn::Ident>(name).is_ok())
}

/// The name of a field with these values behind these words.
fn class_name(class: Option<&Class>, before: &[String]) -> String {
    let word = before.last().map_or("", String::as_str);
    let is_secret = ["jwt", "otp", "sess", "session", "sessions", "token", "tokens"].contains(&word);
    let name = match class {
        Some(Class::Integer { max, .. }) if SECONDS.contains(max) || MILLISECONDS.contains(max) => "time",
        Some(Class::Integer { .. }) if COUNTED.contains(&word) => word,
        Some(Class::Integer { .. } | Class::Uuid | Class::Ulid) => return id_of(before),
        Some(Class::Hex { .. }) if !is_secret => "hash",
        Some(Class::Hex { .. } | Class::Base64 | Class::Random) => "token",
        Some(Class::Date(form)) if form.contains('H') => "hour",
        Some(Class::Date(form)) if form.contains('D') => "day",
        Some(Class::Date(_)) => "date",
        Some(Class::Ip) => "ip",
        Some(Class::Email) => "email",
        Some(Class::Mac) => "mac",
        Some(Class::Size) => "size",
        Some(Class::Domain) => "domain",
        Some(Class::Choice(_)) => "kind",
        Some(Class::Text { has_separators: true, .. }) => "path",
        _ if is_secret => "token",
        _ => "name",
    };
    name.to_owned()
}

/// The name of an id behind these words: `user_id` behind `user`, `users` or `user_id`.
fn id_of(before: &[String]) -> String {
    let mut words = before.iter().rev().map(String::as_str).skip_while(|word| ["id", "ids"].contains(word));
    match words.next().filter(|word| word.len() > 1) {
        Some(word) => format!("{}_id", singular(word)),
        None => "id".to_owned(),
    }
}

/// A name that is not among the others.
pub(super) fn unique(name: String, others: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !others.contains(name)).unwrap_or(name)
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let keeps = ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) || word.len() < 4;
    word.strip_suffix('s').filter(|_| !keeps).unwrap_or(word).to_owned()
}

pub(super) fn camel_case<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut name = String::new();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

/// The words of a text, in lower case: `userProfile_v2` has `user`, `profile` and `v2`. Letters
/// outside of ASCII separate words.
pub(crate) fn words(text: &str) -> Vec<String> {
    words::words(&text.replace(|sign: char| !sign.is_ascii(), " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_case() {
        for (text, expected) in [
            ("userProfile_v2", "user profile v2"),
            ("HTTPServer", "http server"),
            ("tx_to_relayer", "tx to relayer"),
            ("ABC", "abc"),
            ("größe--x", "gr e x"),
            ("", ""),
        ] {
            assert_eq!(words(text).join(" "), expected);
        }
        assert_eq!(
            ["users", "companies", "address", "bus", "news", "ids"].map(singular).join(" "),
            "user company address bus new ids"
        );
    }
}
