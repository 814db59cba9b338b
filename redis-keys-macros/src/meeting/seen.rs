//! The declarations that this compilation has seen. Text alone is kept: tokens don't outlive their derive.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{env, path::Path};

use redis_keys_schema::meeting::{Declared, Pattern, Register};

use super::identity::{hash, of_crate};
use crate::input::Input;

#[derive(Default)]
struct Seen {
    register: Register,
    /// How many declarations of a name and a template there were, in whatever modules.
    alike: HashMap<String, u32>,
}

static SEEN: LazyLock<Mutex<HashMap<u64, Seen>>> = LazyLock::new(Mutex::default);

/// Gives a declaration its number, and those before it whose keys may be the same.
pub(super) fn declare(input: &Input<'_>, pattern: &Pattern) -> (u64, Vec<Declared>) {
    let own = of_crate();
    // Where it stands is no part of it, so that it keeps its number when something is written above it.
    let declared = format!("{} {} {}", input.item.ident, pattern.group, pattern.text);
    // An editor expands a declaration anew whenever something changes: it would meet itself.
    if !*IN_A_COMPILER || *IN_EXAMPLES {
        return (number(own, &declared, 0), Vec::new());
    }
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let seen = seen.entry(own).or_default();
    let alike = seen.alike.entry(declared.clone()).or_default();
    *alike += 1;
    let number = number(own, &declared, *alike);
    let before = seen.register.add(Declared { number, pattern: pattern.clone() });
    (number, before)
}

/// 0 is the number of none.
fn number(own: u64, declared: &str, alike: u32) -> u64 {
    hash((own, declared, alike)).max(1)
}

/// rustdoc makes one crate of all examples of a library's documentation. If that doesn't compile it builds each of them by
/// itself, which takes much longer, and they often declare the same key.
static IN_EXAMPLES: LazyLock<bool> = LazyLock::new(|| {
    let name = |argument: &OsString| Path::new(argument).file_name()?.to_str().map(str::to_owned);
    env::args_os().skip(1).any(|argument| name(&argument).is_some_and(|name| name.starts_with("doctest_bundle")))
});

/// A compiler is told what to compile: a name, a file, or a file that says all of it.
static IN_A_COMPILER: LazyLock<bool> = LazyLock::new(|| {
    let tells = |argument: OsString| {
        let file = Path::new(&argument).extension().is_some_and(|extension| extension == "rs");
        let text = argument.to_string_lossy();
        file || text == "-" || text.starts_with('@') || text.starts_with("--crate-name")
    };
    env::args_os().skip(1).any(tells)
});
