// Locks, limits and queues of jobs are no other strings and zsets.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{id}:string, limit(100 / 1m))]
struct ApiLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:zset, value = String, ttl = 7d, jobs)]
struct Mails {
    id: u64,
}

// Not a stored form.
struct Mail;

#[derive(RedisKey)]
#[redis_key(queue:letter:{id}:zset, value = Mail, ttl = 7d, jobs)]
struct Letters {
    id: u64,
}

// A value of a type of one's own is none of ours.
struct Lock<T>(T);

#[derive(RedisKey)]
#[redis_key(user:lock:{id}:string, value = Lock<u64>, ttl = 30s)]
struct Own {
    id: u64,
}

fn of_locks(_: impl LockKey) {}
fn of_limits(_: impl LimitKey) {}
fn of_jobs(_: impl JobKey) {}

fn main() {
    let _ = OrderLock { id: 42 }.append("Ada");
    let _ = ApiLimit { id: 42 }.incr();
    let _ = Mails { id: 42 }.zadd("a", 1.0);
    of_locks(ApiLimit { id: 42 });
    of_limits(Mails { id: 42 });
    of_jobs(OrderLock { id: 42 });
}
