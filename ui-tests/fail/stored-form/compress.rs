// Compression is part of the value.
use redis_keys::prelude::*;

#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, compress = gzip, value = Json<Profile>)]
struct Case {
    id: u64,
}

fn main() {}
