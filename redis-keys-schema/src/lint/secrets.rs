//! `plain_secret`: secrets that are stored, or are part of a key, in plain text.

use std::ops::Range;

use super::Subject;
use crate::Kind;
use crate::attribute::{Given, StoredForm};
use crate::edit::Suggestion;
use crate::item::Field;
use crate::piece::is_name_char;
use crate::place::Place;
use crate::rust_type::{feature_of_parameter, head, integer_max, is_instant, is_scalar, is_text};
use crate::suggest::words;
use crate::template::{Encoding, Placeholder, WordPlace};
use crate::warning::{Lint, Warning};

/// A secret, by the words of its name.
#[derive(Debug, PartialEq, Eq)]
struct Secret {
    name: &'static str,
    /// Whether it is only digits, and so can be an integer.
    digits: bool,
    /// Whether it is one as a parameter only.
    is_parameter: bool,
}

const fn secret(name: &'static str) -> Secret {
    Secret { name, digits: false, is_parameter: false }
}

/// The names of secrets, which can also be written as one word or in the plural.
const SECRETS: [Secret; 11] = [
    secret("password"),
    secret("passwd"),
    secret("secret"),
    secret("token"),
    secret("api key"),
    secret("private key"),
    Secret { digits: true, ..secret("otp") },
    Secret { digits: true, ..secret("totp") },
    Secret { digits: true, ..secret("card number") },
    // A client that knows it is logged in. As a value it only says whose session it is.
    Secret { is_parameter: true, ..secret("session id") },
    Secret { is_parameter: true, ..secret("sid") },
];

/// Words that say something about the secret before them: `token.bucket`, `password.hash`.
const ABOUT: [&str; 16] = [
    "attempt", "bucket", "count", "counter", "digest", "expiry", "hash", "id", "kind", "length", "limit", "policy",
    "status", "type", "usage", "version",
];

/// A word of a name.
struct Word<'w> {
    text: &'w str,
    range: Range<usize>,
}

impl Word<'_> {
    /// Whether it is that word, or its plural.
    fn is(&self, word: &str) -> bool {
        let singular = self.text.strip_suffix(['s', 'S']).unwrap_or(self.text);
        self.text.eq_ignore_ascii_case(word) || singular.eq_ignore_ascii_case(word)
    }
}

impl Secret {
    /// Whether these words are its name.
    fn is_named(&self, words: &[Word<'_>]) -> bool {
        match (self.name.split_once(' '), words) {
            (Some((first, last)), [one, other]) => one.text.eq_ignore_ascii_case(first) && other.is(last),
            (Some(_), [word]) => word.is(&self.name.replace(' ', "")),
            (None, [word]) => word.is(self.name),
            _ => false,
        }
    }
}

/// The first secret that a name says, with its place among the words.
fn find(words: &[Word<'_>], is_parameter: bool) -> Option<(&'static Secret, Range<usize>)> {
    let runs = (0..words.len()).flat_map(|start| [start..start + 2, start..start + 1]);
    runs.into_iter().find_map(|run| {
        let is_about = words.get(run.end).is_some_and(|next| ABOUT.iter().any(|about| next.is(about)));
        let named = words.get(run.clone()).filter(|_| !is_about)?;
        let mut secrets = const { &SECRETS }.iter().filter(|secret| is_parameter || !secret.is_parameter);
        secrets.find(|secret| secret.is_named(named)).map(|secret| (secret, run))
    })
}

/// The words of a name in any case, which starts at `start`.
fn words_of(name: &str, start: usize) -> Vec<Word<'_>> {
    let mut end = 0;
    let placed = words(name).into_iter().filter_map(|text| {
        let at = end + name.get(end..)?.find(text)?;
        end = at + text.len();
        Some(Word { text, range: start + at..start + end })
    });
    placed.collect()
}

/// The place from the first to the last of some words.
fn place(words: &[Word<'_>], run: Range<usize>) -> Option<Range<usize>> {
    let run = words.get(run)?;
    Some(run.first()?.range.start..run.last()?.range.end)
}

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let parameters = subject.template.placeholders().filter_map(|placeholder| Parameter::of(subject, placeholder));
    let parameters: Vec<_> = parameters.collect();
    warnings.extend(parameters.iter().filter_map(Parameter::warning));
    let options = &subject.declaration.options;
    if let Some(form) = stored(subject, options.value.as_ref())
        && let Some(place) = in_template(subject, form, &parameters).or_else(|| in_type(subject, form))
    {
        warnings.push(warning(subject, &place, form, is_member(subject)));
    }
    if let Some(form) = stored(subject, options.field.as_ref())
        && let Some(place) = in_type(subject, form)
    {
        warnings.push(warning(subject, &place, form, true));
    }
}

/// Whether a name says that what is stored under it is a secret. `ty` is its type or its stored form.
pub(crate) fn is_secret(name: &str, ty: &str) -> bool {
    let words = words_of(name, 0);
    let Some((secret, run)) = find(&words, false) else { return false };
    // Neither a flag nor a count is a secret, but for a code of digits.
    let is_code = secret.digits && run.end == words.len() && integer_max(ty).is_some_and(|max| max > u8::MAX.into());
    !is_number(ty) || is_code
}

/// Whether a type is a number, a flag or a moment.
fn is_number(ty: &str) -> bool {
    is_scalar(ty) && !matches!(ty, "String" | "Vec<u8>" | "Bytes") || is_instant(ty)
}

/// A parameter whose name says that it is a secret.
struct Parameter<'p> {
    placeholder: &'p Placeholder,
    field: &'p Field<'p>,
    secret: &'static Secret,
    /// The place of the words that say so.
    range: Range<usize>,
    text: &'p str,
}

