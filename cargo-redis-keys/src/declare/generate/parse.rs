//! The arguments of a key, as the derive parses it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use redis_keys_core::encoding::read_base32;
use redis_keys_core::legacy::LegacyText;
use redis_keys_core::schema::ParameterForm;

use super::builder::{Builder, Field};
use super::render::{hyphenated, render};
use super::value::Value;
use crate::declare::catalog::Argument;

/// Reads the arguments of a key by its text in use. The text is divided, each part becomes an argument, and the key is
/// built again, which has to give the same text.
pub(crate) fn parse(builder: &Builder<'_>, key: &str) -> Option<Vec<Value>> {
    if !builder.text.parses {
        return None;
    }
    let is_legacy = builder.key.legacy.is_some();
    let (literals, places) = builder.places();
    let fields = vec![""; literals.len() - 1];
    let texts = LegacyText { literals, fields }.divide(key, builder.text.open)?;
    let values = places.into_iter().zip(&builder.fields).map(|(place, field)| {
        let (index, form) = place?;
        let text = texts.get(index)?;
        if is_legacy { formatted(field.argument, text) } else { encoded(field, form, text) }
    });
    let values: Vec<Value> = values.collect::<Option<_>>()?;
    (render(builder, builder.text, &values).as_deref() == Ok(key)).then_some(values)
}

/// The value of a text in a template.
fn encoded(field: &Field<'_>, form: ParameterForm, text: &str) -> Option<Value> {
    match form {
        ParameterForm::Base32 => {
            let mut buffer = vec![0; text.len()];
            let bytes = read_base32(text, &mut buffer)?.to_vec();
            match field.argument {
                Argument::Text => String::from_utf8(bytes).ok().map(Value::Text),
                _ => Some(Value::Bytes(bytes)),
            }
        }
        ParameterForm::Slug(_) => Some(Value::Text(text.replace('.', "-"))),
        _ => plain(field.argument, text),
    }
}

/// The value of a text in a template without an encoding.
fn plain(argument: &Argument, text: &str) -> Option<Value> {
    let is_hex = |digits| text.len() == digits;
    match argument {
        Argument::Uuid => u128::from_str_radix(text, 16).ok().map(hyphenated).map(Value::Text),
        Argument::Ipv4 | Argument::Ip if is_hex(8) => {
            u32::from_str_radix(text, 16).ok().map(|bits| Value::text(Ipv4Addr::from_bits(bits)))
        }
        Argument::Ipv6 | Argument::Ip if is_hex(32) => {
            u128::from_str_radix(text, 16).ok().map(|bits| Value::text(Ipv6Addr::from_bits(bits)))
        }
        Argument::Ipv4 | Argument::Ipv6 | Argument::Ip => None,
        other => common(other, text),
    }
}

/// The value of a text in a legacy text.
fn formatted(argument: &Argument, text: &str) -> Option<Value> {
    match argument {
        Argument::Integer(_) => {
            // Zeros that fill up the number, and its sign.
            let unsigned = text.parse::<u128>().map(Value::text);
            unsigned.or_else(|_| text.parse::<i128>().map(Value::text)).ok()
        }
        Argument::Ipv4 | Argument::Ipv6 | Argument::Ip => text.parse::<IpAddr>().ok().map(Value::text),
        Argument::Date => common(argument, &text.replace('-', "")),
        other => common(other, text),
    }
}

/// The value of a text that is the same in templates and legacy texts.
fn common(argument: &Argument, text: &str) -> Option<Value> {
    let part = |place: std::ops::Range<usize>| text.get(place)?.parse::<i64>().ok();
    let calendar = |parts: &[Option<i64>]| parts.iter().copied().collect::<Option<Vec<_>>>().map(Value::Calendar);
    match argument {
        Argument::Bool => text.parse().ok().map(Value::Bool),
        Argument::Year => calendar(&[part(0..4)]),
        Argument::Month => calendar(&[part(0..4), part(4..6)]),
        Argument::Week => calendar(&[part(0..4), part(5..7)]),
        Argument::Day | Argument::Date => calendar(&[part(0..4), part(4..6), part(6..8)]),
        Argument::Hour => calendar(&[part(0..4), part(4..6), part(6..8), part(8..10)]),
        _ => Some(Value::Text(text.to_owned())),
    }
}
