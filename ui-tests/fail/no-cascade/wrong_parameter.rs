// A parameter of a type that is none causes no errors where the key is used.
use redis_keys::prelude::*;
use redis_keys::redis;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: f64,
}

fn main() {
    let key = Case { id: 0.5 };
    println!("{} {:?}", key.key().unwrap(), Case::SCHEMA.template);
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    key.set(&5).query(&mut con).unwrap();
    let sum: u64 = key.get().query(&mut con).unwrap().unwrap_or_default() + key.incr().query(&mut con).unwrap();
    println!("{sum}");
}
