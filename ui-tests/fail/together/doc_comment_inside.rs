// A doc comment belongs above the struct, not in the attribute.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(
    /// Who it is.
    user:name:{id}:string, value = u64, ttl = 1h
)]
struct Case {
    id: u64,
}

fn main() {}
