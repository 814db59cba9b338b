//! A key on its way out, under `deny(warnings)`: the derive must not be told for using what it implements.
#![deny(warnings)]

use redis_keys::prelude::*;

/// An old key.
#[deprecated = "`Everything` has it"]
#[derive(RedisKey)]
#[redis_key(deprecated:old:{user_id}:string, value = u64, ttl = 1h)]
pub struct Old {
    /// Whose.
    #[deprecated = "not used"]
    pub user_id: u64,
}
