// Signs that Rust's lexer accepts only in quotes.
use redis_keys::prelude::*;

// A quote that Rust's lexer accepts only in quotes.
#[derive(RedisKey)]
#[redis_key("user:it's:{id}:string", value = u64, ttl = 1h)]
struct QuoteInside {
    id: u64,
}

// A backslash that Rust's lexer accepts only in quotes.
#[derive(RedisKey)]
#[redis_key(r"user\name:{id}:string", value = u64, ttl = 1h)]
struct Backslash {
    id: u64,
}

// What would start a comment outside of quotes.
#[derive(RedisKey)]
#[redis_key("user//name:{id}:string", value = u64, ttl = 1h)]
struct CommentSigns {
    id: u64,
}

// White space between two words.
#[derive(RedisKey)]
#[redis_key("user:basic info:{id}:string", value = u64, ttl = 1h)]
struct WhiteSpace {
    id: u64,
}

fn main() {}
