// Absent values are kept no longer than present ones.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, null_ttl = 2h)]
struct Case {
    id: u64,
}

fn main() {}
