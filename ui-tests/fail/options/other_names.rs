// Other names of options.
use redis_keys::prelude::*;

// Another name of `jitter`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, spread = 5m)]
struct Spread {
    id: u64,
}

// Another name of `renew`, as a switch.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, sliding = true)]
struct Sliding {
    id: u64,
}

// Another name of `max_bytes`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_size = 64KB)]
struct MaxSize {
    id: u64,
}

// Another name of `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, type = String, ttl = 1h)]
struct Type {
    id: u64,
}

// Another name of `field`.
#[derive(RedisKey)]
#[redis_key(user:names:{id}:hash, key = String, value = String, ttl = 1h)]
struct Key {
    id: u64,
}

fn main() {}
