// A word of a key may be any word, `type` too, and needs no `r#`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:r#type:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
