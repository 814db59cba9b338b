//! A deprecated record, under `deny(warnings)`: the derive may use what it implements without a warning.
#![deny(warnings)]

use redis_keys::prelude::*;

/// An old record.
#[deprecated = "`Everything` has it"]
#[derive(RedisHash)]
pub struct Old {
    /// Whose.
    #[deprecated = "not used"]
    pub user_id: u64,
}
