//! Underlines in a key that is too long by what the usual types can print.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{a}:{b}:{c}:string, value = u64, ttl = 1h)]
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// key-length: shorten it: the literal text has 19 bytes, `a` up to 39, `b` up to 39, `c` up to 39
struct Numbers {
    a: u128,
    b: u128,
    c: u128,
}

#[derive(RedisKey)]
#[redis_key("user:name:{a}:{b}:{c}:string", value = u64, ttl = 1h)]
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// key-length: shorten it: the literal text has 19 bytes, `a` up to 39, `b` up to 39, `c` up to 39
struct QuotedTemplate {
    a: u128,
    b: u128,
    c: u128,
}

fn main() {}
