// Each type of key has a value, which is one element.
use redis_keys::prelude::*;

// A string has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h)]
struct Missing {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, ttl = 1h)]
struct MissingForHash {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h)]
struct MissingForList {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:set, ttl = 1h)]
struct MissingForSet {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:zset, ttl = 1h)]
struct MissingForZset {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hyperloglog, ttl = 1h)]
struct MissingForHyperloglog {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:geo, ttl = 1h)]
struct MissingForGeo {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:stream, ttl = 1h)]
struct MissingForStream {
    id: u64,
}

// A value is given once.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, value = String)]
struct GivenTwice {
    id: u64,
}

// Only a hash has fields.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = u64, field = String)]
struct FieldOfAString {
    id: u64,
}

// A bitmap holds bits.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:bitmap, ttl = 1h, value = u64)]
struct ValueOfABitmap {
    id: u64,
}

// All elements of a list.
#[derive(RedisKey)]
#[redis_key(user:visits:{id}:list, value = Vec<u64>, ttl = 1h, jitter = 1m, max_len = 100)]
struct Visits {
    id: u64,
}

// All members of a set.
#[derive(RedisKey)]
#[redis_key(user:tags:{id}:set, value = HashSet<String>, ttl = 1h, jitter = 1m, max_len = 100)]
struct Tags {
    id: u64,
}

// A member with its score.
#[derive(RedisKey)]
#[redis_key(game:ranks:{id}:zset, value = (u64, f64), ttl = 1h, jitter = 1m, keep_top = 100)]
struct Ranks {
    id: u64,
}

// A position without a member.
#[derive(RedisKey)]
#[redis_key(shop:places:{id}:geo, value = (f64, f64), ttl = 1h, jitter = 1m, max_len = 100)]
struct Places {
    id: u64,
}

// The type of the scores.
#[derive(RedisKey)]
#[redis_key(game:scores:{id}:zset, value = u64, score = f64, ttl = 1h, jitter = 1m, keep_top = 100)]
struct Scores {
    id: u64,
}

// Members are not compressed.
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
