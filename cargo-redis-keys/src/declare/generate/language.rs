//! The code of generated keys that differs only by its signs and names between languages.

use redis_keys_core::schema::ParameterForm;
use redis_keys_schema::Kind;

use super::builder::{Builder, Field};
use super::checks;
use super::constants::grouped;
use super::expiry::bucket_field;
use super::layout::{Call, Expression};
use crate::declare::catalog::{Argument, Integer, KeyText, Parameter, Part, WrittenBy};

/// The signs and names of a language.
pub(super) trait Language {
    /// The end of a large number.
    const LARGE: &'static str;
    const YES: &'static str;
    /// The function that makes a text of a value.
    const TEXT: &'static str;
    /// The method that makes letters upper-case.
    const UPPER: &'static str;
    /// The function that writes a UUID of hexadecimal digits with its hyphens.
    const HYPHENATED: &'static str;
    /// The object that has the arguments of a key.
    const ARGUMENTS: &'static str;

    /// A text as a literal with all signs visible.
    fn quoted(text: &str) -> String;

    /// A name in the style of functions.
    fn name(name: &str) -> String;

    /// The name of an argument.
    fn field(name: &str) -> String {
        Self::name(name)
    }

    /// The texts that a parameter of this type can have.
    fn texts(type_name: &str) -> String;

    /// The text of a number with zeros before it.
    fn padded(digits: &str, zeros: u8) -> String;

    /// The text of the shard of a number or a UUID that a check returns.
    fn shard(checked: &str, argument: &Argument, shards: u32) -> String;

    /// The text in a template of an argument that a check returns.
    fn in_template(checked: String, _: &Argument) -> String {
        checked
    }

    /// The name of a check.
    fn check(name: &str) -> String {
        format!("_{}", Self::name(name))
    }

    /// The checks from which a file starts: these, and what makes the calendar buckets that it mentions.
    fn used_checks(library: &str, break_between: &str, body: &str, roots: &[&str]) -> String {
        let is_mentioned = |names: &[&str]| !checks::mentioned(names, body).is_empty();
        let [hour_of, week_of] = ["hour_of", "week_of"].map(Self::name);
        let mut roots = roots.to_vec();
        roots.extend(is_mentioned(&["Year", "Month", "Day", "Hour"]).then_some(hour_of.as_str()));
        roots.extend(is_mentioned(&["Week"]).then_some(week_of.as_str()));
        checks::used(library, break_between, body, &roots)
    }

    /// The call that builds the text of a key.
    fn built(builder: &Builder<'_>, text: &KeyText) -> Call {
        let parts = text.parts.iter().map(|part| match part {
            Part::Literal { literal } => Self::quoted(literal),
            Part::Parameter { parameter, whole } => {
                let parameter = builder.key.parameters.get(*parameter);
                parameter.map_or_else(String::new, |parameter| Self::encoded(parameter, *whole))
            }
            Part::Formatted { parameter, by, zeros, ends } => {
                let parameter = builder.key.parameters.get(*parameter);
                parameter.map_or_else(String::new, |parameter| Self::formatted(parameter, *by, *zeros, ends))
            }
        });
        let parts = Expression::list(parts.collect());
        if builder.is_legacy(text) {
            Call { name: Self::check("built_legacy"), arguments: vec![parts] }
        } else {
            let longest = Expression::code(builder.key.max_key_bytes.to_string());
            Call { name: Self::check("built"), arguments: vec![parts, longest] }
        }
    }

    /// The name of a parameter as an argument of checks, and its value.
    fn named(parameter: &Parameter) -> String {
        format!("{}, {}.{}", Self::quoted(&parameter.name), Self::ARGUMENTS, Self::field(&parameter.name))
    }

    /// The code for the text of a parameter in a template.
    fn encoded(parameter: &Parameter, whole: bool) -> String {
        let Some(argument) = &parameter.facts.argument else { return String::new() };
        let named = Self::named(parameter);
        match (parameter.form, argument) {
            (ParameterForm::Shard(shards), _) => Self::shard(&Self::checked(&named, argument, false), argument, shards),
            (ParameterForm::Digest, _) => format!("_digest({})", bytes(&named, argument)),
            (ParameterForm::Base32, _) => {
                format!("_base32({}, {})", Self::quoted(&parameter.name), bytes(&named, argument))
            }
            (ParameterForm::Slug(None), _) => format!("_slug({named})"),
            (ParameterForm::Slug(Some(longest)), _) => format!("_slug({named}, {longest})"),
            (_, Argument::Integer(_)) => format!("{}({})", Self::TEXT, Self::checked(&named, argument, false)),
            (_, Argument::Text) => format!("{}({named})", if whole { "_segment" } else { "_word" }),
            (_, Argument::Names { type_name, .. }) => format!("_names({named}, {})", Self::texts(type_name)),
            _ => Self::in_template(Self::checked(&named, argument, false), argument),
        }
    }

