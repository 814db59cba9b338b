// A wrong template and a wrong parameter are reported together.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: f64,
}

fn main() {}
