// Options without effect.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case<T> {
    id: u64,
    #[redis_hash(default)]
    name: Option<String>,
    #[redis_hash(rename = "o")]
    of: std::marker::PhantomData<T>,
}

fn main() {}
