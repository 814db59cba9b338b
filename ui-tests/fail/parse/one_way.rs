// Keys with parts that do not tell what they are made of.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:tags:{id % 1000}:set, value = String, ttl = 1h)]
struct Tags {
    id: u64,
}

fn main() {
    let _ = Tags { id: 1 }.scard();
    let _ = Tags::parse("user:tags:1:set");
}
