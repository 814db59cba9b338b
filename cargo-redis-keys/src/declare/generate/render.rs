//! The text of a key with given arguments, as the derive writes it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use redis_keys_core::encoding;
use redis_keys_core::limits::{MAX_LEGACY_KEY_BYTES, is_word_byte};
use redis_keys_core::schema::ParameterForm;
use redis_keys_core::{Integer, ValueSet};
use serde::Serialize;

use super::builder::Builder;
use super::value::{Value, hex};
use crate::declare::catalog::{Argument, KeyText, Parameter, Part, WrittenBy};

/// The reason why arguments have no key. Its names are part of the vectors' form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reason {
    /// The value has another type.
    Type,
    /// A number, or a number of bytes, is out of range.
    Range,
    /// The parameter is empty.
    Empty,
    /// A byte cannot be in a key.
    Byte,
    /// A `.` is not between two words.
    StrayDot,
    /// A `.` is in a word beside others.
    DotInWord,
    /// The text is not a slug.
    Slug,
    /// The slug has too many bytes.
    SlugBytes,
    /// It is none of the names.
    Name,
    /// There is no such date.
    Calendar,
    /// It is not an address.
    Address,
    /// The value contains the text that ends it.
    Ends,
    /// The value contains `:`.
    Colon,
    /// The key is too long.
    TooLong,
}

/// A refusal to build a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    #[serde(rename = "refused")]
    pub(crate) reason: Reason,
    /// The name of the parameter, or `None` if the whole key is too long.
    pub(crate) parameter: Option<String>,
}

/// Writes the text of a key. The first problem counts, in the order of the text; the length is the last.
pub(crate) fn render(builder: &Builder<'_>, text: &KeyText, values: &[Value]) -> Result<String, Refusal> {
    let mut key = String::new();
    let rendered = |index: usize, render: &dyn Fn(&Parameter, &Value) -> Result<String, Reason>| {
        let parameter = builder.key.parameters.get(index);
        let value = builder.field_of(index).and_then(|field| values.get(field));
        let rendered = parameter.zip(value).ok_or(Reason::Type).and_then(|(parameter, value)| render(parameter, value));
        rendered.map_err(|reason| Refusal { reason, parameter: parameter.map(|parameter| parameter.name.clone()) })
    };
    for part in &text.parts {
        let text = match part {
            Part::Literal { literal } => Ok(literal.clone()),
            Part::Parameter { parameter, whole } => {
                rendered(*parameter, &|parameter, value| encoded(parameter, value, *whole))
            }
            Part::Formatted { parameter, by, zeros, ends } => {
                rendered(*parameter, &|parameter, value| formatted(parameter, value, *by, *zeros, ends))
            }
        };
        key.push_str(&text?);
    }
    let limit = if builder.is_legacy(text) { MAX_LEGACY_KEY_BYTES } else { builder.key.max_key_bytes };
    if key.len() > limit {
        return Err(Refusal { reason: Reason::TooLong, parameter: None });
    }
    Ok(key)
}

/// The text of a parameter in a template.
fn encoded(parameter: &Parameter, value: &Value, whole: bool) -> Result<String, Reason> {
    let argument = parameter.facts.argument.as_ref().ok_or(Reason::Type)?;
    match parameter.form {
        ParameterForm::Shard(shards) => shard(argument, value, shards),
        ParameterForm::Digest => Ok(hex(&encoding::digest(bytes(argument, value)?))),
        ParameterForm::Base32 => {
            let mut letters = String::new();
            encoding::write_base32(bytes(argument, value)?, |more| letters.push_str(more));
            if letters.is_empty() { Err(Reason::Empty) } else { Ok(letters) }
        }
        ParameterForm::Slug(most) => slug(value, most),
        _ => plain(argument, value, whole),
    }
}

/// The text of a parameter without an encoding.
fn plain(argument: &Argument, value: &Value, whole: bool) -> Result<String, Reason> {
    match argument {
        Argument::Integer(integer) => unsigned(*integer, value).map(|number| number.to_string()),
        Argument::Bool => bool_text(value),
        Argument::Text => words(value, whole),
        Argument::Names { variants, .. } => match value {
            Value::Text(text) if variants.iter().any(|variant| variant.text == *text) => Ok(text.clone()),
            _ => Err(Reason::Name),
        },
        Argument::Uuid => uuid(value).map(|number| format!("{number:032x}")),
        Argument::Ipv4 | Argument::Ipv6 | Argument::Ip => Ok(match address(argument, value)? {
            IpAddr::V4(address) => hex(&address.octets()),
            IpAddr::V6(address) => hex(&address.octets()),
        }),
        Argument::Bytes { .. } => Err(Reason::Type),
        _ => calendar(argument, value),
    }
}

