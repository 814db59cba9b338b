//! Names that say that something is a secret: `api.key`, `session_id`, `AccessToken`.

use std::ops::Range;

use crate::rust_type::{integer_max, is_instant, is_scalar};
use crate::suggest::words;

/// A secret, by its name's words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    name: &'static str,
    /// Whether it is only digits, and so can be an integer.
    pub(crate) digits: bool,
    /// Whether it is a secret as a parameter only.
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
pub(crate) struct Word<'w> {
    pub(crate) text: &'w str,
    pub(crate) range: Range<usize>,
}

impl Word<'_> {
    /// Whether it is that word, or its plural.
    pub(crate) fn is(&self, word: &str) -> bool {
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
pub(crate) fn find_secret(words: &[Word<'_>], is_parameter: bool) -> Option<(&'static Secret, Range<usize>)> {
    let runs = (0..words.len()).flat_map(|start| [start..start + 2, start..start + 1]);
    runs.into_iter().find_map(|run| {
        let is_about = words.get(run.end).is_some_and(|next| ABOUT.iter().any(|about| next.is(about)));
        let named = words.get(run.clone()).filter(|_| !is_about)?;
        let mut secrets = const { &SECRETS }.iter().filter(|secret| is_parameter || !secret.is_parameter);
        secrets.find(|secret| secret.is_named(named)).map(|secret| (secret, run))
    })
}

/// The words of a name in any case, which starts at `start`.
pub(crate) fn words_of(name: &str, start: usize) -> Vec<Word<'_>> {
    let mut end = 0;
    let placed = words(name).into_iter().filter_map(|text| {
        let at = end + name.get(end..)?.find(text)?;
        end = at + text.len();
        Some(Word { text, range: start + at..start + end })
    });
    placed.collect()
}

/// Whether a name says that a secret is stored under it. `ty` is its type or its stored form.
pub(crate) fn is_secret(name: &str, ty: &str) -> bool {
    let words = words_of(name, 0);
    let Some((secret, run)) = find_secret(&words, false) else { return false };
    // Flags and counts are no secrets, except for a code of digits.
    let is_code = secret.digits && run.end == words.len() && integer_max(ty).is_some_and(|max| max > u8::MAX.into());
    !is_number(ty) || is_code
}

/// Whether a type is a number, a flag or a moment.
pub(crate) fn is_number(ty: &str) -> bool {
    is_scalar(ty) && !matches!(ty, "String" | "Vec<u8>" | "Bytes") || is_instant(ty)
}
