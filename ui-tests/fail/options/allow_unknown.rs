// `allow` names a known lint, and its reason is not empty.
use redis_keys::prelude::*;

// A typo.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, allow(long_wrod, reason = "it is the product's name"))]
struct Slip {
    id: u64,
}

// A lint of rustc's, in quotes.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, allow("dead_code", reason = "nobody reads it"))]
struct Foreign {
    id: u64,
}

// A lint of the policy file.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = 1h, allow(misspelt_module, reason = "it is called so"))]
struct OfTheFile {
    id: u64,
}

// An empty reason.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, allow(overlap, reason = ""))]
struct Empty {
    id: u64,
}

fn main() {}
