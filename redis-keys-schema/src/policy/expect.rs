//! Values of the expected type, or their errors.

use super::document::{Name, Node, Table, Value};
use super::error::PolicyError;
use crate::limits::is_word_byte;
use crate::suggest::{dotted, list, nearest};

/// An unknown name, with the nearest known name or with all known names.
pub(super) fn unknown<'k>(what: &str, name: &Name, known: impl IntoIterator<Item = &'k str> + Clone) -> PolicyError {
    let help = match nearest(&name.text, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected {}", list(known, "or")),
    };
    PolicyError::new(name.range.clone(), format!("unknown {what} `{}`", name.text)).help(help)
}

/// A value of another type than expected.
pub(super) fn mismatch(expected: &str, node: &Node, help: impl Into<String>) -> PolicyError {
    let message = format!("expected {expected}, found {}", node.value.describe());
    PolicyError::new(node.range.clone(), message).help(help)
}

/// A table, or an error.
pub(super) fn table<'n>(node: &'n Node, example: &str, errors: &mut Vec<PolicyError>) -> Option<&'n Table> {
    let table = node.value.as_table();
    if table.is_none() {
        errors.push(mismatch("a table", node, format!("write `{example}`")));
    }
    table
}

/// A string, or an error.
pub(super) fn string<'n>(node: &'n Node, example: &str, errors: &mut Vec<PolicyError>) -> Option<&'n str> {
    let text = node.value.as_str();
    if text.is_none() {
        errors.push(mismatch("a string", node, format!("write `{example}`")));
    }
    text
}

/// The strings of an array, each with its place, or an error.
pub(super) fn strings<'n>(
    name: &Name,
    node: &'n Node,
    example: &str,
    errors: &mut Vec<PolicyError>,
) -> Option<Vec<(&'n str, &'n Node)>> {
    let Value::Array(nodes) = &node.value else {
        let text = node.value.as_str().unwrap_or(example);
        errors.push(mismatch("an array of strings", node, format!("write `{} = [\"{text}\"]`", name.text)));
        return None;
    };
    if nodes.is_empty() {
        let error = PolicyError::new(node.range.clone(), format!("`{}` is empty: no key could be declared", name.text));
        errors.push(error.help(format!("write `[\"{example}\"]`")));
        return None;
    }
    let example = format!("\"{example}\"");
    Some(nodes.iter().filter_map(|node| Some((string(node, &example, errors)?, node))).collect())
}

/// Whether a text can be words of a key, or the first words if `leading`.
pub(super) fn words(text: &str, node: &Node, leading: bool, errors: &mut Vec<PolicyError>) -> bool {
    let valid = text.split('.').all(|word| !word.is_empty() && word.bytes().all(is_word_byte));
    let starts = !leading || text.starts_with(|c: char| c.is_ascii_lowercase());
    if valid && starts {
        return true;
    }
    let message = if text.trim().is_empty() {
        "empty name".to_owned()
    } else if valid {
        format!("`{text}` does not start with a letter")
    } else {
        format!("`{text}` cannot be part of a key: only `a` to `z`, `0` to `9` and `.` can")
    };
    let instead = dotted(text).filter(|_| text.is_ascii() && !valid);
    let help = instead.map_or_else(|| "write a name such as `user`".to_owned(), |instead| format!("write `{instead}`"));
    errors.push(PolicyError::new(node.range.clone(), message).help(help));
    false
}
