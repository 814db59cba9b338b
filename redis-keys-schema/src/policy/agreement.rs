//! What stands in two places of a file, and has to agree.

use std::time::Duration;

use super::Policy;
use super::fault::PolicyFault;
use super::table::{Entry, Name, Table};
use crate::suggest::nearest;

pub(super) fn check(file: &Table, policy: &Policy, faults: &mut Vec<PolicyFault>) {
    check_listed(file, policy, faults);
    check_once(file, faults);
    check_windows(file, policy, faults);
}

/// The entries of all tables of that name.
fn below<'t>(file: &'t Table, name: &'t str) -> impl Iterator<Item = &'t Entry> {
    let tables = file.entries.iter().filter(move |entry| entry.name.text == name);
    tables.filter_map(|entry| entry.table()).flat_map(|table| &table.entries)
}

/// What is said of a module that the list does not have is said of nothing.
fn check_listed(file: &Table, policy: &Policy, faults: &mut Vec<PolicyFault>) {
    let Some(listed) = &policy.modules else { return };
    for Entry { name, .. } in below(file, "module") {
        let told = faults.iter().any(|fault| fault.range == name.range);
        if told || listed.contains(&name.text) {
            continue;
        }
        let message = format!("`modules` lists no `{}`", name.text);
        let (message, help) = match nearest(&name.text, listed.iter().map(String::as_str)) {
            Some(near) => (format!("{message}: did you mean `{near}`?"), format!("write `[module.{near}]`")),
            None => (message, format!("add `\"{}\"` to `modules`", name.text)),
        };
        faults.push(PolicyFault::at(name.range.clone(), message).help(help));
    }
}

/// `[module.user]` and `[modules.user]` are the same table.
fn check_once(file: &Table, faults: &mut Vec<PolicyFault>) {
    for one in below(file, "module").filter(|entry| entry.is_table()) {
        let same = |other: &&Entry| other.is_table() && other.name.text == one.name.text;
        let Some(other) = below(file, "modules").find(same) else { continue };
        let told = |there: &Name, table: &str, again: &Name| {
            let name = if there.text.contains('.') { format!("\"{}\"", there.text) } else { there.text.clone() };
            let message = format!("the table `[{table}.{name}]` is there already, and this is the same");
            PolicyFault::at(again.range.clone(), message).help("put the two together")
        };
        faults.push(if one.name.range.start < other.name.range.start {
            told(&one.name, "module", &other.name)
        } else {
            told(&other.name, "modules", &one.name)
        });
    }
}

/// No window lets a key live longer than the limit, which would refuse what the lint says to write.
fn check_windows(file: &Table, policy: &Policy, faults: &mut Vec<PolicyFault>) {
    let Some(limit) = policy.limits.longest_ttl else { return };
    for module in below(file, "module").chain(below(file, "modules")) {
        let window = policy.of_module(&module.name.text).and_then(|module| module.ttl);
        let given = module.table().and_then(|table| table.entries.iter().find(|entry| entry.name.text == "ttl"));
        let (Some(window), Some(given)) = (window, given) else { continue };
        if window.longest() > limit {
            let message =
                format!("`longest_ttl` lets a key live {} at most, and this window goes beyond", render(limit));
            let help = format!("{}, or a longer `longest_ttl`", window.help_within(limit));
            faults.push(PolicyFault::at(given.node.range.clone(), message).help(help));
        }
    }
}

fn render(time: Duration) -> String {
    redis_keys_core::duration::render(time)
}
