// A whole number is counted by whole numbers.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {
    let _ = Case { id: 42 }.incr_by_float(0.5);
}