/// The text of a parameter in a legacy text.
fn formatted(parameter: &Parameter, value: &Value, by: WrittenBy, zeros: u8, ends: &str) -> Result<String, Reason> {
    let text = match parameter.facts.argument.as_ref().ok_or(Reason::Type)? {
        Argument::Integer(integer) => formatted_integer(*integer, value, by, zeros.into())?,
        Argument::Bool => bool_text(value)?,
        Argument::Text => match value {
            Value::Text(text) => text.clone(),
            _ => return Err(Reason::Type),
        },
        Argument::Uuid => hyphenated(uuid(value)?),
        argument @ (Argument::Ipv4 | Argument::Ipv6 | Argument::Ip) => address(argument, value)?.to_string(),
        argument @ Argument::Date => dashed(&calendar(argument, value)?),
        Argument::Bytes { .. } | Argument::Names { .. } => return Err(Reason::Type),
        argument => calendar(argument, value)?,
    };
    if parameter.no_colon && text.contains(':') {
        return Err(Reason::Colon);
    }
    // The end also counts where it begins in the value.
    if !ends.is_empty() && format!("{text}{ends}").find(ends).is_some_and(|at| at < text.len()) {
        return Err(Reason::Ends);
    }
    Ok(text)
}

fn formatted_integer(integer: Integer, value: &Value, by: WrittenBy, zeros: usize) -> Result<String, Reason> {
    let (is_negative, number) = signed(integer, value)?;
    if matches!(by, WrittenBy::Display | WrittenBy::Debug) {
        let sign = if is_negative { "-" } else { "" };
        let digits = zeros.saturating_sub(sign.len());
        return Ok(format!("{sign}{number:0digits$}"));
    }
    // A negative number is in two's complement.
    let bits = if is_negative { number.wrapping_neg() } else { number };
    let bits = bits & (u128::MAX >> (128 - integer.bits.clamp(1, 128)));
    Ok(if by == WrittenBy::UpperHex { format!("{bits:0zeros$X}") } else { format!("{bits:0zeros$x}") })
}

/// A number of a template, which has no sign.
fn unsigned(integer: Integer, value: &Value) -> Result<u128, Reason> {
    match signed(integer, value)? {
        (false, number) => Ok(number),
        (true, _) => Err(Reason::Range),
    }
}

/// Whether a number of this type is negative, and its absolute value.
fn signed(integer: Integer, value: &Value) -> Result<(bool, u128), Reason> {
    let Value::Text(text) = value else { return Err(Reason::Type) };
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Reason::Type);
    }
    let number: u128 = digits.parse().map_err(|_| Reason::Range)?;
    let is_negative = digits.len() < text.len() && number > 0;
    let is_in_range = if is_negative {
        integer.from < 0 && number <= integer.from.unsigned_abs()
    } else {
        number <= integer.to && (number > 0 || !integer.non_zero)
    };
    if is_in_range { Ok((is_negative, number)) } else { Err(Reason::Range) }
}

fn shard(argument: &Argument, value: &Value, shards: u32) -> Result<String, Reason> {
    let number = match argument {
        Argument::Integer(integer) => unsigned(*integer, value)?,
        Argument::Uuid => uuid(value)?,
        _ => return Err(Reason::Type),
    };
    number.checked_rem(shards.into()).map(|shard| shard.to_string()).ok_or(Reason::Range)
}

fn bool_text(value: &Value) -> Result<String, Reason> {
    if let Value::Bool(is) = value { Ok(is.to_string()) } else { Err(Reason::Type) }
}

/// The bytes of a value that is encoded.
fn bytes<'v>(argument: &Argument, value: &'v Value) -> Result<&'v [u8], Reason> {
    match (argument, value) {
        (Argument::Bytes { length: Some(length) }, Value::Bytes(bytes)) if bytes.len() as u64 != *length => {
            Err(Reason::Range)
        }
        (Argument::Bytes { .. }, Value::Bytes(_)) | (Argument::Text, Value::Text(_)) => {
            value.as_bytes().ok_or(Reason::Type)
        }
        _ => Err(Reason::Type),
    }
}

