// The attribute is empty.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key()]
struct Case;

fn main() {}
