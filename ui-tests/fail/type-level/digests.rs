// What has a digest is text or bytes.
use redis_keys::{KeySegment, prelude::*};

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

fn main() {}
