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

#[derive(RedisHash)]
struct Visit {
    page: u64,
}

#[derive(RedisKey)]
#[redis_key(game:visits:{id}:stream, value = Visit, ttl = 1d, keep_last = ~100_000)]
struct Visits {
    id: u64,
}

/// Up to 5000 entries, and more with a reason, make no big log.
#[derive(RedisKey)]
#[redis_key(game:moves:{id}:stream, value = Visit, ttl = 1d, keep_last = 5000)]
struct Moves {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(game:log:stream, value = Visit, ttl = 1d, keep_last = 1_000_000, allow(big_collection, reason = "a day's log"))]
struct Log;

fn main() {
    let _ = (Visits { id: 1 }.xlen(), Moves { id: 1 }.xlen(), Log.xlen(), Visit { page: 1 }.page);
    let _ = (Friends { id: 1 }.scard(), Recent { id: 1 }.llen(), Scores { id: 1 }.zcard(), Players { id: 1 }.scard());
}