/// Text as words: of a whole segment, or one word beside others.
fn words(value: &Value, whole: bool) -> Result<String, Reason> {
    let Value::Text(text) = value else { return Err(Reason::Type) };
    if text.is_empty() {
        return Err(Reason::Empty);
    }
    let mut after_dot = true;
    for byte in text.bytes() {
        match byte {
            b'.' if !whole => return Err(Reason::DotInWord),
            b'.' if after_dot => return Err(Reason::StrayDot),
            b'.' => after_dot = true,
            byte if is_word_byte(byte) => after_dot = false,
            _ => return Err(Reason::Byte),
        }
    }
    if after_dot { Err(Reason::StrayDot) } else { Ok(text.clone()) }
}

fn slug(value: &Value, most: Option<u32>) -> Result<String, Reason> {
    let Value::Text(text) = value else { return Err(Reason::Type) };
    if most.is_some_and(|most| text.len() > usize::try_from(most).unwrap_or(usize::MAX)) {
        return Err(Reason::SlugBytes);
    }
    if text.is_empty() {
        return Err(Reason::Empty);
    }
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(is_word_byte);
    if text.split('-').all(is_word) { Ok(text.replace('-', ".")) } else { Err(Reason::Slug) }
}

/// The number of a UUID in its usual text, in either case.
fn uuid(value: &Value) -> Result<u128, Reason> {
    let Value::Text(text) = value else { return Err(Reason::Type) };
    let groups: Vec<&str> = text.split('-').collect();
    let is_uuid = groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let number = u128::from_str_radix(&groups.concat(), 16).ok().filter(|_| is_uuid);
    number.ok_or(Reason::Type)
}

/// The usual text of a UUID.
pub(super) fn hyphenated(number: u128) -> String {
    let digits = format!("{number:032x}");
    let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|place| digits.get(place).unwrap_or_default());
    groups.join("-")
}

fn address(argument: &Argument, value: &Value) -> Result<IpAddr, Reason> {
    let Value::Text(text) = value else { return Err(Reason::Type) };
    let address = match argument {
        Argument::Ipv4 => text.parse::<Ipv4Addr>().map(IpAddr::V4),
        Argument::Ipv6 => text.parse::<Ipv6Addr>().map(IpAddr::V6),
        _ => text.parse(),
    };
    address.map_err(|_| Reason::Address)
}

/// The digits of a year, month, week, day or hour.
pub(super) fn calendar(argument: &Argument, value: &Value) -> Result<String, Reason> {
    let Value::Calendar(numbers) = value else { return Err(Reason::Type) };
    let set = argument.values_of_type().ok_or(Reason::Type)?;
    // A negative number has no digits.
    let text = match (argument, numbers.as_slice()) {
        (Argument::Year, [year]) => format!("{year:04}"),
        (Argument::Month, [year, month]) => format!("{year:04}{month:02}"),
        (Argument::Week, [year, week]) => format!("{year:04}w{week:02}"),
        (Argument::Day | Argument::Date, [year, month, day]) => format!("{year:04}{month:02}{day:02}"),
        (Argument::Hour, [year, month, day, hour]) => format!("{year:04}{month:02}{day:02}{hour:02}"),
        _ => return Err(Reason::Type),
    };
    let is_calendar = set.contains(text.as_bytes()) && !matches!(set, ValueSet::Any);
    if is_calendar && exists(argument, numbers) { Ok(text) } else { Err(Reason::Calendar) }
}

/// Whether no number is so large that its digits belong to its neighbour.
fn exists(argument: &Argument, numbers: &[i64]) -> bool {
    let most: &[i64] = if *argument == Argument::Week { &[9999, 53] } else { &[9999, 12, 31, 23] };
    numbers.iter().zip(most).all(|(number, most)| (0..=*most).contains(number))
}

/// A date with hyphens.
fn dashed(digits: &str) -> String {
    let parts = [0..4, 4..6, 6..8].map(|place| digits.get(place).unwrap_or_default());
    parts.join("-")
}
