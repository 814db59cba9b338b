// A command that nobody runs does nothing.
#![deny(unused_must_use)]
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {
    let case = Case { id: 42 };
    case.set(&5);
    case.set_nx(&5);
    case.get();
}
