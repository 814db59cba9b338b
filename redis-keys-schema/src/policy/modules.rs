//! Reads `modules` and `[module.NAME]`, and finds names of modules that are probably typos.

use super::document::{Entry, Name, Node, Table, Value, suggested_array};
use super::error::PolicyError;
use super::expect::{mismatch, string, strings, table, unknown, words};
use super::window::Window;
use super::{ModulePolicy, Policy};
use crate::Kind;
use crate::suggest::{list, typos};
use crate::template::guess_kind;
use crate::usual_modules::USUAL_MODULES;
use crate::warning::{Level, Lint};

const SETTINGS: [&str; 3] = ["ttl", "types", "owner"];

/// `modules = ["user", "shop"]`. In a file without the array, `[modules.NAME]` is another name for `[module.NAME]`.
pub(super) fn read_modules(name: &Name, node: &Node, policy: &mut Policy, errors: &mut Vec<PolicyError>) {
    if node.value.as_table().is_some() {
        return read_tables(name, node, policy, errors);
    }
    let Some(modules) = strings(name, node, "user", errors) else { return };
    let mut listed: Vec<String> = Vec::with_capacity(modules.len());
    for (module, node) in modules {
        if !words(module, node, true, errors) {
            continue;
        }
        if listed.iter().any(|other| other == module) {
            errors.push(duplicate(module, node));
        } else {
            listed.push(module.to_owned());
        }
    }
    policy.modules = Some(listed);
}

fn duplicate(text: &str, node: &Node) -> PolicyError {
    PolicyError::new(node.range.clone(), format!("duplicate `{text}`")).help("remove it")
}

/// The tables `[module.NAME]`.
pub(super) fn read_tables(name: &Name, node: &Node, policy: &mut Policy, errors: &mut Vec<PolicyError>) {
    if name.text == "module"
        && let Some(list) = suggested_array(&node.value)
    {
        let error = PolicyError::new(name.range.clone(), "the list of modules is called `modules`");
        return errors.push(error.help(format!("write `modules = [{list}]`")));
    }
    let example = format!("[{}.cache]", name.text);
    let Some(modules) = table(node, &example, errors) else { return };
    for entry in &modules.entries {
        let (module, node) = (&entry.name, &entry.node);
        if SETTINGS.contains(&module.text.as_str()) && entry.table().is_none() {
            let error =
                PolicyError::new(module.range.clone(), format!("`{}` without the name of a module", module.text));
            errors.push(error.help(format!("write it below `{example}`")));
            continue;
        }
        let at_name = Node { range: module.range.clone(), value: Value::Other("a name") };
        let valid = words(&module.text, &at_name, true, errors);
        let Some(table) = table(node, &format!("[{}.{}]", name.text, module.text), errors) else { continue };
        let settings = read_settings(&module.text, table, errors);
        if valid {
            policy.module.push((module.text.clone(), settings));
        }
    }
}

fn read_settings(module: &str, table: &Table, errors: &mut Vec<PolicyError>) -> ModulePolicy {
    let mut settings = ModulePolicy::default();
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "ttl" => settings.ttl = window(node, errors),
            "types" => settings.types = types(name, node, errors),
            "owner" => settings.owner = owner(node, errors),
            inner if entry.table().is_some() => {
                let message = format!("unknown setting `{inner}`: TOML reads `.` as a nested table");
                let help = format!("write `[module.\"{module}.{inner}\"]` for the module `{module}.{inner}`");
                errors.push(PolicyError::new(name.range.clone(), message).help(help));
            }
            _ => errors.push(unknown("setting", name, SETTINGS)),
        }
    }
    settings
}

fn window(node: &Node, errors: &mut Vec<PolicyError>) -> Option<Window> {
    let Some(written) = node.value.as_str() else {
        let example = window_of_table(node).unwrap_or_else(|| "5m..30m".to_owned());
        errors.push(mismatch("a string", node, format!("write `ttl = \"{example}\"`")));
        return None;
    };
    let window = Window::parse(written);
    window.map_err(|(message, help)| errors.push(PolicyError::new(node.range.clone(), message).help(help))).ok()
}

/// The window that `{ min = "5m", max = "30m" }` means.
fn window_of_table(node: &Node) -> Option<String> {
    let table = node.value.as_table()?;
    let half = |name: &str| table.get(name).and_then(|node| node.value.as_str()).unwrap_or_default();
    let window = format!("{}..{}", half("min"), half("max"));
    Window::parse(&window).ok().map(|window| window.to_string())
}

