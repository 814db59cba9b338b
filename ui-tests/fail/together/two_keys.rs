// Each of two keys reports its own errors.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basic_info:{user_id}:strng, value = String, ttl = 1h)]
struct BasicInfo {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:cart:{cart}:string, value = u64, ttl = 90)]
struct Cart {
    cart_id: u64,
}

fn main() {}
