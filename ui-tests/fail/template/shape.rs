// A key has a module, a segment for what is stored, and its type.
use redis_keys::prelude::*;

// A key has a module, has a segment for what is stored, and ends with its type.
#[derive(RedisKey)]
#[redis_key(user, value = u64, ttl = 1h)]
struct ModuleAlone;

// A parameter is no key.
#[derive(RedisKey)]
#[redis_key({id}, value = u64, ttl = 1h)]
struct NothingButAPlaceholder {
    id: u64,
}

// A key has a segment for what is stored, between its module and its type.
#[derive(RedisKey)]
#[redis_key(user:string, value = u64, ttl = 1h)]
struct MissingSegment;

// A missing segment and a misspelt type are two mistakes.
#[derive(RedisKey)]
#[redis_key(user:strng, value = u64, ttl = 1h)]
struct NothingIsStoredAndATypo;

// A key starts with the name of its module, not with a parameter.
#[derive(RedisKey)]
#[redis_key({id}:name:string, value = u64, ttl = 1h)]
struct PlaceholderFirst {
    id: u64,
}

// A key starts with the name of its module, not with a hash tag.
#[derive(RedisKey)]
#[redis_key({#id}:name:string, value = u64, ttl = 1h)]
struct HashTagFirst {
    id: u64,
}

// The module's name has no parameter in it.
#[derive(RedisKey)]
#[redis_key(user.{id}:name:string, value = u64, ttl = 1h)]
struct PlaceholderInTheModule {
    id: u64,
}

// A key has a module and has a segment for what is stored.
#[derive(RedisKey)]
#[redis_key(string, value = u64, ttl = 1h)]
struct TypeAlone;

// The literal text alone is longer than a key may be.
#[derive(RedisKey)]
#[redis_key(
    user:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:andmore:string,
    value = u64,
    ttl = 1h,
)]
struct TooLong;

fn main() {}
