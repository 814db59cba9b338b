//! Reads `[legacy]`: the declarations that can have a legacy text in use.

use super::LegacyPolicy;
use super::document::{Node, Value};
use super::error::PolicyError;
use super::expect::{mismatch, string, table, unknown};

/// `[legacy]` with `keys = ["UserProfile", "shop::Cart"]`, an array that can be empty.
pub(super) fn read(node: &Node, errors: &mut Vec<PolicyError>) -> Option<LegacyPolicy> {
    let mut policy = LegacyPolicy::default();
    for entry in &table(node, "[legacy]", errors)?.entries {
        if entry.name.text == "keys" {
            read_keys(&entry.node, &mut policy, errors);
        } else {
            errors.push(unknown("setting", &entry.name, ["keys"]));
        }
    }
    Some(policy)
}

fn read_keys(node: &Node, policy: &mut LegacyPolicy, errors: &mut Vec<PolicyError>) {
    let Value::Array(nodes) = &node.value else {
        let text = node.value.as_str().unwrap_or("UserProfile");
        errors.push(mismatch("an array of strings", node, format!("write `keys = [\"{text}\"]`")));
        return;
    };
    for node in nodes {
        let Some(name) = string(node, "\"UserProfile\"", errors) else { continue };
        if !name.split("::").all(is_name) {
            let error = PolicyError::new(node.range.clone(), format!("`{name}` is not the name of a struct"));
            errors.push(error.help("write a name such as `UserProfile`, or `user::Profile` with its module"));
        } else if policy.keys.iter().any(|(other, _)| other == name) {
            errors.push(PolicyError::new(node.range.clone(), format!("duplicate `{name}`")).help("remove it"));
        } else {
            policy.keys.push((name.to_owned(), node.range.clone()));
        }
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    text.chars().all(is_part) && text.starts_with(|first| is_part(first) && !first.is_ascii_digit())
}