impl<'p> Parameter<'p> {
    fn of(subject: &Subject<'p>, placeholder: &'p Placeholder) -> Option<Self> {
        let field = subject.item.fields.get(placeholder.field?)?;
        let start = placeholder.inner.start + subject.text_at(&placeholder.inner).find(&placeholder.name)?;
        let words = words_of(&placeholder.name, start);
        let (secret, run) = find(&words, true)?;
        let range = place(&words, run)?;
        Some(Self { placeholder, field, secret, text: subject.text_at(&range), range })
    }

    /// The warning for text and bytes that are not digested. Nothing is known of a user's own type.
    fn warning(&self) -> Option<Warning> {
        let Field { ty, attributes, .. } = self.field;
        let index = self.placeholder.field?;
        let attribute = Place::WholeFieldAttribute(index, attributes.len());
        let digest = |help: Suggestion| help.with(attribute, "redis_key(digest)");
        let is_bytes = matches!(head(ty), "Vec" | "[") && ty.contains("u8") || head(ty) == "Bytes";
        let help = match self.placeholder.encoding {
            Some(Encoding::Digest) => return None,
            Some(other) => format!("use `#[redis_key(digest)]` in place of `{}`", other.name()).into(),
            None if is_text(ty) || is_bytes => digest("add `#[redis_key(digest)]` to the field".into()),
            None if feature_of_parameter(ty) == Some("uuid") => {
                let help = "make the field `[u8; 16]`, the bytes of the UUID, with `#[redis_key(digest)]`";
                digest(Suggestion::from(help).with(Place::FieldType(index), "[u8; 16]"))
            }
            None => return None,
        };
        let message = format!("`{}` is a secret in the text of the key: clients that list keys can read it", self.text);
        Some(Warning::at(Lint::PlainSecret, &self.range, message, help))
    }
}

/// The form of a value that the server can read. The fields of a record have forms of their own.
fn stored<'s>(subject: &Subject<'s>, given: Option<&'s Given<StoredForm>>) -> Option<&'s StoredForm> {
    let form = given?.value.as_ref()?;
    let is_record = match subject.template.kind.ok()? {
        Kind::Hash => subject.declaration.options.field.is_none(),
        Kind::Stream => true,
        // It counts its members and does not keep them.
        Kind::HyperLogLog => return None,
        _ => false,
    };
    let is_plain = !is_record && !subject.text_at(&form.range).contains("Secret<");
    is_plain.then_some(form)
}

/// Whether the value is found by its bytes, which differ each time it is encrypted.
fn is_member(subject: &Subject<'_>) -> bool {
    matches!(subject.template.kind, Ok(Kind::Set | Kind::ZSet | Kind::Geo)) && subject.declaration.role().is_none()
}

/// The words of the template that say that the value is a secret, unless they say what a parameter is.
fn in_template(subject: &Subject<'_>, form: &StoredForm, parameters: &[Parameter<'_>]) -> Option<Range<usize>> {
    let ty = subject.text_at(&form.range);
    let is_number = is_number(ty);
    // Neither a flag nor a small count has the digits of a code.
    let is_code = integer_max(ty).is_some_and(|max| max > u8::MAX.into()) && !is_counter(subject);
    let (_, segments) = subject.template.segments.split_last()?;
    let mut segments = segments.iter().map(|segment| {
        let text = |word: &WordPlace| Word { text: subject.text_at(&word.range), range: word.range.clone() };
        segment.words.iter().filter(|word| word.literal).map(text).collect::<Vec<_>>()
    });
    while let Some(words) = segments.next() {
        let Some((secret, run)) = find(&words, false) else { continue };
        let is_named_by = |parameter: &Parameter<'_>| parameter.secret == secret;
        // `otp:attempts` is no code, and `otp:code` is one.
        let mut rest = words.get(run.end..).unwrap_or_default().iter();
        let mut later = segments.clone().flatten();
        let is_named_last = rest.all(|word| word.is("code")) && later.all(|word| word.is("code"));
        let is_secret = !is_number || is_code && secret.digits && is_named_last;
        if is_secret && !parameters.iter().any(is_named_by) {
            return place(&words, run);
        }
    }
    None
}

/// Whether the module says that the integer is a count.
fn is_counter(subject: &Subject<'_>) -> bool {
    matches!(subject.template.module(), Some("counter" | "rate"))
}

/// The words of a type's name that say that it is a secret.
fn in_type(subject: &Subject<'_>, form: &StoredForm) -> Option<Range<usize>> {
    let text = subject.text_at(&form.range);
    let mut end = 0;
    text.split_inclusive(|c| !is_name_char(c)).find_map(|piece| {
        let name = piece.trim_end_matches(|c| !is_name_char(c));
        let start = end;
        end += piece.len();
        if text.get(start + name.len()..).is_some_and(|rest| rest.starts_with("::")) {
            // A module, which has other types as well.
            return None;
        }
        let words = words_of(name, form.range.start + start);
        find(&words, false).and_then(|(_, run)| place(&words, run))
    })
}

fn warning(subject: &Subject<'_>, place: &Range<usize>, form: &StoredForm, is_member: bool) -> Warning {
    let message = format!("`{}` names a secret that is stored as plain text", subject.text_at(place));
    let help = if subject.has_legacy_values() {
        "store it under a key of its own with `Secret<…>`: what is stored under this one is read as it is".into()
    } else if is_member {
        "store a digest of it, or each secret as the `value` of a key".into()
    } else {
        Suggestion::write(format!("Secret<{}>", subject.text_at(&form.range))).at(form.range.clone())
    };
    Warning::at(Lint::PlainSecret, place, message, help)
}

#[cfg(test)]
mod tests;
