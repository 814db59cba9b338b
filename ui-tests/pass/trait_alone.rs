//! With `use redis_keys::RedisKey` alone: one name, for the derive and for the trait.

use redis_keys::RedisKey;

/// A key.
#[derive(RedisKey)]
#[redis_key(traitalone:name:{user_id}:string, value = String, ttl = 1h)]
pub struct Name {
    /// Whose.
    pub user_id: u64,
}

/// Uses an accessor of every key with this one import.
pub fn forget(key: &impl RedisKey) -> redis_keys::Command<bool> {
    key.unlink()
}

#[test]
fn one_import_is_enough() {
    let key = Name { user_id: 42 };
    assert_eq!(key.key().map(|key| key.to_string()).ok().as_deref(), Some("traitalone:name:42:string"));
    assert_eq!(Name::SCHEMA.name, "Name");
    drop(forget(&key));
}
