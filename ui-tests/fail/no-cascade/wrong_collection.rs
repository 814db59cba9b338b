// A wrong collection causes no errors where the key is used.
use redis_keys::prelude::*;
use redis_keys::redis;

#[derive(RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, keep_last = 9000)]
struct Case {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{id}, value = String, ttl = 1h, keep_last = 10)]
struct Unknown {
    id: u64,
}

fn main() {
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    let key = Case { id: 42 };
    let len: u64 = key.lpush(&7).query(&mut con).unwrap() + key.llen().query(&mut con).unwrap();
    let items: Vec<u64> = key.lrange(0..10).query(&mut con).unwrap();
    println!("{len} {items:?} {:?}", key.purge().query(&mut con));
    let key = Unknown { id: 42 };
    key.lpush("a").query(&mut con).unwrap();
    let items = key.lrange(0..10).query(&mut con).unwrap();
    println!("{} {:?}", items.len(), key.unlink().query(&mut con));
}
