// A wrong name causes no errors where the key is used.
use redis_keys::prelude::*;
use redis_keys::redis;

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {
    let key = Case { id: 42 };
    println!("{} {:?}", key.key().unwrap(), Case::SCHEMA.template);
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    key.set(&5).expire_in(std::time::Duration::from_secs(5)).query(&mut con).unwrap();
    let sum: u64 = key.get().query(&mut con).unwrap().unwrap_or_default() + key.incr().query(&mut con).unwrap();
    let many = Case::get_many([&key]).query(&mut con).unwrap();
    println!("{sum} {} {:?}", many.len(), key.ttl().query(&mut con));
}
