// A missing value causes no errors where the key is used.
use redis_keys::prelude::*;
use redis_keys::redis;

#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {
    let key = Case { id: 42 };
    println!("{} {:?}", key.key().unwrap(), Case::SCHEMA.template);
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    key.set(&Profile { name: "Ada".to_owned() }).keep_ttl().query(&mut con).unwrap();
    let found = key.get().query(&mut con).unwrap().unwrap();
    println!("{} {}", found.name, found.name.len());
    let Profile { name } = key.get_del().query(&mut con).unwrap().unwrap();
    println!("{name} {:?}", key.unlink().query(&mut con));
}
