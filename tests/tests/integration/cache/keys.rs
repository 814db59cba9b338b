//! The keys of the tests.

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

/// A name, whose lease is longer than any test: what waits for its end fails.
#[derive(PartialEq, Eq, Hash, RedisKey)]
#[redis_key(cached:name:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 5m))]
pub(super) struct Name {
    pub(super) id: u32,
}

/// A name with a short lease.
#[derive(RedisKey)]
#[redis_key(cached:hasty:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 300ms))]
pub(super) struct Hasty {
    pub(super) id: u32,
}

/// A name that is refreshed.
#[derive(RedisKey)]
#[redis_key(
    cached:refreshed:{id}:string, value = String, ttl = 1h, jitter = 5m,
    cache(null_ttl = 10m, lease = 5m, refresh = 50%)
)]
pub(super) struct RefreshedText {
    pub(super) id: u32,
}

/// A document that is not `Clone`. With NaN it has no stored form.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Document {
    pub(super) title: String,
    pub(super) score: Option<f64>,
}

#[derive(RedisKey)]
#[redis_key(
    cached:document:{id}:string, value = Json<Document>, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, lease = 5m),
)]
pub(super) struct DocumentOf {
    pub(super) id: u32,
}

/// A value of at most 10 bytes.
#[derive(RedisKey)]
#[redis_key(
    cached:small:{id}:string, value = String, ttl = 1h, jitter = 5m, max_bytes = 10B,
    cache(null_ttl = 5m, lease = 5m)
)]
pub(super) struct Small {
    pub(super) id: u32,
}

/// A key of text that users write.
#[derive(RedisKey)]
#[redis_key(cached:search:{term}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
pub(super) struct Search {
    pub(super) term: String,
}
