// A channel carries messages and stores nothing, so it has no expiry; and it is no key.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(order:events:{shop}:channel, value = u64, ttl = 1h, jitter = 5m)]
struct Expiring {
    shop: u32,
}

#[derive(RedisKey)]
#[redis_key(order:silent:{shop}:channel)]
struct UntypedChannel {
    shop: u32,
}

#[derive(RedisKey)]
#[redis_key(order:older:{shop}:channel, value = u64, legacy = "Order:{shop}")]
struct RenamedChannel {
    shop: u32,
}

// No second error.
fn publish(shop: u32) -> Command<u64> {
    UntypedChannel { shop }.publish(&42);
    Expiring { shop }.publish(&42)
}

fn main() {
    publish(7);
}
