// A shard is made of a number.
use redis_keys::{KeySegment, prelude::*};

#[derive(KeySegment)]
struct Slug(String);

#[derive(RedisKey)]
#[redis_key(user:name:{name % 1000}:string, value = u64, ttl = 1h)]
struct OfText {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{slug % 1000}:{slug}:string, value = u64, ttl = 1h)]
struct OfANewtype {
    slug: Slug,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{active % 2}:string, value = u64, ttl = 1h)]
struct OfABool {
    active: bool,
}

fn main() {}
