// Roles are words of a declaration: their options stand in parentheses, and values do not name them.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, lease = 10s, refresh = 80%)]
struct CachedName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m), lease = 10s)]
struct LeasedAge {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, jitter = 10%, cache(null_ttl = 5m, ttl = 1h))]
struct Inside {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(order:lock:{id}:string, value = Lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{id}:string, limit = 100 / 1m, burst = 20)]
struct ApiLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:list, value = Job<Json<Vec<u8>>>, lease = 1m, tries = 5, ttl = 7d)]
struct Mails {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:seen:bitmap, value = Bloom<u64>, expected = 100_000, false_positives = 1%, ttl = 1d)]
struct SeenFilter;

#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, cache(null_ttl = 5m), lock)]
struct Both {
    id: u64,
}

fn main() {}
