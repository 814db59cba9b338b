//! Scripts that the server runs.

use std::sync::LazyLock;

/// Defines the function that makes the digest of a value.
pub(crate) static DIGEST: LazyLock<String> = LazyLock::new(|| code(include_str!("digest.lua")));

/// A script without its comments and blank lines.
pub(crate) fn code(file: &str) -> String {
    let is_code = |line: &&str| !matches!(line.trim_start().as_bytes(), [] | [b'-', b'-', ..]);
    file.split_inclusive('\n').filter(is_code).collect()
}
