// A record is not empty.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Unit;

#[derive(RedisHash)]
struct Empty {}

#[derive(RedisHash)]
struct Phantom<T> {
    of: std::marker::PhantomData<T>,
}

fn main() {}
