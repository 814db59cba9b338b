//! `misspelt_module`: a table for a module whose name is probably a typo.
//!
//! A file without a list of modules can have tables for any module, and no single compilation knows all keys. So only
//! names are reported that are a typo away from a usual module and unlikely to be a word of their own.

use super::Policy;
use super::document::{Entry, Table};
use super::error::PolicyError;
use crate::suggest::typos;
use crate::usual_modules::USUAL_MODULES;
use crate::warning::{Level, Lint};

pub(super) fn find(file: &Table, policy: &Policy) -> Vec<PolicyError> {
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

/// Whether a name is a typo of another. `caches`, `clock` and `date` are words of their own.
fn is_typo(name: &str, usual: &str) -> bool {
    let first = |word: &str| word.chars().next();
    let other_word = name.starts_with(usual) || name.ends_with(usual) || first(name) != first(usual);
    if other_word || typos(name, usual) != 1 {
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
