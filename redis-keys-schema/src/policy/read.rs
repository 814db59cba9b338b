//! Reads the file's settings, and checks them against each other.

use redis_keys_core::duration;

use super::document::{Entry, Name, Node, Table, Value};
use super::error::PolicyError;
use super::expect::{string, table, unknown, words};
use super::{Policy, foreign, legacy, limits, modules};
use crate::suggest::nearest;
use crate::warning::{Level, Levels, Lint, OVERLAP};

const TABLES: [&str; 7] = ["modules", "module", "limits", "lints", "legacy", "foreign", "abbreviations"];

pub(super) fn policy(file: &Table, errors: &mut Vec<PolicyError>) -> Policy {
    let mut policy = Policy::default();
    for entry in &file.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "modules" => modules::read_modules(name, node, &mut policy, errors),
            "module" => modules::read_tables(name, node, &mut policy, errors),
            "limits" => limits::read(node, &mut policy.limits, errors),
            "lints" => lints(node, &mut policy.lints, errors),
            "legacy" => policy.legacy = legacy::read(node, errors),
            "foreign" => policy.foreign = foreign::read(node, errors),
            "abbreviations" => abbreviations(node, &mut policy, errors),
            quoted if quoted.starts_with("module.") || quoted.starts_with("modules.") => {
                let error = PolicyError::new(name.range.clone(), format!("`{quoted}` in quotes is a single name"));
                errors.push(error.help(format!("write `[{quoted}]`")));
            }
            _ => errors.push(unknown("setting", name, TABLES)),
        }
    }
    check(file, &policy, errors);
    policy.misspelt = modules::misspelt(file, &policy);
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

/// Checks settings against each other.
fn check(file: &Table, policy: &Policy, errors: &mut Vec<PolicyError>) {
    check_listed(file, policy, errors);
    check_duplicates(file, errors);
    check_windows(file, policy, errors);
}

/// The entries of the tables of that name.
fn below<'t>(file: &'t Table, name: &'t str) -> impl Iterator<Item = &'t Entry> {
    let tables = file.entries.iter().filter(move |entry| entry.name.text == name);
    tables.filter_map(|entry| entry.table()).flat_map(|table| &table.entries)
}

/// A table for a module that `modules` does not list has no effect.
fn check_listed(file: &Table, policy: &Policy, errors: &mut Vec<PolicyError>) {
    let Some(listed) = &policy.modules else { return };
    for Entry { name, .. } in below(file, "module") {
        let reported = errors.iter().any(|error| error.range == name.range);
        if reported || listed.contains(&name.text) {
            continue;
        }
        let help = match nearest(&name.text, listed.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `[module.{near}]`?"),
            None => format!("add `\"{}\"` to `modules`", name.text),
        };
        let message = format!("unknown module `{}`: `modules` does not list it", name.text);
        errors.push(PolicyError::new(name.range.clone(), message).help(help));
    }
}

/// `[module.user]` and `[modules.user]` are the same table.
fn check_duplicates(file: &Table, errors: &mut Vec<PolicyError>) {
    for one in below(file, "module").filter(|entry| entry.table().is_some()) {
        let same = |other: &&Entry| other.table().is_some() && other.name.text == one.name.text;
        let Some(other) = below(file, "modules").find(same) else { continue };
        let later = one.name.range.start.max(other.name.range.start);
        let later = if later == one.name.range.start { one } else { other };
        let message = format!("duplicate table for the module `{}`", one.name.text);
        errors.push(PolicyError::new(later.name.range.clone(), message).help("merge the two"));
    }
}

/// Checks that no window goes beyond the limit: it would recommend times that the limit rejects.
fn check_windows(file: &Table, policy: &Policy, errors: &mut Vec<PolicyError>) {
    let Some(limit) = policy.limits.longest_ttl else { return };
    for module in below(file, "module").chain(below(file, "modules")) {
        let window = policy.of_module(&module.name.text).and_then(|module| module.ttl);
        let (Some(window), Some(ttl)) = (window, module.table().and_then(|table| table.get("ttl"))) else { continue };
        if window.longest() > limit {
            let message = format!("`{window}` exceeds the `longest_ttl` of {}", duration::render(limit));
            let help = format!("{}, or a longer `longest_ttl`", window.help_within(limit));
            errors.push(PolicyError::new(ttl.range.clone(), message).help(help));
        }
    }
}
