// A ttl counts from the end of a bucket that is a parameter.
use redis_keys::{
    parameter::bucket::{Day, Month},
    prelude::*,
};

// A typo in a calendar bucket.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = mouth)]
struct BucketSlip {
    id: u64,
}

// An unknown calendar bucket.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = decade)]
struct UnknownBucket {
    id: u64,
}

// A bucket is a parameter of the key.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct BucketWithoutField {
    id: u64,
}

// A field that holds the bucket, under another name.
#[derive(RedisKey)]
#[redis_key(user:name:{d}:string, value = u64, ttl = 1h, ttl_from_end_of = d)]
struct BucketByItsField {
    d: Month,
}

#[derive(RedisKey)]
#[redis_key(user:age:{d}:string, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct BucketUnderAnotherName {
    d: Month,
}

// A field that holds no bucket.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, ttl_from_end_of = id)]
struct BucketOfAnotherField {
    id: u64,
}

// An expiry that counts from the end of a bucket is not started anew.
#[derive(RedisKey)]
#[redis_key(user:name:{day}:string, value = u64, ttl = 1h, renew = read, ttl_from_end_of = day)]
struct BucketAndRenew {
    day: Day,
}

// What never expires counts from nothing.
#[derive(RedisKey)]
#[redis_key(user:name:{day}:string, value = u64, ttl = never, reason = "the books", rebuild = "from the books", ttl_from_end_of = day)]
struct BucketAndNever {
    day: Day,
}

// A shard has no end.
#[derive(RedisKey)]
#[redis_key(user:name:{year % 2}:string, value = u64, ttl = 1h, ttl_from_end_of = year)]
struct ShardOfABucket {
    year: u32,
}

fn main() {}
