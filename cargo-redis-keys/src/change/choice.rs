//! The choice of keys that a command changes.

use serde::{Deserialize, Serialize};

use super::key_bytes::KeyBytes;

/// The choice of keys that a command changes. A plan contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// Those of a declaration, whatever they contain.
    Schema(String),
    /// Those that no declaration can produce.
    Unknown,
    /// These.
    Keys(NamedKeys),
    /// Those without an expiry: of a declaration, or of all.
    WithoutExpiry(Option<String>),
}

/// Keys that the user has named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedKeys(pub(super) Vec<KeyBytes>);

impl Choice {
    /// The choice of these keys.
    pub(crate) fn keys(keys: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self::Keys(NamedKeys(keys.into_iter().map(KeyBytes).collect()))
    }
}