fn types(name: &Name, node: &Node, errors: &mut Vec<PolicyError>) -> Option<Vec<Kind>> {
    let mut kinds = Vec::new();
    for (word, node) in strings(name, node, "string", errors)? {
        match Kind::from_name(word) {
            Some(kind) if kinds.contains(&kind) => errors.push(duplicate(word, node)),
            Some(kind) => kinds.push(kind),
            None => {
                let help = match guess_kind(word) {
                    Some(kind) => format!("did you mean `{kind}`?"),
                    None => format!("expected {}", list(Kind::ALL.map(Kind::name), "or")),
                };
                errors.push(PolicyError::new(node.range.clone(), format!("unknown key type `{word}`")).help(help));
            }
        }
    }
    Some(kinds)
}

fn owner(node: &Node, errors: &mut Vec<PolicyError>) -> Option<String> {
    let owner = string(node, "owner = \"web team\"", errors)?;
    if owner.trim().is_empty() {
        errors.push(PolicyError::new(node.range.clone(), "empty `owner`").help("write `owner = \"web team\"`"));
        return None;
    }
    Some(owner.to_owned())
}

/// `misspelt_module`: tables for modules whose names are probably typos.
///
/// A file without a list of modules can have tables for any module, and no single compilation knows all keys. So a name
/// is reported only if it is a typo away from a usual module and unlikely to be an independent word.
pub(super) fn misspelt(file: &Table, policy: &Policy) -> Vec<PolicyError> {
    let is_list = |entry: &Entry| entry.name.text == "modules" && entry.table().is_none();
    if policy.lints.of(Lint::MisspeltModule) == Level::Allow || file.entries.iter().any(is_list) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for table in file.entries.iter().filter(|entry| matches!(entry.name.text.as_str(), "module" | "modules")) {
        let Some(modules) = table.table() else { continue };
        for name in modules.entries.iter().map(|entry| &entry.name) {
            let Some(usual) = meant(&name.text) else { continue };
            let header = format!("`[{}.{usual}]`", table.name.text);
            let merge = if modules.get(usual).is_some() { " and merge the two" } else { "" };
            let help = format!("write {header}{merge}, or add `{} = \"allow\"` to `[lints]`", Lint::MisspeltModule);
            let message = format!("module `{}` is probably a typo of `{usual}`", name.text);
            found.push(PolicyError::new(name.range.clone(), message).help(help));
        }
    }
    found
}

/// The usual module that was probably meant.
fn meant(name: &str) -> Option<&'static str> {
    const { &USUAL_MODULES }.iter().map(|module| module.name).find(|usual| is_typo(name, usual))
}

/// Whether a name is a typo of another. `caches`, `clock` and `date` are independent words.
fn is_typo(name: &str, usual: &str) -> bool {
    let first = |word: &str| word.chars().next();
    let other_word = name.starts_with(usual) || name.ends_with(usual) || first(name) != first(usual);
    if other_word || typos(name, usual, 1) != Some(1) {
        return false;
    }
    // Another letter in a short name makes another word. Swapped or doubled letters do not.
    usual.len() > 4 || is_permutation(name, usual) || is_doubled(name, usual)
}

fn is_permutation(name: &str, usual: &str) -> bool {
    name.len() == usual.len() && name.chars().all(|letter| name.matches(letter).eq(usual.matches(letter)))
}

fn is_doubled(name: &str, usual: &str) -> bool {
    let mut letters: Vec<_> = name.chars().collect();
    letters.dedup();
    letters.into_iter().eq(usual.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_found_and_other_words_are_left_alone() {
        for (typos, usual) in [
            ("cahce cach cachhe cacge", "cache"),
            ("sesion sesssion", "session"),
            ("lokc loock", "lock"),
            ("queu", "queue"),
            ("conter", "counter"),
            ("raet", "rate"),
            ("tpm", "tmp"),
        ] {
            for typo in typos.split(' ') {
                assert_eq!(meant(typo), Some(usual), "{typo}");
            }
        }
        let words = "cache caches cached ccache ache sessions clock block look luck locks date gate rates rat race rare \
                     temp tap top mp queues count counters encounter user c cash chat";
        for word in words.split_whitespace().chain([""]) {
            assert_eq!(meant(word), None, "{word}");
        }
    }
}
