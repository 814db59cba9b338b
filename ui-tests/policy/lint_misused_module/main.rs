//! Key types and values that are unusual for a module.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(lock:cart:{id}:string, value = String, ttl = 30s)]
struct OwnLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:calls:{id}:string, value = u64, ttl = 1m)]
struct OwnLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(lock:orders:{id}:set, value = String, ttl = 30s)]
struct LockOfOthers {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("queue:mail:{id}:set", value = String, ttl = 1d)]
struct Queue {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(counter:views:{id}:string, value = i64, ttl = 1d)]
struct Counter {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(counter:visitors:{id}:hyperloglog, value = String, ttl = 1d)]
struct Visitors {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(counter:page:{id}:string, value = Json<Vec<u64>>, ttl = 1d)]
struct CounterOfMany {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(counter:pages:{id}:hash, field = String, value = f64, ttl = 1d)]
struct CounterOfFractions {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(counter:best:{id}:zset, value = String, ttl = 1d)]
struct NoCounter {
    id: u64,
}

fn main() {
    let _ = (OrderLock { id: 1 }.exists(), OwnLock { id: 1 }.get(), OwnLimit { id: 1 }.get());
    let _ = (LockOfOthers { id: 1 }.scard(), Queue { id: 1 }.scard(), Counter { id: 1 }.get());
    let _ = (CounterOfMany { id: 1 }.get(), CounterOfFractions { id: 1 }.hlen(), NoCounter { id: 1 }.zcard());
    let _ = Visitors { id: 1 }.pfcount();
}
