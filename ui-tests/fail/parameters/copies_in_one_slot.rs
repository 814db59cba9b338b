// Copies are on different servers, so the hash tag is not the same.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:tags:{#shop}:{copy}:string, value = u64, ttl = 1h, copies = 2)]
struct OneSlot {
    shop: u64,
}

// A cluster uses only the first pair of braces.
#[derive(RedisKey)]
#[redis_key("shop:names:{#shop}:{#copy}:string", value = u64, ttl = 1h, copies = 2)]
struct OfTwoTheFirst {
    shop: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:towns:{#copy}:{#shop}:string, value = u64, ttl = 1h, copies = 2)]
struct TheOtherWayRound {
    shop: u64,
}

fn main() {}
