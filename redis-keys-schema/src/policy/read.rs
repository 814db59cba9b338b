//! Reads the settings of the file.

use super::document::{Name, Node, Table, Value};
use super::error::PolicyError;
use super::expect::{string, table, unknown, words};
use super::{Policy, consistency, limits, misspelt, modules};
use crate::suggest::nearest;
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
