// Copies lie on different servers, so that no hash tag of theirs is the same.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:tags:{#shop}:{copy}:string, value = u64, ttl = 1h, copies = 2)]
struct OneSlot {
    shop: u64,
}

// A cluster looks at the first pair of braces alone.
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
