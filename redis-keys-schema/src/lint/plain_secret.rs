//! A secret is stored as plain text, or is part of a key.
//!
//! Words of the template, of the name of a stored type, and of the names of parameters and of the fields of records say
//! so: `password`, `passwd`, `secret`, `token`, `api.key`, `private.key`, `otp`, `totp`, `card.number`, and as a
//! parameter `session_id` and `sid`. Not flagged are locks, rate limits, the forms `Secret<…>`, digests, and numbers,
//! which are counts, unless they are the codes of an `otp` or a `totp`, or a `card.number`.
//!
//! # Why
//!
//! Everybody who may run `SCAN` or read a backup has the secret. With the session ids of all users in the names of
//! keys, a look at the list of keys is enough to log in as any of them.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(session:login:{session_id}:string, value = u64, ttl = 1d)]
//! struct Login {
//!     session_id: String,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(session:login:{session_id}:string, value = u64, ttl = 1d)]
//! struct Login {
//!     #[redis_key(digest)]
//!     session_id: String,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: a word such as `password`, `secret`, `token`, `api.key`, `private.key`, `otp` or `card.number` in the
//!   template, in the name of a stored type, or in the name of a record's field, unless the value is encrypted, a lock
//!   or a count; a parameter with such a name, or `session_id`, whose text is part of the key
//! - instead: `value = Secret<Json<Token>>`; `#[redis_hash(value = Secret<String>)]` at the field of a record;
//!   `#[redis_key(digest)]` at the field of a parameter

use std::ops::Range;

use super::{Entry, Subject};
use crate::Kind;
use crate::attribute::{GivenOption, StoredForm};
use crate::edit::Suggestion;
use crate::item::Field;
use crate::piece::is_name_char;
use crate::place::Place;
use crate::rust_type::{feature_of_parameter, head, integer_max, is_text};
use crate::secret_name::{Secret, Word, find_secret, is_number, words_of};
use crate::template::{Encoding, Placeholder, WordPlace};
use crate::warning::{Level, Lint, Warning};

// The fields of records are checked with the record: `record/secrets.rs`.
pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
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

