// The value of a collection is one of its elements.
use redis_keys::prelude::*;

// All elements of a list.
#[derive(RedisKey)]
#[redis_key(user:visits:{id}:list, value = Vec<u64>, ttl = 1h, renew = write, max_len = 100)]
struct Visits {
    id: u64,
}

// All members of a set.
#[derive(RedisKey)]
#[redis_key(user:tags:{id}:set, value = HashSet<String>, ttl = 1h, renew = write, max_len = 100)]
struct Tags {
    id: u64,
}

// A member with its score.
#[derive(RedisKey)]
#[redis_key(game:ranks:{id}:zset, value = (u64, f64), ttl = 1h, renew = write, keep_top = 100)]
struct Ranks {
    id: u64,
}

// A position without a member.
#[derive(RedisKey)]
#[redis_key(shop:places:{id}:geo, value = (f64, f64), ttl = 1h, renew = write, max_len = 100)]
struct Places {
    id: u64,
}

// The type of the scores.
#[derive(RedisKey)]
#[redis_key(game:scores:{id}:zset, value = u64, score = f64, ttl = 1h, renew = write, keep_top = 100)]
struct Scores {
    id: u64,
}

fn main() {}
