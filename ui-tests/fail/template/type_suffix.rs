// A key ends with its type.
use redis_keys::prelude::*;

// The key doesn't end with its type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, ttl = 1h)]
struct Missing {
    id: u64,
}

// The key doesn't end with its type, and the last word is not a misspelt one.
#[derive(RedisKey)]
#[redis_key(user:{id}:name, value = u64, ttl = 1h)]
struct MissingAfterText {
    id: u64,
}

// `field` suggests a hash.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, field = String, value = u64, ttl = 1h)]
struct MissingWithField {
    id: u64,
}

// `keep_last` suggests a list.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, keep_last = 10, ttl = 1h)]
struct MissingWithKeepLast {
    id: u64,
}

// `keep_top` suggests a zset.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, keep_top = 10, ttl = 1h)]
struct MissingWithKeepTop {
    id: u64,
}

// A missing type hides no other mistake of the last word.
#[derive(RedisKey)]
#[redis_key(user:basicInfo, value = u64, ttl = 1h)]
struct MissingAfterCamelCase;

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
struct DottedSortedSet {
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

// The type is no word beside a placeholder.
#[derive(RedisKey)]
#[redis_key(user:name:{id}.string, value = u64, ttl = 1h)]
struct TypeAndPlaceholder {
    id: u64,
}

// A typo in the type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:strng, value = u64, ttl = 1h)]
struct Slip {
    id: u64,
}

// The type is lower case, as all of a key is.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:String, value = u64, ttl = 1h)]
struct Capital {
    id: u64,
}

// The type is lower case, as all of a key is.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:STRING, value = u64, ttl = 1h)]
struct UpperCase {
    id: u64,
}

// The type is in the singular.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:strings, value = u64, ttl = 1h)]
struct Plural {
    id: u64,
}

fn main() {}
