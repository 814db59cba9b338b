// What a near copy needs is reported at the value's type.
use std::cell::Cell;

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Profile {
    name: String,
}

// A copy is cloned for each caller.
#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = Zstd<Json<Profile>>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10s))]
struct NotClone {
    id: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Views {
    count: Cell<u64>,
}

// All threads share it.
#[derive(RedisKey)]
#[redis_key(user:views:{id}:string, value = Json<Views>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10s))]
struct NotShared {
    id: u64,
}

// Without copies, nothing is needed.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct NoCopies {
    id: u64,
}

// A type parameter is what its user makes it.
#[derive(RedisKey)]
#[redis_key(user:any:{id}:string, value = Json<T>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10s))]
struct Any<T> {
    id: u64,
    value: std::marker::PhantomData<T>,
}

fn main() {}
