// Members are not compressed.
use redis_keys::prelude::*;

#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{id}:set, value = Zstd<Json<Profile>>, ttl = 1h)]
struct OfASet {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:scores:{id}:zset, value = Gzip<String>, ttl = 1h)]
struct OfAZSet {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:places:{id}:geo, value = Snappy<Lz4<String>>, ttl = 1h)]
struct OfAGeo {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:visits:{id}:hyperloglog, value = Lz4<String>, ttl = 1h)]
struct OfAHyperLogLog {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:notes:{id}:hash, field = Zstd<String>, value = Zstd<String>, ttl = 1h)]
struct OfAHash {
    id: u64,
}

fn main() {}
