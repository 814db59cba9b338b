// Slugs are text, and are parsed into text of their own.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:page:{id}:string, value = String, ttl = 1h)]
struct Number {
    #[redis_key(slug)]
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:part:{bytes}:string, value = String, ttl = 1h)]
struct Bytes {
    #[redis_key(slug = 20)]
    bytes: Vec<u8>,
}

#[derive(RedisKey)]
#[redis_key(shop:item:{slug}:string, value = String, ttl = 1h)]
struct BorrowedSlug<'s> {
    #[redis_key(slug)]
    slug: &'s str,
}

fn parse(text: &str) {
    let _ = BorrowedSlug::parse(text);
}

fn main() {}
