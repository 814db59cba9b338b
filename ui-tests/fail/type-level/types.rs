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

fn wrong_type() {
    let _ = Name { user_id: 42 }.lpush("Ada");
    let _ = Recent { user_id: 42 }.sadd(&7);
    let _ = Votes { user_id: 42 }.store(&());
    ranks(&Name { user_id: 42 });
}

// A cached key has no commands that would meet its markers.
#[derive(RedisKey)]
#[redis_key(user:visits:{user_id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct Visits {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:nick:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct CachedNick {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{user_id}:string, value = u8, ttl = 1h)]
struct Age {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:posts:{user_id}:list, value = u64, ttl = 1h)]
struct Posts {
    user_id: u64,
}

fn cached() {
    let _ = Visits { user_id: 42 }.incr();
    let _ = CachedNick { user_id: 42 }.append("Ada");
    let _ = CachedNick { user_id: 42 }.set_nx("Ada");
    let _ = Visits { user_id: 42 }.update(|_| Some(1));
    let _ = Age { user_id: 42 }.abandon(&redis_keys::cache::Token::random());
    // Other strings than cached keys have it as well.
    let _ = Posts { user_id: 42 }.get();
}

// A range of positions has an end, of type `u32`.
#[derive(RedisKey)]
#[redis_key(user:pages:{id}:list, value = u64, ttl = 1h)]
struct Pages {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(game:scores:{id}:zset, value = u64, ttl = 1h)]
struct Scores {
    id: u64,
}

fn open_range() {
    let len: usize = 10;
    let _ = Pages { id: 1 }.lrange(0..);
    let _ = Pages { id: 1 }.ltrim(..);
    let _ = Pages { id: 1 }.lrange(0..len);
    let _ = Scores { id: 1 }.zrange(5..);
}

fn main() {}
