//! Behind `cfg_attr`, on the struct and on a field.

use redis_keys::prelude::*;

/// Declared behind a condition.
#[cfg_attr(all(), derive(RedisKey), redis_key(cfgattr:name:{user_id}:string, value = String, ttl = 1h))]
pub struct Name {
    /// Whose.
    #[cfg_attr(any(), redis_key(nobody_reads_this))]
    pub user_id: u64,
    /// A field that is not there.
    #[cfg(any())]
    pub page: f64,
}

/// Declared behind one condition, and described behind another.
#[cfg_attr(all(), derive(RedisKey))]
#[cfg_attr(all(), redis_key("cfgattr:mail:{0}:string", value = String, ttl = "1h"))]
#[cfg_attr(any(), redis_key(cfgattr:never:{0}:string))]
pub struct Mail(pub u64);

#[test]
fn the_attribute_is_read() {
    crate::assert_key(&Name { user_id: 42 }, "cfgattr:name:42:string");
    crate::assert_key(&Mail(42), "cfgattr:mail:42:string");
}
