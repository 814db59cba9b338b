// Types that people try as parameters: each with a suggestion, at the field's type.
use redis_keys::KeySegment;
use redis_keys::prelude::*;
use std::collections::HashSet;
use std::time::Duration;

#[derive(RedisKey)]
#[redis_key(user:name:{amount}:string, value = u64, ttl = 1h)]
struct AFloat {
    amount: f64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct AnOption {
    id: Option<u64>,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Bytes {
    id: Vec<u8>,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Array {
    id: [u8; 16],
}

#[derive(RedisKey)]
#[redis_key(user:name:{ids}:string, value = u64, ttl = 1h)]
struct ManyValues {
    ids: HashSet<u64>,
}

#[derive(RedisKey)]
#[redis_key(user:name:{letter}:string, value = u64, ttl = 1h)]
struct ACharacter {
    letter: char,
}

#[derive(RedisKey)]
#[redis_key(user:name:{place}:string, value = u64, ttl = 1h)]
struct Pair {
    place: (u8, u8),
}

#[derive(RedisKey)]
#[redis_key(user:name:{at}:string, value = u64, ttl = 1h)]
struct ATime {
    at: Duration,
}

#[derive(RedisKey)]
#[redis_key(user:name:{amount}:string, value = u64, ttl = 1h)]
struct BehindAReference<'a> {
    amount: &'a f64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct ByPath {
    id: std::option::Option<u64>,
}

#[derive(RedisKey)]
#[redis_key(user:name:{0}:{1}:string, value = u64, ttl = 1h)]
struct WithoutNames(f32, Option<u8>);

// What is inside a newtype is a parameter type itself.
#[derive(KeySegment)]
struct Wait(Duration);

fn main() {}
