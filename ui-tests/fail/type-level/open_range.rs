// A range of positions has an end, of type `u32`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, ttl = 1h)]
struct Recent {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(game:scores:{id}:zset, value = u64, ttl = 1h)]
struct Scores {
    id: u64,
}

fn main() {
    let len: usize = 10;
    let _ = Recent { id: 1 }.lrange(0..);
    let _ = Recent { id: 1 }.ltrim(..);
    let _ = Recent { id: 1 }.lrange(0..len);
    let _ = Scores { id: 1 }.zrange(5..);
}
