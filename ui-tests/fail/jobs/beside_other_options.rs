// Options that a queue of jobs cannot have.
use redis_keys::prelude::*;

// It is renewed already.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:zset, value = Job<String>, ttl = 7d, renew = write)]
struct Renewed {
    id: u64,
}

// It would drop what is due.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:zset, value = Job<String>, ttl = 7d, keep_top = 100)]
struct KeepTop {
    id: u64,
}

// The end of a month.
#[derive(RedisKey)]
#[redis_key(queue:third:{month}:zset, value = Job<String>, ttl = 7d, ttl_from_end_of = month)]
struct EndOfMonth {
    month: redis_keys::bucket::Month,
}

// No end.
#[derive(RedisKey)]
#[redis_key(queue:fourth:{id}:zset, value = Job<String>, ttl = never, reason = "all are done")]
struct Never {
    id: u64,
}

fn main() {}
