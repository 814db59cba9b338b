// Each type has accessors of its own.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
struct Name {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:recent:{user_id}:list, value = u64, ttl = 1h, max_len = 100)]
struct Recent {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:votes:{user_id}:hash, field = u64, value = i64, ttl = 1h, max_len = 100)]
struct Votes {
    user_id: u64,
}

fn ranks<K: ZSetKey>(_key: &K) {}

fn main() {
    let _ = Name { user_id: 42 }.lpush("Ada");
    let _ = Recent { user_id: 42 }.sadd(&7);
    let _ = Votes { user_id: 42 }.store(&());
    ranks(&Name { user_id: 42 });
}
