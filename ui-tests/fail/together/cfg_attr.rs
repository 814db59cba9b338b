// In `cfg_attr` the same token is underlined.
use redis_keys::prelude::*;

#[cfg_attr(all(), derive(RedisKey))]
#[cfg_attr(all(), redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h))]
struct Case {
    id: u64,
}

fn main() {}
