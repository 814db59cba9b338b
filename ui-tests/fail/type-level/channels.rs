// A channel is no key.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(order:events:{shop}:channel, value = u64)]
struct Events {
    shop: u32,
}

fn is_key<K: RedisKey>() {}
fn is_channel<K: ChannelKey>() {}

#[derive(RedisKey)]
#[redis_key(order:count:{shop}:string, value = u64, ttl = 1h)]
struct Count {
    shop: u32,
}

fn main() {
    is_key::<Events>();
    is_channel::<Count>();
    Events { shop: 7 }.publish("text");
}