/// The place from the first to the last of some words.
fn place(words: &[Word<'_>], run: Range<usize>) -> Option<Range<usize>> {
    let run = words.get(run)?;
    Some(run.first()?.range.start..run.last()?.range.end)
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
        let words = words_of(&placeholder.name, subject.name_range(placeholder)?.start);
        let (secret, run) = find_secret(&words, true)?;
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

/// The form of a value that the server can read. A record's fields have separate forms.
fn stored<'s>(subject: &Subject<'s>, given: Option<&'s GivenOption<StoredForm>>) -> Option<&'s StoredForm> {
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

/// The words of the template that say that the value is a secret, unless they describe a parameter.
fn in_template(subject: &Subject<'_>, form: &StoredForm, parameters: &[Parameter<'_>]) -> Option<Range<usize>> {
    let ty = subject.text_at(&form.range);
    let is_number = is_number(ty);
    // A flag or a small count does not have a code's digits.
    let is_code = integer_max(ty).is_some_and(|max| max > u8::MAX.into()) && !is_counter(subject);
    let (_, segments) = subject.template.segments.split_last()?;
    let mut segments = segments.iter().map(|segment| {
        let text = |word: &WordPlace| Word { text: subject.text_at(&word.range), range: word.range.clone() };
        segment.words.iter().filter(|word| word.literal).map(text).collect::<Vec<_>>()
    });
    while let Some(words) = segments.next() {
        let Some((secret, run)) = find_secret(&words, false) else { continue };
        let is_named_by = |parameter: &Parameter<'_>| parameter.secret == secret;
        // `otp:attempts` is no code, and `otp:code` is a code.
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
        find_secret(&words, false).and_then(|(_, run)| place(&words, run))
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
mod tests {
    use crate::check::tests::underlined;
    use crate::tests::applied::Editable as _;
    use crate::{Attribute, Field, Item, Lint, Policy, Shape, check};

    /// A struct with a field for each placeholder, of these types and attributes.
    fn item<'t>(attribute: &'t str, fields: &[(&str, &'t str, &'t str)]) -> Item<'t> {
        let field = |(name, ty, flag): &(&str, &'t str, &'t str)| {
            let attributes = Some(Attribute::Arguments(flag)).filter(|_| !flag.is_empty());
            Field { name: (*name).to_owned(), ty, phantom: false, attributes: attributes.into_iter().collect() }
        };
        let attributes = vec![Attribute::Arguments(attribute)];
        let fields = fields.iter().map(field).collect();
        Item { name: "Case".to_owned(), shape: Shape::Struct, documented: true, attributes, fields }
    }

    /// Asserts the underlined text and the help. Suggestions that are applied avoid the warning.
    #[track_caller]
    fn found<'t>(attribute: &'t str, fields: &[(&str, &'t str, &'t str)]) -> Vec<(&'t str, String)> {
        let item = item(attribute, fields);
        let checked = check(&item, &Policy::default());
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        let warnings = checked.warnings.into_iter().filter(|warning| warning.lint == Lint::PlainSecret);
        let warnings: Vec<_> = warnings.collect();
        for warning in warnings.iter().filter(|warning| !warning.edits.is_empty()) {
            let edited = check(&item.edited(&warning.edits), &Policy::default());
            let is_left = edited.warnings.iter().any(|left| left.message == warning.message);
            assert!(!is_left && edited.diagnostics.is_empty(), "{warning}\n{attribute}\n{edited:?}");
        }
        warnings.into_iter().map(|warning| (underlined(attribute, &warning.place), warning.suggestion)).collect()
    }

    /// Asserts what is underlined in a key with an integer as its parameter.
    #[track_caller]
    fn underlines(template: &str, value: &str, expected: Option<&str>) {
        let attribute = format!("{template}, {value}, ttl = 1h");
        let fields: &[_] = if template.contains("{id}") { &[("id", "u64", "")] } else { &[] };
        let found = found(&attribute, fields);
        assert_eq!(
            found.iter().map(|(place, _)| *place).collect::<Vec<_>>(),
            expected.into_iter().collect::<Vec<_>>(),
            "{attribute}"
        );
    }

    #[test]
    fn values_that_other_code_reads_stay_as_they_are() {
        let help = "store it under a key of its own with `Secret<…>`: what is stored under this one is read as it is";
        for legacy in ["legacy", "formerly"] {
            let attribute =
                format!("user:password:{{id}}:string, value = String, ttl = 1h, {legacy} = \"Password/{{id}}\"");
            assert_eq!(found(&attribute, &[("id", "u64", "")]), [("password", help.to_owned())]);
        }
    }

    #[test]
    fn words_of_the_template_say_that_the_value_is_a_secret() {
        for (name, word) in [
            ("password", "password"),
            ("passwd", "passwd"),
            ("secrets", "secrets"),
            ("reset.token", "token"),
            ("api.key", "api.key"),
            ("api.keys.old", "api.keys"),
            ("apikey", "apikey"),
            ("otp", "otp"),
            ("totp.code", "totp"),
            ("private.key", "private.key"),
            ("card.numbers", "card.numbers"),
            ("cardnumber", "cardnumber"),
        ] {
            underlines(&format!("user:{name}:{{id}}:string"), "value = String", Some(word));
            underlines(&format!("user:{{id}}:{name}:string"), "value = Json<P>", Some(word));
        }
        underlines("token:reset:{id}:string", "value = Own", Some("token"));
        underlines("user:reset.{id}.token:string", "value = String", Some("token"));
        // One warning is enough.
        underlines("token:password:{id}:string", "value = Token", Some("token"));
        for name in [
            "token.bucket",
            "tokens.count",
            "token.type",
            "password.hash",
            "secretary",
            "secretaries",
            "tokenizer",
            "key",
            "api",
            "api.id.key",
            "card",
            "session.id",
            "sid",
            "card.id",
        ] {
            underlines(&format!("user:{name}:{{id}}:string"), "value = String", None);
        }
    }

    #[test]
    fn numbers_are_no_secrets_but_codes() {
        for value in ["bool", "u64", "f64", "i32", "SystemTime"] {
            underlines("user:token:{id}:string", &format!("value = {value}"), None);
        }
        for name in ["otp", "totp", "otp.code", "otps", "card.number", "login:otp:code"] {
            let word = name.split(':').find(|word| *word != "login").map(|word| word.trim_end_matches(".code"));
            underlines(&format!("user:{name}:{{id}}:string"), "value = u32", word);
        }
        for name in ["otp.attempts", "otp:attempts", "otp:tries", "totp:used:code"] {
            underlines(&format!("user:{name}:{{id}}:string"), "value = u32", None);
        }
        underlines("otp:attempts:{id}:string", "value = u64", None);
        underlines("counter:otp:{id}:string", "value = u64", None);
        underlines("user:otp:{id}:string", "value = u8", None);
        underlines("user:otp:{id}:string", "value = bool", None);
        underlines("user:otp:{id}:bitmap", "max_bytes = 1KB", None);
        underlines("user:token:{id}:hyperloglog", "value = String", None);
    }

    #[test]
    fn the_name_of_a_stored_type_says_that_it_is_a_secret() {
        for (value, word) in [
            ("AccessToken", "Token"),
            ("Json<ApiKey>", "ApiKey"),
            ("Json<APIKeys>", "APIKeys"),
            ("Zstd<Json<Vec<OtpCode>>>", "Otp"),
            ("my::auth::Password", "Password"),
            ("SecretString", "Secret"),
        ] {
            underlines("user:data:{id}:string", &format!("value = {value}"), Some(word));
        }
        for value in ["TokenBucket", "Secretary", "token::Session", "Json<secret::Data>", "PasswordHash"] {
            underlines("user:data:{id}:string", &format!("value = {value}"), None);
        }
        underlines("user:data:{id}:hash", "field = ApiKey, value = u64", Some("ApiKey"));
        // A record's fields have forms of their own.
        underlines("user:token:{id}:hash", "value = Token", None);
        underlines("user:token:{id}:stream", "value = Token", None);
    }

    #[test]
    fn the_help_names_what_keeps_a_secret() {
        let helps = |template: &str, value: &str| {
            let attribute = format!("{template}, {value}, ttl = 30s");
            found(&attribute, &[("id", "u64", "")]).into_iter().map(|(_, help)| help).collect::<Vec<_>>()
        };
        assert_eq!(helps("user:token:{id}:string", "value = String"), ["write `Secret<String>`"]);
        assert_eq!(helps("user:token:{id}:string", "value = \"Zstd<Json<P>>\""), ["write `Secret<Zstd<Json<P>>>`"]);
        assert_eq!(helps("user:tokens:{id}:hash", "field = u64, value = String"), ["write `Secret<String>`"]);
        assert_eq!(
            helps("token:mails:{id}:zset", "value = Json<P>, jobs(lease = 5s, tries = 1)"),
            ["write `Secret<Json<P>>`"]
        );
        let digest = "store a digest of it, or each secret as the `value` of a key";
        for kind in ["set", "zset", "geo"] {
            assert_eq!(helps(&format!("user:tokens:{{id}}:{kind}"), "value = String"), [digest]);
        }
        assert_eq!(helps("user:data:{id}:hash", "field = Token, value = u64"), [digest]);
        for (kind, value) in [
            ("string", "value = Secret<Json<P>>"),
            ("string", "lock"),
            ("string", "value = String, allow(plain_secret, reason = \"of a test server\")"),
            ("zset", "value = Secret<Json<P>>, jobs(lease = 5s, tries = 1)"),
        ] {
            assert_eq!(helps(&format!("user:token:{{id}}:{kind}"), value), [""; 0], "{value}");
        }
        let attribute = "token:check:{id}:string, limit(5 / 1m)";
        assert_eq!(found(attribute, &[("id", "u64", "")]), []);
    }

    #[test]
    fn secrets_as_parameters_are_digested() {
        let helps = |name: &str, ty, flag| {
            let attribute: &str = format!("user:by:{{{name}}}:string, value = u64, ttl = 1h").leak();
            found(attribute, &[(name, ty, flag)])
        };
        let add = "add `#[redis_key(digest)]` to the field";
        for (name, word) in [
            ("token", "token"),
            ("session_id", "session_id"),
            ("sid", "sid"),
            ("otp", "otp"),
            ("password", "password"),
            ("api_key", "api_key"),
            ("client_secret", "secret"),
            ("resetToken", "Token"),
        ] {
            assert_eq!(helps(name, "String", ""), [(word, add.to_owned())]);
        }
        for ty in ["&'a str", "Cow<'a, str>"] {
            assert_eq!(helps("token", ty, ""), [("token", add.to_owned())], "{ty}");
        }
        let in_place = |other| vec![("token", format!("use `#[redis_key(digest)]` in place of `{other}`"))];
        assert_eq!(helps("token", "[u8; 16]", "base32"), in_place("base32"));
        assert_eq!(helps("token", "String", "slug = 60"), in_place("slug"));
        let uuid = "make the field `[u8; 16]`, the bytes of the UUID, with `#[redis_key(digest)]`";
        assert_eq!(helps("session_id", "uuid::Uuid", ""), [("session_id", uuid.to_owned())]);
        for (name, ty, flag) in [
            ("token", "String", "digest"),
            ("token", "u64", ""),
            ("session_id", "u128", ""),
            ("token", "Token", ""),
            ("token_type", "String", ""),
            ("token_id", "String", ""),
            ("session", "String", ""),
            ("id", "Uuid", ""),
        ] {
            assert_eq!(helps(name, ty, flag), [], "{name} {ty}");
        }
    }

    #[test]
    fn a_word_that_says_what_the_parameter_is_is_not_of_the_value() {
        let attribute = "session:by.token:{#token}:string, value = String, ttl = 1d";
        let [(word, _)] = found(attribute, &[("token", "String", "")]).try_into().unwrap_or_default();
        assert_eq!(word, "token");
        assert_eq!(found(attribute, &[("token", "String", "digest")]), []);
        let attribute = "session:password:{token}:string, value = String, ttl = 1d";
        let of_the_value = ("password", "write `Secret<String>`".to_owned());
        assert_eq!(found(attribute, &[("token", "String", "digest")]), [of_the_value]);
    }
}
