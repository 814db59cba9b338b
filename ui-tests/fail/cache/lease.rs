// A lease that is too long, too short or no duration.
use redis_keys::prelude::*;

// A long one.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, lease = 6m)]
struct Long {
    id: u64,
}

// A short one.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, lease = 50ms)]
struct Short {
    id: u64,
}

// One that outlives the value.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1m, jitter = 10%, null_ttl = 5s, lease = 2m)]
struct AboveTtl {
    id: u64,
}

// A number without a unit.
#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, lease = 10)]
struct NoUnit {
    id: u64,
}

// Nothing is loaded in no time.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, lease = 0s)]
struct Zero {
    id: u64,
}

fn main() {}
