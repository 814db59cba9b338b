//! A deprecated key, under `deny(warnings)`: the derive may use what it implements without a warning.
#![deny(warnings)]

use redis_keys::KeySegment;
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

/// An old type.
#[deprecated = "`u64` is shorter"]
#[derive(KeySegment)]
pub struct OldId(pub u64);

/// A key that may go on with it.
#[allow(deprecated)]
#[derive(RedisKey)]
#[redis_key(deprecated:{id}:list, value = u64, ttl = 1h)]
pub struct ById {
    /// Whose.
    pub id: OldId,
}

/// An old key, of which the compiler is asked whether it can be the same as that one.
#[deprecated = "`ById` has it"]
#[derive(RedisKey)]
#[redis_key(deprecated:all:list, value = u64, ttl = 1h)]
pub struct OldAll;

/// One of any type.
#[deprecated = "`ById` has it"]
#[derive(RedisKey)]
#[redis_key(deprecated:{id}:set, value = u64, ttl = 1h)]
pub struct OldAny<T> {
    /// Whose.
    pub id: T,
}
