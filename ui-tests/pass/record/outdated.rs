//! A record on its way out, under `deny(warnings)`: the derive must not be told for using what it implements.
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
