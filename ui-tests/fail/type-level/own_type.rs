// A type of one's own is a parameter when it says how it is written.
use redis_keys::prelude::*;

struct UserId(u64);

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: UserId,
}

fn main() {}
