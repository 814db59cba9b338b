//! The keys of the tests.

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

/// A number whose copies end only with its changes, as far as tests are concerned.
#[derive(Clone, RedisKey)]
#[redis_key(near:number:{#id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m))]
pub(super) struct Number {
    pub(super) id: u64,
}

/// Another key in the slot of a number.
#[derive(RedisKey)]
#[redis_key(near:beside:{#id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m))]
pub(super) struct Beside {
    pub(super) id: u64,
}

/// A number whose copies live for a second.
#[derive(RedisKey)]
#[redis_key(near:brief:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 1s))]
pub(super) struct Brief {
    pub(super) id: u64,
}

/// A text, whose value is not plain memory.
#[derive(RedisKey)]
#[redis_key(near:text:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m))]
pub(super) struct Text {
    pub(super) id: u64,
}

/// A number that is refreshed.
#[derive(RedisKey)]
#[redis_key(
    near:refreshed:{id}:string, value = u64, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, refresh = 50%, near = 10m),
)]
pub(super) struct Refreshed {
    pub(super) id: u64,
}

/// The same, with a short lease.
#[derive(RedisKey)]
#[redis_key(
    near:refreshed.briefly:{id}:string, value = u64, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, refresh = 50%, near = 10m, lease = 1s),
)]
pub(super) struct RefreshedBriefly {
    pub(super) id: u64,
}

/// A value that cannot always be cloned. It needs no `drop`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Fragile {
    pub(super) breaks: bool,
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(!self.breaks, "this value cannot be cloned");
        Self { breaks: false }
    }
}

#[derive(RedisKey)]
#[redis_key(near:fragile:{id}:string, value = Json<Fragile>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m))]
pub(super) struct FragileOf {
    pub(super) id: u64,
}

/// The same in the heap.
#[derive(RedisKey)]
#[redis_key(
    near:boxed:{id}:string, value = Json<Box<Fragile>>, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, near = 10m),
)]
pub(super) struct BoxedOf {
    pub(super) id: u64,
}

/// A key whose text is older than its template.
#[derive(Clone, RedisKey)]
#[redis_key(
    near:adopted:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m),
    legacy = "Number/{id}",
)]
pub(super) struct Adopted {
    pub(super) id: u64,
}

/// A key that had another text before.
#[derive(Clone, RedisKey)]
#[redis_key(
    near:renamed:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m),
    formerly = "Renamed/{id}",
)]
pub(super) struct Renamed {
    pub(super) id: u64,
}
