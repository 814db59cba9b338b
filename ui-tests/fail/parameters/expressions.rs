// A placeholder is no expression.
use redis_keys::prelude::*;

// A placeholder is the field's name alone.
#[derive(RedisKey)]
#[redis_key(user:name:{self.id}:string, value = u64, ttl = 1h)]
struct SelfDot {
    id: u64,
}

// A placeholder is no expression.
#[derive(RedisKey)]
#[redis_key(user:name:{id + 1}:string, value = u64, ttl = 1h)]
struct Expression {
    id: u64,
}

// A placeholder is no call.
#[derive(RedisKey)]
#[redis_key(user:name:{id.to_string()}:string, value = u64, ttl = 1h)]
struct Call {
    id: u64,
}

// A hash tag is no call.
#[derive(RedisKey)]
#[redis_key(user:name:{#id()}:string, value = u64, ttl = 1h)]
struct CallInHashTag {
    id: u64,
}

fn main() {}
