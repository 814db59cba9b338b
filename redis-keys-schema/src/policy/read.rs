//! Reads the settings of the file.

use super::document::{Name, Node, Table, Value};
use super::error::PolicyError;
use super::{Policy, consistency, limits, misspelt, modules};
use crate::alphabet::is_word_byte;
use crate::suggest::{dotted, list, nearest};
use crate::warning::{Level, Levels, Lint, OVERLAP};

const TABLES: [&str; 5] = ["modules", "module", "limits", "lints", "abbreviations"];

pub(super) fn policy(file: &Table, errors: &mut Vec<PolicyError>) -> Policy {
    let mut policy = Policy::default();
    for entry in &file.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "modules" => modules::read_modules(name, node, &mut policy, errors),
            "module" => modules::read_tables(name, node, &mut policy, errors),
            "limits" => limits::read(node, &mut policy.limits, errors),
            "lints" => lints(node, &mut policy.lints, errors),
            "abbreviations" => abbreviations(node, &mut policy, errors),
            quoted if quoted.starts_with("module.") || quoted.starts_with("modules.") => {
                let error = PolicyError::new(name.range.clone(), format!("`{quoted}` in quotes is a single name"));
                errors.push(error.help(format!("write `[{quoted}]`")));
            }
            _ => errors.push(unknown("setting", name, TABLES)),
        }
    }
    consistency::check(file, &policy, errors);
    policy.misspelt = misspelt::find(file, &policy);
    policy
}

/// An unknown name, with the nearest known one or with all of them.
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

/// Whether a text can be words of a key, or the first ones if `leading`.
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

/// `[lints]`: `unusual_ttl = "deny"`.
fn lints(node: &Node, levels: &mut Levels, errors: &mut Vec<PolicyError>) {
    let Some(table) = table(node, "[lints]", errors) else { return };
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        if name.text == OVERLAP {
            let error = PolicyError::new(name.range.clone(), "`overlap` is not a lint: overlapping keys are an error");
            errors.push(error.help("write `allow(overlap, reason = \"…\")` at one of the keys"));
            continue;
        }
        let Some(lint) = Lint::from_name(&name.text) else {
            errors.push(unknown("lint", name, Lint::ALL.map(Lint::name)));
            continue;
        };
        let Some(word) = string(node, &format!("{lint} = \"warn\""), errors) else { continue };
        match word {
            "allow" => levels.set(lint, Level::Allow),
            "warn" => levels.set(lint, Level::Warn),
            "deny" => levels.set(lint, Level::Deny),
            _ => {
                let help = match suggested_level(word) {
                    Some(level) => format!("write `\"{level}\"`"),
                    None => "expected `allow`, `warn` or `deny`".to_owned(),
                };
                errors.push(PolicyError::new(node.range.clone(), format!("unknown level `{word}`")).help(help));
            }
        }
    }
}

/// The level that other tools call so.
fn suggested_level(word: &str) -> Option<&'static str> {
    match word.to_lowercase().as_str() {
        "off" | "none" | "ignore" => Some("allow"),
        "on" | "warning" | "info" => Some("warn"),
        "error" | "forbid" => Some("deny"),
        other => nearest(other, ["allow", "warn", "deny"]),
    }
}

/// `[abbreviations]`: `economic = "ec"`, and `file.path = "fp"` for several words.
fn abbreviations(node: &Node, policy: &mut Policy, errors: &mut Vec<PolicyError>) {
    let Some(table) = table(node, "[abbreviations]", errors) else { return };
    abbreviations_below(table, &mut Vec::new(), policy, errors);
}

/// TOML reads `file.path` as the table `file`.
fn abbreviations_below<'n>(
    table: &'n Table,
    path: &mut Vec<&'n str>,
    policy: &mut Policy,
    errors: &mut Vec<PolicyError>,
) {
    for entry in &table.entries {
        path.push(&entry.name.text);
        if let Some(inner) = entry.table() {
            abbreviations_below(inner, path, policy, errors);
        } else {
            let long = path.join(".");
            if let Some(short) = abbreviation(&entry.name, &long, &entry.node, errors) {
                policy.abbreviations.push((long, short.to_owned()));
            }
        }
        path.pop();
    }
}

fn abbreviation<'n>(name: &Name, long: &str, node: &'n Node, errors: &mut Vec<PolicyError>) -> Option<&'n str> {
    let short = string(node, &format!("{long} = \"{}\"", long.get(..1).unwrap_or("x")), errors)?;
    let error = |message: String| PolicyError::new(node.range.clone(), message);
    if short.trim().is_empty() {
        errors.push(error(format!("empty abbreviation of `{long}`")).help("remove the line"));
        return None;
    }
    let at_name = Node { range: name.range.clone(), value: Value::Other("a name") };
    let valid = words(long, &at_name, false, errors);
    if !words(short, node, false, errors) || !valid {
        return None;
    }
    if short.len() >= long.len() {
        let help = "write a shorter word, or remove the line";
        errors.push(error(format!("`{short}` is not shorter than `{long}`")).help(help));
        return None;
    }
    Some(short)
}
