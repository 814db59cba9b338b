//! Options of other libraries, and their replacements here.

use super::raw_option::RawOption;
use super::{duration, is_template, lease, rate, stored_form};
use crate::Kind;
use crate::edit::Suggestion;
use crate::piece::Piece;

/// Other names for an option, or for something that is no option here.
pub(crate) struct ForeignOption {
    elsewhere: Elsewhere,
    /// The option that is meant; empty if no option is meant.
    meant: &'static str,
}

/// The names of an option in other libraries, and its replacement.
pub(super) type Elsewhere = (Replacement, &'static [&'static str]);

/// The meaning of another library's word.
#[derive(Clone, Copy)]
pub(crate) struct Translation {
    /// The option that is meant; empty if no option is meant.
    pub(super) option: &'static str,
    instead: &'static Replacement,
}

/// The replacement of a foreign option.
pub(super) enum Replacement {
    /// The option that is meant with the same value.
    SameValue,
    /// The same with the value in quotes.
    Quoted,
    /// The duration that the value is, with this unit where it has none.
    Duration(&'static str),
    /// `refresh`, with the share of the ttl that the value is.
    Refresh,
    /// The role `limit`, with the number and the period that the value is.
    Limit,
    /// The role that is meant.
    Role,
    /// The stored form that the value names.
    StoredForm,
    /// This option, as the text says, both with the value for `{value}` and the stored type for `{type}`.
    Example(&'static str, &'static str),
    /// No option here: the text says what to write elsewhere.
    Nothing(&'static str),
    /// Whatever the text says.
    Text(&'static str),
}
use Replacement::{Duration, Example, Limit, Nothing, Quoted, Refresh, Role, SameValue, StoredForm, Text};

const fn foreign(meant: &'static str, instead: Replacement, names: &'static [&'static str]) -> ForeignOption {
    ForeignOption { elsewhere: (instead, names), meant }
}

/// The names that the derives of other libraries use for the template.
pub(super) const TEMPLATE: &[&str] = &["key", "pattern", "template", "prefix", "name", "key_pattern"];

/// The name for the type of a key, or for the type that it stores.
const TYPE: &[&str] = &["type", "kind", "data_type"];

/// The name for the number of shards of a parameter.
const SHARDS: &[&str] = &["shards", "shard"];

/// The name for the parameter that is the hash tag.
const HASH_TAG: &[&str] = &["hash_tag", "hashtag", "tag", "slot"];

#[rustfmt::skip]
pub(super) const EXPIRY: &[&str] = &[
    "expire", "expires", "expiry", "expiration", "expire_in", "expires_in", "expire_after", "ex", "exp", "timeout",
    "lifetime", "max_age", "time_to_live", "ttl_secs", "ttl_seconds",
];

/// The name for the period of a limit.
pub(super) const PERIOD: &[&str] = &["per", "window", "period", "interval"];

/// The options that are a lease elsewhere, and the ttl of a lock here.
const LOCK_TTL: &[&str] = &["lock_ttl", "lock_timeout"];

pub(super) const WHILE_REVALIDATING: Replacement = Example(
    "refresh = 80%",
    "write `refresh = 80%`: from then on, one reader loads the value again while the others get the old one",
);

/// Options of other libraries that have no counterpart in a key's attribute.
#[rustfmt::skip]
pub(super) const OF_NO_KEY: &[ForeignOption] = &[
    foreign("", Nothing("remove it, and end the template with `:{value}`"), TYPE),
    foreign("", Nothing("remove it"), TEMPLATE),
    foreign("", Nothing("write `/// {value}` above the struct"), &["doc", "docs", "description", "comment"]),
    foreign("", Nothing("write `{field % {value}}` in the template"), SHARDS),
    foreign("", Nothing("remove it: `namespace::set` sets the namespace of a process"), &["namespace", "ns"]),
    foreign("", Nothing("remove it: scores are always `f64`"), &["score", "scores"]),
];

/// In the attribute of a record's field.
#[rustfmt::skip]
pub(crate) const OF_RECORD_FIELD: &[ForeignOption] = &[
    foreign("rename", Quoted, &["name", "field", "key", "column", "stored_name"]),
    foreign("rename", Example("rename = \"{value}\"", "write `rename = \"{value}\"` if it is stored under that name"), &["alias", "aliases"]),
    foreign("ttl", Duration("s"), EXPIRY),
    foreign("value", StoredForm, &["json", "serde", "codec", "format", "encoding", "msgpack", "form"]),
    foreign("value", Text("implement `Stored` for a type of your own, and name that in `value`"), &["with", "serialize_with", "deserialize_with", "from", "into", "try_from"]),
    foreign("value", Text("move the field out of the struct"), &["skip", "ignore", "skip_serializing", "skip_deserializing"]),
    foreign("value", Example("value = Json<{type}>", "write its fields here, or add `value = Json<{type}>`"), &["flatten", "nested"]),
    foreign("default", Nothing("remove it, and write `Option<{type}>` as the field's type"), &["skip_serializing_if", "optional", "nullable"]),
    foreign("", Example("rename = \"…\"", "write `rename = \"…\"` at the field"), &["rename_all"]),
];

/// In a record's attribute.
#[rustfmt::skip]
pub(crate) const OF_RECORD: &[ForeignOption] = &[
    foreign("", Nothing("write `#[redis_hash(rename = \"…\")]` at the fields that are stored under another name"), &["rename_all", "rename_all_fields"]),
    foreign("", Nothing("write `ttl = …` in the key's `#[redis_key(…)]`, or move it to a field"), &["ttl", "expire", "expiry", "expires", "ex"]),
    foreign("", Nothing("declare a key with `#[derive(RedisKey)]`, whose `value` is this record"), &["key", "prefix", "template"]),
    foreign("", Nothing("remove it: unknown fields are ignored"), &["deny_unknown_fields"]),
    foreign("", Nothing("move it to a field"), &["rename", "default", "value"]),
];

/// In the attribute of a parameter type.
#[rustfmt::skip]
pub(crate) const OF_SEGMENT: &[ForeignOption] = &[
    foreign("", Nothing("write `#[redis_key(rename = \"…\")]` at the variants whose text differs from their name"), &["rename_all"]),
    foreign("", Nothing("move it to a variant"), &["rename"]),
];

/// In a variant's attribute.
pub(crate) const OF_VARIANT: &[ForeignOption] =
    &[foreign("rename", Quoted, &["name", "as", "to", "text", "serialize", "value"])];

impl Translation {
    /// The meaning of a word in a table.
    pub(crate) fn find(table: &'static [ForeignOption], word: &str) -> Option<Self> {
        table.iter().find_map(|foreign| Self::of(foreign.meant, &foreign.elsewhere, word))
    }

    /// The meaning of a word that may be a name of an option elsewhere.
    pub(super) fn of(option: &'static str, (instead, names): &'static Elsewhere, word: &str) -> Option<Self> {
        names.contains(&word).then_some(Self { option, instead })
    }

    /// Returns the suggestion for an option. `stored` is the type that is stored, or empty if that is not known.
    pub(super) fn suggestion(
        &self,
        written: RawOption<'_>,
        stored: &str,
        example: impl Fn(&str) -> Option<&'static str>,
    ) -> Suggestion {
        let meant = self.option;
        let value = written.value.map_or("", |value| value.bare().text);
        let stored = if stored.is_empty() { "Profile" } else { stored };
        let option = match self.instead {
            SameValue => match (meant, value) {
                ("renew", "true" | "always" | "") => "renew = read".to_owned(),
                (_, "") => example(meant).unwrap_or(meant).to_owned(),
                // A text keeps its quotes.
                ("owner" | "reason" | "rebuild", _) => {
                    format!("{meant} = {}", written.value.map_or("", |value| value.text))
                }
                _ => format!("{meant} = {value}"),
            },
            Quoted => format!("{meant} = \"{}\"", or_ellipsis(value)),
            Duration(unit) => duration(meant, value, unit, example(meant)),
            Refresh => return lease::suggested_refresh("refresh = ", value, None).at(written.whole.range()),
            Limit => format!("limit({})", rate::suggested_rate_of(value)),
            Role if !value.is_empty() && meant != "lock" => format!("{meant}({value})"),
            Role => example(meant).unwrap_or(meant).to_owned(),
            StoredForm => {
                let Some(form) = encoded(value, written.name.text, stored) else {
                    let help = Suggestion::remove_listed().at(written.whole.range());
                    return help.and(&format!(": `{stored}` is a stored form"));
                };
                format!("value = {form}")
            }
            Example(option, text) => {
                let [option, text] = [option, text].map(|text| fill(text, value, stored));
                return Suggestion::write(option).saying(text).at(written.whole.range());
            }
            Nothing(text) => {
                return Suggestion::remove_listed().saying(fill(text, value, stored)).at(written.whole.range());
            }
            Text(text) => return fill(text, value, stored).into(),
        };
        Suggestion::write(option).at(written.whole.range())
    }
}

/// A text with the value and the stored type.
fn fill(text: &str, value: &str, stored: &str) -> String {
    text.replace("{value}", or_ellipsis(value)).replace("{type}", stored)
}

fn or_ellipsis(value: &str) -> &str {
    if value.is_empty() { "…" } else { value }
}

/// The stored type in the form that the value or else the option itself names. `None` if the type does not change.
fn encoded(value: &str, option: &str, stored: &str) -> Option<String> {
    let form = stored_form::form_named(value).or_else(|| stored_form::form_named(option)).unwrap_or(match option {
        "compress" | "compression" | "compressed" | "compressor" => "Zstd",
        "encrypt" | "encrypted" | "encryption" => stored_form::SECRET,
        _ => "Json",
    });
    if value == "false" { None } else { stored_form::wrapped(form, stored) }
}

/// The option with the duration that is meant: a number without a unit gets the unit of the other library.
fn duration(meant: &str, value: &str, unit: &str, example: Option<&str>) -> String {
    let number = value.replace('_', "").parse::<u64>().ok().filter(|number| *number > 0);
    let duration = match number {
        Some(number) => Some(format!("{number}{unit}")),
        None if value.is_empty() => None,
        None => match duration::parse_duration(value) {
            Ok(duration) => Some(redis_keys_core::duration::render(duration)),
            Err(error) => error.suggestion,
        },
    };
    match (duration, example) {
        (None, Some(example)) => example.to_owned(),
        (duration, _) => format!("{meant} = {}", duration.as_deref().unwrap_or("1h")),
    }
}

/// The option for the length that `maxlen` gives a stream, which `XADD` trims.
pub(super) fn suggested_length(written: RawOption<'_>, template: Option<Piece<'_>>) -> Option<(&'static str, String)> {
    let value = written.bare_value().filter(|_| matches!(written.name.text, "maxlen" | "max_length"))?;
    let is_stream = template.is_some_and(|template| template.bare().text.ends_with(":stream"));
    is_stream.then(|| ("keep_last", format!("keep_last = {}", value.text)))
}

/// The option for the stored type that an option such as `type = String` names, or `key = String` at a hash, with the
/// text to write instead. `None` where it names no stored type.
pub(super) fn suggested_type(written: RawOption<'_>, template: Option<Piece<'_>>) -> Option<(&'static str, String)> {
    let value = written.bare_value()?;
    let is_hash = || template.is_some_and(|template| template.bare().text.ends_with(":hash"));
    let meant = match written.name.text {
        name if TYPE.contains(&name) && Kind::from_name(value.text).is_none() => "value",
        "key" if is_hash() && !is_template(value) => "field",
        _ => return None,
    };
    Some((meant, format!("{meant} = {}", value.text)))
}

/// The placeholder of the template that an option such as `shards = 10` is about, with that many shards.
pub(super) fn suggested_shards(written: RawOption<'_>, template: Option<Piece<'_>>) -> Option<Suggestion> {
    let number = written.bare_value().filter(|_| SHARDS.contains(&written.name.text))?;
    let template = template?.bare();
    let open = template.text.find('{')? + 1;
    let inner = template.from(open).to(template.from(open).text.find('}')?).trim();
    let shard = format!("{} % {}", inner.text, number.text);
    let help = Suggestion::remove_listed().saying(format!("write `{{{shard}}}` in the template"));
    Some(help.at(written.whole.range()).with(inner.range(), shard))
}

/// The placeholder of the template that an option such as `hash_tag = id` names, as the hash tag.
pub(super) fn suggested_tag(written: RawOption<'_>, template: Option<Piece<'_>>) -> Option<Suggestion> {
    let name = written.bare_value().filter(|_| HASH_TAG.contains(&written.name.text))?;
    let template = template?.bare();
    let plain = format!("{{{}}}", name.text);
    let at = template.text.find(&plain)?;
    let tag = format!("{{#{}}}", name.text);
    let help = Suggestion::remove_listed().saying(format!("write `{tag}` in the template"));
    Some(help.at(written.whole.range()).with(template.part(at..at + plain.len()).range(), tag))
}

/// The type of the key that an option such as `type = hash` names.
pub(super) fn named_kind(written: RawOption<'_>) -> Option<Kind> {
    let is_type = TYPE.contains(&written.name.text);
    is_type.then(|| written.bare_value()).flatten().and_then(|value| Kind::from_name(value.text))
}

/// The option for the period of a limit, or for the ttl of a lock, with the text to write instead. `limit` is how much
/// the limit allows, if it is given, and `stored` the stored type.
pub(super) fn suggested_role(written: RawOption<'_>, limit: &str, stored: &str) -> Option<(&'static str, String)> {
    let value = written.bare_value().map_or("", |value| value.text);
    match written.name.text {
        name if PERIOD.contains(&name) => Some(("limit", format!("limit({})", rate::suggested_rate(limit, value)))),
        name if LOCK_TTL.contains(&name) && stored == "Lock" => {
            Some(("ttl", duration("ttl", value, "s", Some("ttl = 30s"))))
        }
        _ => None,
    }
}
