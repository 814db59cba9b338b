//! Collections of many elements. One without a declared size gets no warning.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:friends:{id}:set, value = u64, ttl = 1d, max_len = 5000)]
struct Friends {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, ttl = 1d, keep_last = 1001)]
struct Recent {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(game:scores:{id}:zset, value = u64, ttl = 1d, keep_top = "2000")]
struct Scores {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(game:players:{id}:set, value = u64, ttl = 1d)]
struct Players {
    id: u64,
}

fn main() {
    let _ = (Friends { id: 1 }.scard(), Recent { id: 1 }.llen(), Scores { id: 1 }.zcard(), Players { id: 1 }.scard());
}
