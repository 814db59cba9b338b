//! The scripts that look at a key and change it.
//!
//! `EVAL` sends them without their comments. So nothing has to be loaded before, on no node. Their errors are returned unchanged.

use std::sync::LazyLock;

static LOOK: LazyLock<String> = LazyLock::new(|| code(include_str!("look.lua")));
static PURGE: LazyLock<String> = LazyLock::new(|| code(include_str!("purge.lua")));
static EXPIRE: LazyLock<String> = LazyLock::new(|| code(include_str!("expire.lua")));

/// A script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Look,
    Purge,
    Expire,
}

impl Script {
    /// What the server runs.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Look => &LOOK,
            Self::Purge => &PURGE,
            Self::Expire => &EXPIRE,
        }
    }
}

/// A script without its comments and blank lines.
fn code(file: &str) -> String {
    let is_code = |line: &&str| !matches!(line.trim_start().as_bytes(), [] | [b'-', b'-', ..]);
    file.split_inclusive('\n').filter(is_code).collect()
}
