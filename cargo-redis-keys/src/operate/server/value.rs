//! Parts of replies.

use std::collections::HashMap;

use redis::Value;

/// A string's bytes.
pub(crate) fn bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::BulkString(bytes) => Some(bytes),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Some(text.as_bytes()),
        _ => None,
    }
}

/// A string that is text.
pub(crate) fn text(value: &Value) -> Option<&str> {
    str::from_utf8(bytes(value)?).ok()
}

/// An integer that is not negative.
pub(crate) fn number(value: &Value) -> Option<u64> {
    if let Value::Int(number) = value { u64::try_from(*number).ok() } else { None }
}

/// An array's elements. Empty for all else.
pub(crate) fn elements(value: &Value) -> &[Value] {
    if let Value::Array(values) = value { values } else { &[] }
}

/// The pairs of a map, which is an array in RESP2. Empty for all else.
pub(crate) fn pairs(value: &Value) -> Vec<(&Value, &Value)> {
    if let Value::Map(pairs) = value {
        return pairs.iter().map(|(name, value)| (name, value)).collect();
    }
    let pairs = elements(value).chunks_exact(2);
    pairs.filter_map(|pair| if let [name, value] = pair { Some((name, value)) } else { None }).collect()
}

/// The fields of a reply of `INFO`.
pub(crate) fn info_fields(info: &str) -> HashMap<&str, &str> {
    info.lines().filter_map(|line| line.split_once(':')).map(|(name, value)| (name, value.trim())).collect()
}
