// A type that this version lacks leaves what all keys can do.
use redis_keys::prelude::*;
use redis_keys::redis;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {
    let key = Case { id: 42 };
    println!("{} {:?}", key.key().unwrap(), Case::SCHEMA.template);
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    println!("{:?} {:?}", key.ttl().query(&mut con), key.unlink().query(&mut con));
}
