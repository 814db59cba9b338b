// A key starts with an English letter.
use redis_keys::prelude::*;

// A key starts with an English letter: a number names no module.
#[derive(RedisKey)]
#[redis_key(12345:{id}:string, value = u64, ttl = 1h)]
struct ModuleIsANumber {
    id: u64,
}

// A key starts with an English letter: a digit is none.
#[derive(RedisKey)]
#[redis_key(2fa.codes:{id}:string, value = u64, ttl = 1h)]
struct ModuleStartsWithADigit {
    id: u64,
}

fn main() {}
