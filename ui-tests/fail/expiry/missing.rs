// Every key expires. The suggestion depends on the module.
use redis_keys::prelude::*;

// Every key expires.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64)]
struct Missing {
    id: u64,
}

// Every key expires. The suggestion depends on the module.
#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64)]
struct MissingForCache {
    id: u64,
}

// Every key expires. The suggestion depends on the module.
#[derive(RedisKey)]
#[redis_key(session:name:{id}:string, value = u64)]
struct MissingForSession {
    id: u64,
}

// Every key expires. The suggestion depends on the module.
#[derive(RedisKey)]
#[redis_key(lock:name:{id}:string, value = Lock)]
struct MissingForLock {
    id: u64,
}

fn main() {}
