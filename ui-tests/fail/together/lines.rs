// An attribute of several lines: each error is on its own.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(
    user:basicInfo:{id}:string,
    value = u64,
    ttl = 3600,
    // A comment is no token.
    jiter = 5m,
)]
struct Case {
    id: u64,
}

fn main() {}
