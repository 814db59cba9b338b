// What writes a new key has no expiry to keep.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {
    let _ = Case { id: 42 }.set_nx(&5).keep_ttl();
}
