// A job has a stored form.
use redis_keys::prelude::*;

// None.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:zset, value = Job<>, ttl = 7d)]
struct Empty {
    id: u64,
}

// Parentheses.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:zset, value = Job(Json<Vec<u8>>), ttl = 7d)]
struct Parentheses {
    id: u64,
}

// Lower case.
#[derive(RedisKey)]
#[redis_key(queue:third:{id}:zset, value = job<String>, ttl = 7d)]
struct LowerCase {
    id: u64,
}

// A form in lower case.
#[derive(RedisKey)]
#[redis_key(queue:fourth:{id}:zset, value = Job<json<Vec<u8>>>, ttl = 7d)]
struct FormInLowerCase {
    id: u64,
}

// Many.
#[derive(RedisKey)]
#[redis_key(queue:fifth:{id}:zset, value = Job<Vec<String>>, ttl = 7d)]
struct Many {
    id: u64,
}

fn main() {}
