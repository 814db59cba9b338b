// Attributes of fields that this version lacks.
use redis_keys::prelude::*;

// A field attribute that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Digest {
    #[redis_key(digest)]
    id: String,
}

// A field attribute that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Base32 {
    #[redis_key(base32)]
    id: String,
}

fn main() {}
