// A placeholder names no field.
use redis_keys::prelude::*;

// The one field that is left has another name.
#[derive(RedisKey)]
#[redis_key(user:name:{page}:string, value = u64, ttl = 1h)]
struct OtherName {
    user_id: u64,
}

// The struct has no fields.
#[derive(RedisKey)]
#[redis_key(user:name:{page}:string, value = u64, ttl = 1h)]
struct NoFields;

// A field with a name has no number.
#[derive(RedisKey)]
#[redis_key(user:name:{0}:string, value = u64, ttl = 1h)]
struct NumberForAName {
    id: u64,
}

fn main() {}
