// A batch of several commands takes them as a tuple.
use redis_keys::{batch, prelude::*};

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    id: u64,
}

fn main() {
    let _ = batch(Name { id: 1 }.get(), Name { id: 2 }.get());
}
