// What a digest, a shard and an end of a bucket can be made of.
use redis_keys::{KeySegment, prelude::*};

// What has a digest is text or bytes.
#[derive(KeySegment)]
struct UserId(u64);

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct OfANumber {
    #[redis_key(digest)]
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:nick:{id}:string, value = u64, ttl = 1h)]
struct OfANewtype {
    #[redis_key(digest)]
    id: UserId,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{tags}:string, value = u64, ttl = 1h)]
struct OfAList {
    #[redis_key(digest)]
    tags: Vec<String>,
}

// A shard is made of a number.
#[derive(KeySegment)]
struct Slug(String);

#[derive(RedisKey)]
#[redis_key(user:name:{name % 1000}:string, value = u64, ttl = 1h)]
struct OfText {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{slug % 1000}:{slug}:string, value = u64, ttl = 1h)]
struct ShardsOfANewtype {
    slug: Slug,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{active % 2}:string, value = u64, ttl = 1h)]
struct OfABool {
    active: bool,
}

// The ttl counts from the end of what has one.
#[derive(KeySegment)]
struct BookedTime(u32);

#[derive(RedisKey)]
#[redis_key(user:tasks:{month}:set, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct ANumber {
    month: u32,
}

#[derive(RedisKey)]
#[redis_key(user:plans:{day}:set, value = u64, ttl = 1h, ttl_from_end_of = day)]
struct ANewtype {
    day: BookedTime,
}

// A type of one's own is a parameter when it says how it is written.
struct Name(u64);

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct OfAnOwnType {
    id: Name,
}

fn main() {}
