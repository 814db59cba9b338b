// Segments are separated by `:` alone.
use redis_keys::prelude::*;

// Segments are separated by `:`, not by `/`.
#[derive(RedisKey)]
#[redis_key(user/name:{id}:string, value = u64, ttl = 1h)]
struct Slash {
    id: u64,
}

// Segments are separated by `:`, not by `|`.
#[derive(RedisKey)]
#[redis_key(user|name:{id}:string, value = u64, ttl = 1h)]
struct Pipe {
    id: u64,
}

// Segments are separated by `:`, not by `>`.
#[derive(RedisKey)]
#[redis_key(user>name:{id}:string, value = u64, ttl = 1h)]
struct Arrow {
    id: u64,
}

// Segments are separated by `:`, not by `;`.
#[derive(RedisKey)]
#[redis_key(user;name:{id}:string, value = u64, ttl = 1h)]
struct Semicolon {
    id: u64,
}

fn main() {}
