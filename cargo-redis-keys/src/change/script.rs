//! The scripts that look at a key and change it.
//!
//! They are sent as they are: nothing has to be loaded before, on no node. Their errors are returned unchanged.

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
            Self::Look => include_str!("look.lua"),
            Self::Purge => include_str!("purge.lua"),
            Self::Expire => include_str!("expire.lua"),
        }
    }
}
