// A record owns its values.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case<'a> {
    id: u64,
    of: std::marker::PhantomData<&'a str>,
}

fn main() {}
