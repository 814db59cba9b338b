// Calls of redis-rs that have another name here.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
struct Name {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{user_id}:set, value = String, ttl = 1h)]
struct Tags {
    user_id: u64,
}

fn other_names(con: &mut redis_keys::redis::Connection) -> Result<(), Box<dyn std::error::Error>> {
    let name = Name { user_id: 42 };
    name.del().query(con)?;
    name.set_ex("Ada", 60).query(con)?;
    name.expire_at(1_700_000_000).query(con)?;
    let tags: Vec<String> = Tags { user_id: 42 }.smembers().query(con)?;
    let count: u64 = name.keys().query(con)?;
    Ok(())
}

fn in_a_generic_function<K: StringKey>(key: &K) {
    let _ = key.hgetall();
}

fn main() {}
