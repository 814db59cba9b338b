// Locks, limits and queues of jobs with one mistake each, and bounds that they meet.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(order:first:{id}:string, value = lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{id}:string, limit = "100/min")]
struct ApiLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:login:{id}:string, rate = 5 / 1m)]
struct LoginLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:zset, value = job<String>, ttl = 7d)]
struct Mails {
    id: u64,
}

// Copies of what has no value.
#[derive(RedisKey)]
#[redis_key(order:held:{copy}:string, value = Lock, ttl = 30s, copies = 8)]
struct Copies;

fn of_locks(_: impl LockKey) {}
fn of_limits(_: impl LimitKey) {}
fn of_jobs<K: JobKey<Value = String>>(_: K) {}

fn main() {
    of_locks(OrderLock { id: 42 });
    of_locks(Copies);
    of_limits(ApiLimit { id: 42 });
    of_limits(LoginLimit { id: 42 });
    of_jobs(Mails { id: 42 });
}
