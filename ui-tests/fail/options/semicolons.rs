// Commas separate options.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string; value = u64; ttl = 1h)]
struct Name {
    id: u64,
}

fn main() {}
