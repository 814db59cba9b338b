//! `misspelt_module`: a table for a module whose name is nearly a usual one.
//!
//! Where the file lists no modules its tables may be for any, and which keys there are is known to no one compilation. So a
//! name is only doubted, and only where a slip of the pen explains it better than a module of that name would.

use super::Policy;
use super::fault::PolicyFault;
use super::table::{Entry, Table, Value};
use crate::lint::{Level, Lint};

/// Modules that mean the same in most projects.
const USUAL: [&str; 7] = ["cache", "session", "lock", "queue", "counter", "rate", "tmp"];

/// What is doubted of a file.
pub(super) fn doubts(file: &Table, policy: &Policy) -> Vec<PolicyFault> {
    let listed = |entry: &&Entry| entry.name.text == "modules" && !entry.is_table();
    if policy.lints.of(Lint::MisspeltModule) == Level::Allow || file.entries.iter().any(|entry| listed(&entry)) {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    for table in file.entries.iter().filter(|entry| matches!(entry.name.text.as_str(), "module" | "modules")) {
        let Value::Table(modules) = &table.node.value else { continue };
        for name in modules.entries.iter().map(|entry| &entry.name) {
            let Some(usual) = meant(&name.text) else { continue };
            let message = format!("`{}` is nearly the name of a usual module: did you mean `{usual}`?", name.text);
            let header = format!("`[{}.{usual}]`", table.name.text);
            let there = modules.entries.iter().any(|entry| entry.name.text == usual);
            let write = if there { format!("put it below {header}") } else { format!("write {header}") };
            let help =
                format!("{write}; or, if it is called so, add `{} = \"allow\"` to `[lints]`", Lint::MisspeltModule);
            doubts.push(PolicyFault::at(name.range.clone(), message).help(help));
        }
    }
    doubts
}

/// The usual module whose name was likely meant.
fn meant(name: &str) -> Option<&'static str> {
    USUAL.into_iter().find(|usual| is_slip(name, usual))
}

/// Whether a name is another one with a slip of the pen. `caches`, `clock` and `date` are names of their own.
fn is_slip(name: &str, usual: &str) -> bool {
    let first = |word: &str| word.chars().next();
    let another = name.starts_with(usual) || name.ends_with(usual) || first(name) != first(usual);
    if another || strsim::damerau_levenshtein(name, usual) != 1 {
        return false;
    }
    let sorted = |word: &str| {
        let mut letters: Vec<_> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let doubled = || {
        let mut letters: Vec<_> = name.chars().collect();
        letters.dedup();
        letters.into_iter().eq(usual.chars())
    };
    // Of a short name another letter makes another word.
    usual.len() > 4 || sorted(name) == sorted(usual) || doubled()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_names_are_left_alone() {
        for (name, usual) in [
            ("cahce", "cache"),
            ("cach", "cache"),
            ("cachhe", "cache"),
            ("cacge", "cache"),
            ("sesion", "session"),
            ("sesssion", "session"),
            ("lokc", "lock"),
            ("loock", "lock"),
            ("queu", "queue"),
            ("conter", "counter"),
            ("raet", "rate"),
            ("tpm", "tmp"),
        ] {
            assert_eq!(meant(name), Some(usual), "{name}");
        }
        for name in [
            "cache",
            "caches",
            "cached",
            "ccache",
            "ache",
            "sessions",
            "clock",
            "block",
            "look",
            "luck",
            "locks",
            "date",
            "gate",
            "rates",
            "rat",
            "race",
            "rare",
            "temp",
            "tap",
            "top",
            "mp",
            "queues",
            "count",
            "counters",
            "encounter",
            "user",
            "",
            "c",
            "cash",
            "chat",
        ] {
            assert_eq!(meant(name), None, "{name}");
        }
    }
}
