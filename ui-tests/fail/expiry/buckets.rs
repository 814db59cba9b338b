// A ttl counts from the end of a bucket that is a parameter.
use redis_keys::prelude::*;

// A slip of the pen in a span of the calendar.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = mouth)]
struct BucketSlip {
    id: u64,
}

// What is no span of the calendar.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = decade)]
struct BucketUnknown {
    id: u64,
}

// A bucket is a parameter of the key.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct BucketWithoutField {
    id: u64,
}

fn main() {}
