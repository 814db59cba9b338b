// A generic key needs a parameter that can be one: the message is about the parameter.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name<T> {
    id: T,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{id}:set, value = String, ttl = 1h)]
struct Tags<T> {
    id: T,
}

struct Point;

fn names<K: StringKey>(_: K) {}

fn main() {
    let _ = Name { id: 1.5 }.get();
    names(Name { id: 1.5 });
    let _ = Tags { id: Point }.scard();
}
