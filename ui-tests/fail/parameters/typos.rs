// A placeholder nearly names a field.
use redis_keys::prelude::*;

// A typo in a field's name.
#[derive(RedisKey)]
#[redis_key(user:name:{user_idd}:string, value = u64, ttl = 1h)]
struct Slip {
    user_id: u64,
}

// A field's name in another language's manner.
#[derive(RedisKey)]
#[redis_key(user:name:{userId}:string, value = u64, ttl = 1h)]
struct CamelCase {
    user_id: u64,
}

// A typo in a hash tag.
#[derive(RedisKey)]
#[redis_key(user:name:{#user_idd}:string, value = u64, ttl = 1h)]
struct SlipInHashTag {
    user_id: u64,
}

// A tuple struct's fields are counted from 0.
#[derive(RedisKey)]
#[redis_key(user:name:{1}:string, value = u64, ttl = 1h)]
struct NumberOfAField(u64);

fn main() {}
