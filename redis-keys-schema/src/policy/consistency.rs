//! Checks settings against each other.

use redis_keys_core::duration;

use super::Policy;
use super::document::{Entry, Table};
use super::error::PolicyError;
use crate::suggest::nearest;

pub(super) fn check(file: &Table, policy: &Policy, errors: &mut Vec<PolicyError>) {
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

/// A window beyond the limit would recommend what the limit rejects.
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
