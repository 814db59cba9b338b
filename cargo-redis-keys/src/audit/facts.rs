//! What a server says about itself.

use serde::{Deserialize, Serialize};

/// What a server says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// The address.
    pub(crate) address: String,
    /// The version, such as `valkey 9.1.0`.
    pub(crate) version: String,
    /// The random id of the server's process.
    pub(crate) run_id: String,
    /// The number of keys.
    pub(crate) keys: u64,
    /// The memory in use.
    pub(crate) used_memory: u64,
    /// The memory limit, 0 without one. `None` if the server refuses to say.
    pub(crate) maxmemory: Option<u64>,
    /// What is evicted when the memory is full, such as `allkeys-lru`.
    pub(crate) maxmemory_policy: Option<String>,
    /// Whether expired keys are freed in the background.
    pub(crate) lazy_expire: Option<bool>,
    /// The limits of the compact encodings, such as `hash-max-listpack-entries`.
    pub(crate) compact_limits: Vec<(String, u64)>,
    /// What could not be checked and why, such as `CONFIG is refused`.
    pub(crate) not_checked: Vec<String>,
}
