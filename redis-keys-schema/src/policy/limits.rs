//! Reads `[limits]`.

use std::time::Duration;

use redis_keys_core::duration;

use super::PolicyLimits;
use super::document::{Name, Node, Value};
use super::error::PolicyError;
use super::expect::{mismatch, string, table, unknown};
use crate::attribute::{parse_bytes, parse_duration, render_bytes};
use crate::limits::{LONGEST_TTL, MAX_KEY_BYTES, MAX_MAX_BYTES, MAX_MAX_LEN};

const SETTINGS: [&str; 5] = ["max_bytes", "max_len", "max_member_bytes", "max_key_bytes", "longest_ttl"];

pub(super) fn read(node: &Node, limits: &mut PolicyLimits, errors: &mut Vec<PolicyError>) {
    let Some(table) = table(node, "[limits]", errors) else { return };
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "max_bytes" => limits.max_bytes = bytes(name, node, errors),
            "max_member_bytes" => limits.max_member_bytes = bytes(name, node, errors),
            "max_len" => limits.max_len = count(name, node, MAX_MAX_LEN, errors),
            "max_key_bytes" => {
                let most = u64::try_from(MAX_KEY_BYTES).unwrap_or(u64::MAX);
                let bytes = count(name, node, most, errors);
                limits.max_key_bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
            }
            "longest_ttl" => limits.longest_ttl = longest_ttl(name, node, errors),
            _ => errors.push(unknown("limit", name, SETTINGS)),
        }
    }
}

/// `"4KB"`, or a number of bytes.
fn bytes(name: &Name, node: &Node, errors: &mut Vec<PolicyError>) -> Option<u64> {
    let number;
    let written = if let Value::Integer(bytes) = node.value {
        number = bytes.to_string();
        number.as_str()
    } else {
        string(node, &format!("{} = \"4KB\"", name.text), errors)?
    };
    match parse_bytes(written) {
        Ok(bytes) if bytes <= MAX_MAX_BYTES => return Some(bytes),
        Ok(bytes) => errors.push(exceeds(node, &render_bytes(bytes), "1MB", "\"1MB\"")),
        Err(error) => {
            let help = match error.suggestion {
                Some(suggestion) if error.exceeds_limit => format!("write `\"{suggestion}\"` or less"),
                Some(suggestion) => format!("write `\"{suggestion}\"`"),
                None => "write a whole number of `B`, `KB` or `MB`, as in `\"4KB\"`".to_owned(),
            };
            errors.push(PolicyError::new(node.range.clone(), error.message).help(help));
        }
    }
    None
}

fn count(name: &Name, node: &Node, most: u64, errors: &mut Vec<PolicyError>) -> Option<u64> {
    let error = match &node.value {
        Value::Integer(number) => match u64::try_from(*number) {
            Ok(0) | Err(_) => {
                let error = PolicyError::new(node.range.clone(), format!("`{}` must be at least 1", name.text));
                error.help(format!("write a number from 1 to {most}"))
            }
            Ok(number) if number <= most => return Some(number),
            Ok(number) => exceeds(node, &number.to_string(), &most.to_string(), &most.to_string()),
        },
        Value::String(text) if text.parse::<u64>().is_ok() => mismatch("an integer", node, format!("write `{text}`")),
        _ => mismatch("an integer", node, format!("write `{} = {most}` or less", name.text)),
    };
    errors.push(error);
    None
}

fn longest_ttl(name: &Name, node: &Node, errors: &mut Vec<PolicyError>) -> Option<Duration> {
    let example = match node.value {
        Value::Integer(seconds @ 1..) => format!("{} = \"{seconds}s\"", name.text),
        _ => format!("{} = \"30d\"", name.text),
    };
    let written = string(node, &example, errors)?;
    let most = duration::render(LONGEST_TTL);
    errors.push(match parse_duration(written) {
        Ok(ttl) if ttl <= LONGEST_TTL => return Some(ttl),
        Ok(_) => exceeds(node, written, &most, &format!("\"{most}\"")),
        Err(error) if error.overflow => exceeds(node, written, &most, &format!("\"{most}\"")),
        Err(error) => {
            let too_long = |meant: &String| parse_duration(meant).is_ok_and(|ttl| ttl > LONGEST_TTL);
            let help = match error.suggestion {
                Some(suggestion) if too_long(&suggestion) => format!("write `\"{most}\"` or less"),
                Some(suggestion) => format!("write `\"{suggestion}\"`"),
                None => "write whole numbers with the units `ms` `s` `m` `h` `d` `w`, as in `\"30d\"`".to_owned(),
            };
            PolicyError::new(node.range.clone(), error.message).help(help)
        }
    });
    None
}

fn exceeds(node: &Node, written: &str, most: &str, instead: &str) -> PolicyError {
    let message = format!("`{written}` exceeds the limit of {most}: a policy can only lower limits");
    PolicyError::new(node.range.clone(), message).help(format!("write `{instead}` or less"))
}
