// How long a lock is held.
use redis_keys::prelude::*;

// No end.
#[derive(RedisKey)]
#[redis_key(order:first:{id}:string, value = Lock, ttl = never, reason = "one owner")]
struct Never {
    id: u64,
}

// A lease is the ttl of a lock.
#[derive(RedisKey)]
#[redis_key(order:second:{id}:string, value = Lock, lease = 10s)]
struct Lease {
    id: u64,
}

// The name of another library.
#[derive(RedisKey)]
#[redis_key(order:third:{id}:string, value = Lock, lock_timeout = 10)]
struct LockTimeout {
    id: u64,
}

// None at all.
#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, value = Lock)]
struct Missing {
    id: u64,
}

fn main() {}
