// An error that spans several lines.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(
    user
    :string,
    value = u64,
    ttl = 1h,
)]
struct Case;

fn main() {}
