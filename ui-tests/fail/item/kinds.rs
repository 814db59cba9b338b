// A key is a struct.
use redis_keys::prelude::*;

// A key is a struct, not an enum.
#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
enum Enum {
    One,
    Two,
}

// An item that is not a struct is reported together with all else.
#[derive(RedisKey)]
#[redis_key(user:basicInfo:all:string, value = u64, ttl = 1h)]
enum EnumWithAWrongTemplate {
    One,
}

// A key is a struct, not a union.
#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
union Union {
    one: u64,
    two: i64,
}

fn main() {}
