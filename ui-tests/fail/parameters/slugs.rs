// A slug is a whole segment, and its option takes a number of bytes.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:page.{slug}:string, value = String, ttl = 1h)]
struct Word {
    #[redis_key(slug)]
    slug: String,
}

#[derive(RedisKey)]
#[redis_key(shop:item:{slug}:string, value = String, ttl = 1h)]
struct Many {
    #[redis_key(slug = 200)]
    slug: String,
}

#[derive(RedisKey)]
#[redis_key(shop:part:{slug}:string, value = String, ttl = 1h)]
struct Both {
    #[redis_key(slug, base32)]
    slug: String,
}

#[derive(RedisKey)]
#[redis_key(shop:very.very.very.very.very.very.long.name:{slug}:string, value = String, ttl = 1h)]
struct Long {
    #[redis_key(slug = 100)]
    slug: String,
}

fn main() {}
