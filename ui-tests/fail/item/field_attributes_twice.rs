// A parameter has one encoding, in two attributes as in one.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    #[redis_key(digest)]
    #[redis_key(base32)]
    id: String,
}

fn main() {}
