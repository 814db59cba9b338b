// The most of a value, and of a member, is 1MB.
use redis_keys::prelude::*;

// The most is 1MB.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 2MB)]
struct TooMuch {
    id: u64,
}

// The most of a member is 1MB, too.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:set, ttl = 1h, value = u64, max_member_bytes = 2MB)]
struct TooLargeMembers {
    id: u64,
}

fn main() {}
