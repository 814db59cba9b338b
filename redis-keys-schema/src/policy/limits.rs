//! `[limits]`: less than what the rules allow.

use std::time::Duration;

use super::PolicyLimits;
use super::fault::PolicyFault;
use super::read::{table, text, unknown};
use super::table::{Name, Node, Value};
use crate::attribute::{DurationError, parse_bytes, parse_duration, render_bytes};
use crate::limits::{LONGEST_TTL, MAX_KEY_BYTES, MAX_MAX_BYTES, MAX_MAX_LEN};

pub(super) const NAMES: [&str; 5] = ["max_bytes", "max_len", "max_member_bytes", "max_key_bytes", "longest_ttl"];

pub(super) fn read(name: &Name, node: &Node, limits: &mut PolicyLimits, faults: &mut Vec<PolicyFault>) {
    let Some(table) = table(name, node, "[limits]", faults) else { return };
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "max_bytes" => limits.max_bytes = bytes(name, node, faults),
            "max_member_bytes" => limits.max_member_bytes = bytes(name, node, faults),
            "max_len" => limits.max_len = count(name, node, MAX_MAX_LEN, "elements", faults),
            "max_key_bytes" => {
                let most = u64::try_from(MAX_KEY_BYTES).unwrap_or(u64::MAX);
                let bytes = count(name, node, most, "bytes", faults);
                limits.max_key_bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
            }
            "longest_ttl" => limits.longest_ttl = longest(name, node, faults),
            _ => faults.push(unknown(name, "`[limits]`", &NAMES)),
        }
    }
}

/// `"4KB"`, or a number of bytes.
fn bytes(name: &Name, node: &Node, faults: &mut Vec<PolicyFault>) -> Option<u64> {
    let number;
    let written = if let Value::Whole(bytes) = node.value {
        number = bytes.to_string();
        number.as_str()
    } else {
        text(node, &format!("`{}`", name.text), &format!("{} = \"4KB\"", name.text), faults)?
    };
    match parse_bytes(written) {
        Ok(bytes) if bytes <= MAX_MAX_BYTES => return Some(bytes),
        Ok(bytes) => {
            let message = format!("{} is more than the rules allow: a policy only allows less", render_bytes(bytes));
            faults.push(PolicyFault::at(node.range.clone(), message).help("write `\"1MB\"` or less"));
        }
        Err(fault) => {
            let help = fault.suggestion.map_or_else(
                || "sizes are whole numbers of `B`, `KB` or `MB`, as in `\"4KB\"`".to_owned(),
                |instead| format!("write `\"{instead}\"`{}", if fault.exceeds_limit { " or less" } else { "" }),
            );
            faults.push(PolicyFault::at(node.range.clone(), fault.message).help(help));
        }
    }
    None
}

fn count(name: &Name, node: &Node, most: u64, unit: &str, faults: &mut Vec<PolicyFault>) -> Option<u64> {
    let (message, help) = match &node.value {
        Value::Whole(number) => match u64::try_from(*number) {
            Ok(0) | Err(_) => (format!("{number} {unit} are no room for anything"), format!("write `{most}` or less")),
            Ok(number) if number <= most => return Some(number),
            Ok(number) => (
                format!("{number} {unit} are more than the rules allow: a policy only allows less"),
                format!("write `{most}` or less"),
            ),
        },
        Value::Text(text) if text.parse::<u64>().is_ok() => {
            (format!("`{}` is a number, without quotes", name.text), format!("write `{text}`"))
        }
        other => (
            format!("`{}` is a whole number, and this is {}", name.text, other.what()),
            format!("write `{} = {most}` or less", name.text),
        ),
    };
    faults.push(PolicyFault::at(node.range.clone(), message).help(help));
    None
}

fn longest(name: &Name, node: &Node, faults: &mut Vec<PolicyFault>) -> Option<Duration> {
    let example = match node.value {
        Value::Whole(seconds @ 1..) => format!("{} = \"{seconds}s\"", name.text),
        _ => format!("{} = \"30d\"", name.text),
    };
    let written = text(node, &format!("`{}`", name.text), &example, faults)?;
    let (message, instead) = match parse_duration(written) {
        Ok(time) if time <= LONGEST_TTL => return Some(time),
        Ok(_) | Err(DurationError { overflow: true, .. }) => {
            (format!("`{written}` is more than the rules allow: a policy only allows less"), None)
        }
        Err(fault) => (fault.message, Some(fault.suggestion)),
    };
    // What is meant can be too long, too.
    let too_long = |meant: &String| parse_duration(meant).is_ok_and(|time| time > LONGEST_TTL);
    let help = match instead {
        Some(None) => "write whole numbers with the units `ms` `s` `m` `h` `d` `w`, as in `\"30d\"`".to_owned(),
        Some(Some(instead)) if !too_long(&instead) => format!("write `\"{instead}\"`"),
        _ => {
            let most = redis_keys_core::duration::render(LONGEST_TTL);
            format!("write `\"{most}\"` or less")
        }
    };
    faults.push(PolicyFault::at(node.range.clone(), message).help(help));
    None
}
