//! Reads `[foreign]`: the keys on the servers that other programs own.

use std::ops::Range;

use super::ForeignPolicy;
use super::document::{Name, Node, Value};
use super::error::PolicyError;
use super::expect::{mismatch, string, table, unknown};

/// The programs and libraries whose keys are known, by the names that `systems` takes.
pub const FOREIGN_SYSTEMS: [&str; 7] = ["apalis", "bullmq", "celery", "django", "laravel", "sidekiq", "spring-session"];

/// `[foreign]` with `systems = ["sidekiq"]` and `patterns = ["legacy:*"]`, arrays that can be empty.
pub(super) fn read(node: &Node, errors: &mut Vec<PolicyError>) -> Option<ForeignPolicy> {
    let mut policy = ForeignPolicy::default();
    for entry in &table(node, "[foreign]", errors)?.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "systems" => read_array(name, node, "sidekiq", &mut policy.systems, errors, check_system),
            "patterns" => read_array(name, node, "legacy:*", &mut policy.patterns, errors, check_pattern),
            _ => errors.push(unknown("setting", name, ["systems", "patterns"])),
        }
    }
    Some(policy)
}

fn read_array(
    name: &Name,
    node: &Node,
    example: &str,
    list: &mut Vec<String>,
    errors: &mut Vec<PolicyError>,
    check: impl Fn(&str, Range<usize>) -> Result<(), PolicyError>,
) {
    let Value::Array(nodes) = &node.value else {
        let text = node.value.as_str().unwrap_or(example);
        errors.push(mismatch("an array of strings", node, format!("write `{} = [\"{text}\"]`", name.text)));
        return;
    };
    for node in nodes {
        let Some(text) = string(node, &format!("\"{example}\""), errors) else { continue };
        if let Err(error) = check(text, node.range.clone()) {
            errors.push(error);
        } else if list.iter().any(|other| other == text) {
            errors.push(PolicyError::new(node.range.clone(), format!("duplicate `{text}`")).help("remove it"));
        } else {
            list.push(text.to_owned());
        }
    }
}

fn check_system(text: &str, range: Range<usize>) -> Result<(), PolicyError> {
    if FOREIGN_SYSTEMS.contains(&text) {
        return Ok(());
    }
    Err(unknown("system", &Name { text: text.to_owned(), range }, FOREIGN_SYSTEMS))
}

/// A pattern of keys, in which `*` is any text.
fn check_pattern(text: &str, range: Range<usize>) -> Result<(), PolicyError> {
    if text.chars().any(char::is_alphanumeric) {
        return Ok(());
    }
    let message = if text.is_empty() { "empty pattern".to_owned() } else { format!("`{text}` names no program") };
    Err(PolicyError::new(range, message).help("write the start of its keys and `*`, as in `legacy:*`"))
}
