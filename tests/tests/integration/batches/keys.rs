//! The keys of these tests.

use redis_keys::prelude::*;

/// Text that shows in which order commands appended to it.
#[derive(RedisKey)]
#[redis_key(batch:log:{id}:string, value = String, ttl = 1h, max_bytes = 1MB, allow(uncompressed, reason = "its size counts"))]
pub(crate) struct Log {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(batch:count:{id}:string, value = u64, ttl = 1h)]
pub(crate) struct Count {
    pub(crate) id: u32,
}

/// Keys in one slot.
#[derive(RedisKey)]
#[redis_key(batch:tagged.log:{#tag}:{id}:string, value = String, ttl = 1h)]
pub(crate) struct TaggedLog {
    pub(crate) tag: u32,
    pub(crate) id: u32,
}

/// Keys in one slot.
#[derive(RedisKey)]
#[redis_key(batch:tagged.count:{#tag}:{id}:string, value = u64, ttl = 1h)]
pub(crate) struct TaggedCount {
    pub(crate) tag: u32,
    pub(crate) id: u32,
}

/// Reads renew the expiry if less than ten minutes are left.
#[derive(RedisKey)]
#[redis_key(batch:below:{id}:string, value = String, ttl = 1h, renew = below(10m))]
pub(crate) struct Below {
    pub(crate) id: u32,
}

/// Whose elements tell in which order the commands ran.
#[derive(RedisKey)]
#[redis_key(batch:events:{id}:list, value = String, ttl = 1h, max_len = 100)]
pub(crate) struct Events {
    pub(crate) id: usize,
}
