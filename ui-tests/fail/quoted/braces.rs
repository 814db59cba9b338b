// Braces that don't belong together, which Rust's lexer accepts only in quotes.
use redis_keys::prelude::*;

// A brace that nothing closes.
#[derive(RedisKey)]
#[redis_key("user:name:{id:string", value = u64, ttl = 1h)]
struct UnclosedBrace {
    id: u64,
}

// A brace that closes nothing.
#[derive(RedisKey)]
#[redis_key("user:name:id}:string", value = u64, ttl = 1h)]
struct LoneBrace;

fn main() {}
