//! Words that the project abbreviates, except for the type and for listed modules.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(economic:file.path:{id}:string, value = String, ttl = 1d)]
struct Path {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:of.economic:{id}:economic.data:string", value = String, ttl = 1d)]
struct Data {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:file:{id}:path:string, value = String, ttl = 1d)]
struct Apart {
    id: u64,
}

fn main() {
    let _ = (Path { id: 1 }.get(), Data { id: 1 }.get(), Apart { id: 1 }.get());
}
