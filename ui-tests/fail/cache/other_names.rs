// Options of cached keys in other libraries.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, negative_ttl = 60)]
struct NegativeTtl {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, lock_timeout = 5)]
struct LockTimeout {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh_ahead = 0.75)]
struct RefreshAhead {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, stale_while_revalidate = 10m)]
struct Stale {
    id: u64,
}

fn main() {}
