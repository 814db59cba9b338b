// In quotes the message shows the place.
use redis_keys::prelude::*;

// In quotes the message shows the place.
#[derive(RedisKey)]
#[redis_key("user:basicInfo:{id}:string", value = u64, ttl = 1h)]
struct Word {
    id: u64,
}

// In a raw string too.
#[derive(RedisKey)]
#[redis_key(r#"user:basicInfo:{id}:string"#, value = u64, ttl = 1h)]
struct RawString {
    id: u64,
}

// The place is counted in characters.
#[derive(RedisKey)]
#[redis_key("user:café:Info:{id}:string", value = u64, ttl = 1h)]
struct ForeignLetters {
    id: u64,
}

// A typo in a field's name.
#[derive(RedisKey)]
#[redis_key("user:name:{user_idd}:string", value = u64, ttl = 1h)]
struct SlipInAField {
    user_id: u64,
}

// A typo in the type.
#[derive(RedisKey)]
#[redis_key("user:name:{id}:strng", value = u64, ttl = 1h)]
struct Type {
    id: u64,
}

fn main() {}
