//! Every type of key, with its options.

use redis_keys::prelude::*;

/// A record.
#[derive(RedisHash)]
pub struct Event {
    /// The event.
    pub what: String,
}

/// Open fields.
#[derive(RedisKey)]
#[redis_key(shop:stock:{id}:hash, field = String, value = u64, ttl = 1h, max_len = 100, max_member_bytes = 1KB)]
pub struct Stock {
    /// Whose.
    pub id: u64,
}

/// A record.
#[derive(RedisKey)]
#[redis_key(shop:event:{id}:hash, value = Event, ttl = 1h)]
pub struct Record {
    /// Whose.
    pub id: u64,
}

/// Items.
#[derive(RedisKey)]
#[redis_key(shop:recent:{id}:list, value = u64, ttl = 1h, keep_last = 100)]
pub struct Recent {
    /// Whose.
    pub id: u64,
}

/// Members.
#[derive(RedisKey)]
#[redis_key(shop:tags:{id}:set, value = Json<Vec<String>>, ttl = 1h, renew = write, allow(sliding_ttl, reason = "a few tags"))]
pub struct Tags {
    /// Whose.
    pub id: u64,
}

/// Members with scores.
#[derive(RedisKey)]
#[redis_key(shop:best:{id}:zset, value = u64, ttl = 1h, keep_top = 10, renew = read)]
pub struct Best {
    /// Whose.
    pub id: u64,
}

/// Bits.
#[derive(RedisKey)]
#[redis_key(shop:days:{id}:bitmap, ttl = 366d, max_bytes = 46B)]
pub struct Days {
    /// Whose.
    pub id: u64,
}

/// An estimate.
#[derive(RedisKey)]
#[redis_key(shop:visitors:{id}:hyperloglog, value = u64, ttl = 1h)]
pub struct Visitors {
    /// Whose.
    pub id: u64,
}

/// Places.
#[derive(RedisKey)]
#[redis_key(shop:places:{id}:geo, value = String, ttl = 1h, renew = below(10m), allow(sliding_ttl, reason = "a few places"))]
pub struct Places {
    /// Whose.
    pub id: u64,
}

/// Entries.
#[derive(RedisKey)]
#[redis_key(shop:events:{id}:stream, value = Event, ttl = 1h, keep_last = ~1000)]
pub struct Events {
    /// Whose.
    pub id: u64,
}

/// A type that is open in its key.
#[derive(RedisKey)]
#[redis_key(shop:any:{id}:list, value = T, ttl = 1h)]
pub struct Any<T> {
    /// Whose.
    pub id: u64,
    /// Of what.
    pub of: std::marker::PhantomData<T>,
}
