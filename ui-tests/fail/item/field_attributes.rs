// A field's attribute is `digest` or `base32`.
use redis_keys::prelude::*;

// A typo in a field's attribute.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributeSlip {
    #[redis_key(digst)]
    id: String,
}

// An unknown option of a field.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributeUnknown {
    #[redis_key(hex)]
    id: String,
}

// A parameter has one encoding.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributeTwice {
    #[redis_key(digest, base32)]
    id: String,
}

fn main() {}
