// A `PhantomData` has no value.
use redis_keys::prelude::*;

use std::marker::PhantomData;

#[derive(RedisKey)]
#[redis_key(user:name:{of}:string, value = u64, ttl = 1h)]
struct Case {
    of: PhantomData<u64>,
}

fn main() {}
