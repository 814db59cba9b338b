//! A key without a doc comment, with the lint enabled.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    id: u64,
}

/// The number of visits of a user.
#[derive(RedisKey)]
#[redis_key(user:visits:{id}:string, value = u64, ttl = 1h)]
struct Visits {
    id: u64,
}

fn main() {
    let _ = (Name { id: 1 }.get(), Visits { id: 1 }.get());
}