    /// The code for the text of a parameter in a legacy text.
    fn formatted(parameter: &Parameter, by: WrittenBy, zeros: u8, ends: &str) -> String {
        let Some(argument) = &parameter.facts.argument else { return String::new() };
        let named = Self::named(parameter);
        let checked = Self::checked(&named, argument, true);
        let text = match argument {
            Argument::Integer(Integer { bits, .. }) => {
                let digits = match by {
                    WrittenBy::Display | WrittenBy::Debug => format!("{}({checked})", Self::TEXT),
                    WrittenBy::LowerHex => format!("_hex({checked}, {bits})"),
                    WrittenBy::UpperHex => format!("_hex({checked}, {bits}).{}()", Self::UPPER),
                };
                if zeros > 0 { Self::padded(&digits, zeros) } else { digits }
            }
            Argument::Text => format!("_text({named})"),
            Argument::Uuid => format!("{}({checked})", Self::HYPHENATED),
            Argument::Ipv4 | Argument::Ipv6 | Argument::Ip => format!("_address({checked})"),
            Argument::Date => format!("_dashed({checked})"),
            _ => checked,
        };
        if ends.is_empty() && !parameter.no_colon {
            return text;
        }
        let no_colon = if parameter.no_colon { format!(", {}", Self::YES) } else { String::new() };
        format!("_part({}, {text}, {}{no_colon})", Self::quoted(&parameter.name), Self::quoted(ends))
    }

    /// The call that checks an argument. `named` is its name and its value.
    fn checked(named: &str, argument: &Argument, is_signed: bool) -> String {
        let check = match argument {
            Argument::Integer(integer) => return Self::integer(named, *integer, is_signed),
            Argument::Bool => "_bool",
            Argument::Uuid => "_uuid",
            Argument::Ipv4 => "_ipv4",
            Argument::Ipv6 => "_ipv6",
            Argument::Ip => "_ip",
            Argument::Day | Argument::Date => "_day",
            other => return format!("_{}({named})", unit(other).unwrap_or("string")),
        };
        format!("{check}({named})")
    }

    /// The call that checks a number.
    fn integer(named: &str, integer: Integer, is_signed: bool) -> String {
        let from = if is_signed { integer.from.to_string() } else { integer.from_in_template().to_string() };
        let (to, large) = (integer.to, Self::LARGE);
        // A smallest number of 1 says it already.
        let is_said = !(is_signed && integer.signed && integer.non_zero);
        let non_zero = if is_said { String::new() } else { format!(", {}", Self::YES) };
        format!("_integer({named}, {from}{large}, {to}{large}{non_zero})")
    }

    /// The code for the calendar bucket, or another value that is its text, of a key that is parsed.
    fn read_text(argument: &Argument, text: &str) -> String {
        match unit(argument) {
            Some(unit) => format!("{}({text})", Self::check(&format!("to_{unit}"))),
            None => text.to_owned(),
        }
    }

    /// The call that draws the milliseconds of a write, and whether it depends on the key's arguments. `None` if a key
    /// has no expiry, or if only scripts write it.
    fn expiry(builder: &Builder<'_>) -> Option<(Call, bool)> {
        let key = builder.key;
        let ttl = key.ttl_ms().filter(|_| key.role.is_none() && key.kind != Kind::Channel)?;
        let (ttl, jitter) = (grouped(ttl), grouped(key.jitter_ms()));
        let field = bucket_field(builder).and_then(|index| builder.fields.get(index));
        let (name, arguments) = match field {
            None => ("drawn", vec![ttl, jitter]),
            Some(Field { name, argument, .. }) => {
                let end = Self::check(&format!("end_of_{}", unit(argument).unwrap_or("day")));
                let end = format!("{end}({}.{})", Self::ARGUMENTS, Self::field(name));
                let longest = if matches!(argument, Argument::Hour) { "3_600_000" } else { "86_400_000" };
                ("drawn_from", vec![end, longest.to_owned(), Self::name("now_ms"), ttl, jitter])
            }
        };
        let arguments = arguments.into_iter().map(Expression::Code).collect();
        Some((Call { name: Self::check(name), arguments }, field.is_some()))
    }
}

/// The code for the bytes of a parameter that is encoded. `named` is its name and its value.
fn bytes(named: &str, argument: &Argument) -> String {
    match argument {
        Argument::Bytes { length: Some(length) } => format!("_bytes({named}, {length})"),
        Argument::Bytes { length: None } => format!("_bytes({named})"),
        _ => format!("_utf8({named})"),
    }
}

/// The unit of a calendar bucket.
fn unit(argument: &Argument) -> Option<&'static str> {
    match argument {
        Argument::Year => Some("year"),
        Argument::Month => Some("month"),
        Argument::Week => Some("week"),
        Argument::Day | Argument::Date => Some("day"),
        Argument::Hour => Some("hour"),
        _ => None,
    }
}
