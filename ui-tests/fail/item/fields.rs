// A field has one attribute, which is `digest` or `base32`.
use redis_keys::prelude::*;
use std::marker::PhantomData;

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
struct UnknownFieldAttribute {
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

// A parameter has one encoding, in two attributes as in one.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributesTwice {
    #[redis_key(digest)]
    #[redis_key(base32)]
    id: String,
}

// A field's attribute is not empty.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributeEmpty {
    #[redis_key()]
    id: String,
}

// A field's attribute is not empty.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributeWord {
    #[redis_key]
    id: String,
}

// The options of a field are in parentheses.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct FieldAttributeValue {
    #[redis_key = "digest"]
    id: String,
}

// `digest` and `base32` apply to whole values, and not to shards.
#[derive(RedisKey)]
#[redis_key(user:name:{id % 1000}:string, value = u64, ttl = 1h)]
struct Shard {
    #[redis_key(digest)]
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Phantom {
    id: u64,
    #[redis_key(base32)]
    of: PhantomData<u8>,
}

fn main() {}
