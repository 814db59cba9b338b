// Each size belongs to some types.
use redis_keys::prelude::*;

// A string has bytes, not elements.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_len = 10)]
struct MaxLenOfAString {
    id: u64,
}

// A string has no last elements.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, keep_last = 10)]
struct KeepLastOfAString {
    id: u64,
}

// A string has no top elements.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, keep_top = 10)]
struct KeepTopOfAString {
    id: u64,
}

// A string has no members.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_member_bytes = 1KB)]
struct MaxMemberBytesOfAString {
    id: u64,
}

// A list's members have a size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_bytes = 5KB)]
struct MaxBytesOfAList {
    id: u64,
}

// A zset keeps its top.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:zset, ttl = 1h, value = u64, keep_last = 5)]
struct KeepLastOfAZset {
    id: u64,
}

// A list keeps its last.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_top = 5)]
struct KeepTopOfAList {
    id: u64,
}

// Only strings are cached keys.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, null_ttl = 5m)]
struct NullTtlOfAList {
    id: u64,
}

// The other options of cached keys.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, ttl = 1h, field = u8, value = u64, lease = 10s, refresh = 80%)]
struct LeaseOfAHash {
    id: u64,
}

fn main() {}
