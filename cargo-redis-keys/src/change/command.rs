//! What is done to keys.

use serde::{Deserialize, Serialize};

/// What is done to keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeCommand {
    /// They are removed.
    Purge,
    /// They get an expiry.
    Expire,
}

impl ChangeCommand {
    /// The name of the command.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Purge => "purge",
            Self::Expire => "expire",
        }
    }
}
