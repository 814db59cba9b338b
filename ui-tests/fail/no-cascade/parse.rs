// A key with a mistake is read back elsewhere, where nothing is wrong.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:Name:{id}:string, value = String, ttl = 1h)]
struct Name<T> {
    id: T,
}

fn main() {
    let name = Name::<u64>::parse("user:name:1:string").unwrap();
    let _: u64 = name.id;
}
