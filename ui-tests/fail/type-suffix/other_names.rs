// The last segment is another language's name of a type.
use redis_keys::prelude::*;

// Rust's name of a string.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:str, value = u64, ttl = 1h)]
struct Str {
    id: u64,
}

// Another name of a `zset`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:sortedset, value = u64, ttl = 1h)]
struct Sortedset {
    id: u64,
}

// Another name of a `zset`, in snake case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:sorted_set, value = u64, ttl = 1h)]
struct SortedSet {
    id: u64,
}

// Another name of a `zset`, in camel case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:SortedSet, value = u64, ttl = 1h)]
struct SortedSetAsWords {
    id: u64,
}

// A type is one word.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:sorted.set, value = u64, ttl = 1h)]
struct SortedSetDotted {
    id: u64,
}

// Another name of a `hash`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:map, value = u64, ttl = 1h)]
struct Map {
    id: u64,
}

// Rust's name of a `hash`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:HashMap, value = u64, ttl = 1h)]
struct Hashmap {
    id: u64,
}

// The short name of `hyperloglog`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hll, value = u64, ttl = 1h)]
struct Hll {
    id: u64,
}

// Rust's name of a `list`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:vec, value = u64, ttl = 1h)]
struct Vec {
    id: u64,
}

// Another name of a `bitmap`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:bitset, ttl = 1h)]
struct Bitset {
    id: u64,
}

// What Redis's own documents call `geo`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:geospatial, value = u64, ttl = 1h)]
struct Geospatial {
    id: u64,
}

// A typo in a type that is not there yet.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:lst, value = u64, ttl = 1h)]
struct Lst {
    id: u64,
}

fn main() {}
