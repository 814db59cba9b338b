// The ttl counts from the end of what has one.
use redis_keys::{KeySegment, prelude::*};

#[derive(KeySegment)]
struct Booked(u32);

#[derive(RedisKey)]
#[redis_key(user:tasks:{month}:set, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct ANumber {
    month: u32,
}

#[derive(RedisKey)]
#[redis_key(user:plans:{day}:set, value = u64, ttl = 1h, ttl_from_end_of = day)]
struct ANewtype {
    day: Booked,
}

fn main() {}
