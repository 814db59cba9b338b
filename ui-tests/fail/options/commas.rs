// Options are separated by commas.
use redis_keys::prelude::*;

// A comma before the template.
#[derive(RedisKey)]
#[redis_key(, user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingComma {
    id: u64,
}

// A comma is missing before each of two options.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string ttl = 1h jitter = 5m, value = u64)]
struct MissingComma {
    id: u64,
}

// A comma is missing after a type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Vec<u8> ttl = 1h)]
struct MissingCommaAfterType {
    id: u64,
}

// Two commas without an option between them.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h,, jitter = 5m)]
struct TwoCommas {
    id: u64,
}

// Commas separate options.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string; value = u64; ttl = 1h)]
struct Name {
    id: u64,
}

fn main() {}
