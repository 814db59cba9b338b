// Either nothing of the template is quoted or all of it.
use redis_keys::prelude::*;

// Either nothing of the template is quoted or all of it.
#[derive(RedisKey)]
#[redis_key(user:"name":{id}:string, value = u64, ttl = 1h)]
struct QuotedWord {
    id: u64,
}

// A character literal is a quote too.
#[derive(RedisKey)]
#[redis_key(user:'n':{id}:string, value = u64, ttl = 1h)]
struct Character {
    id: u64,
}

fn main() {}
