//! The keys of the packages that have none of their own.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u8, ttl = 2h)]
struct Age {
    id: u64,
}

fn main() {
    let _ = (Name { id: 1 }.get(), Age { id: 1 }.get());
}
