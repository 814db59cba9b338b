//! Texts as numbers that can stand in a type.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// The hash of a text. It is the same for all keys of a crate, which one compiler reads.
pub(super) fn hash(text: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What tells a crate from all that it depends on, and is the same wherever it is built.
///
/// Cargo says which package and which target it is. A library and the test of a library have the same names, and a test may
/// depend on its own library by way of another crate, so that rustc's arguments count as well: cargo gives each of the
/// two other `metadata`.
pub(super) fn of_crate() -> u64 {
    const NAMES: [&str; 4] = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME", "CARGO_BIN_NAME"];
    static ARGUMENTS: LazyLock<u64> = LazyLock::new(|| hash(telling_arguments()));
    hash((NAMES.map(env::var_os), *ARGUMENTS))
}

fn telling_arguments() -> Vec<String> {
    let mut told = Vec::new();
    let mut named = false;
    for argument in env::args_os().filter_map(|argument| argument.into_string().ok()) {
        let metadata = argument.trim_start_matches("--codegen=").trim_start_matches("-C").starts_with("metadata=");
        let name = argument == "--crate-name";
        if named || metadata || argument == "--test" || argument.starts_with("--crate-name=") {
            told.push(argument);
        }
        named = name;
    }
    told
}
