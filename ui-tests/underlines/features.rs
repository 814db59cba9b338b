//! Underlines in forms of which the feature is off.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = MessagePack<Profile>, ttl = 1h)]
//                                            ^^^^^^^^^^^^^^^^^^^^
// the stored form `MessagePack` needs the feature `messagepack` of redis-keys
struct Value {
    id: u64,
}

fn main() {}
