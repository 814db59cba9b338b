// How often and how long a job is tried.
use redis_keys::prelude::*;

// A short lease.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:zset, value = Job<String>, ttl = 7d, lease = 500ms)]
struct Short {
    id: u64,
}

// A long one.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:zset, value = Job<String>, ttl = 7d, lease = 2h)]
struct Long {
    id: u64,
}

// Many tries.
#[derive(RedisKey)]
#[redis_key(queue:third:{id}:zset, value = Job<String>, ttl = 7d, tries = 100)]
struct Often {
    id: u64,
}

// More than the ttl, by the lease.
#[derive(RedisKey)]
#[redis_key(queue:fourth:{id}:zset, value = Job<String>, ttl = 7m, lease = 2m, tries = 5)]
struct LongerThanTtl {
    id: u64,
}

// By the tries.
#[derive(RedisKey)]
#[redis_key(queue:fifth:{id}:zset, value = Job<String>, ttl = 30m, tries = 40)]
struct MoreThanTtl {
    id: u64,
}

// By what they usually are.
#[derive(RedisKey)]
#[redis_key(queue:sixth:{id}:zset, value = Job<String>, ttl = 1m)]
struct ShortTtl {
    id: u64,
}

// Without a job.
#[derive(RedisKey)]
#[redis_key(queue:seventh:{id}:zset, value = String, ttl = 7d, lease = 1m, tries = 5)]
struct NoJob {
    id: u64,
}

// The names of other libraries.
#[derive(RedisKey)]
#[redis_key(queue:eighth:{id}:zset, value = Job<String>, ttl = 7d, visibility_timeout = 30, max_attempts = 3)]
struct OtherNames {
    id: u64,
}

fn main() {}
