// A legacy text in the crate is no key of another declaration.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cart:items:{user}:list, value = u64, ttl = 1d, legacy = "cart:{user}")]
struct Items {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(cart:total:{user}:string, value = u64, ttl = 1d, formerly = "cart:{user:03}")]
struct Total {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u64,
}

#[derive(RedisKey)]
#[redis_key(page:likes:{page}:string, value = u64, ttl = 1d, legacy = "page:{page}:string")]
struct Likes {
    #[redis_key(no_colon)]
    page: String,
}

#[derive(RedisKey)]
#[redis_key(site:views:{site}:{page}:string, value = u64, ttl = 1d, legacy = "page:views:{site}/{page}")]
struct SiteViews {
    site: u64,
    page: u64,
}

#[derive(RedisKey)]
#[redis_key(site:likes:{page}:string, value = u64, ttl = 1d, formerly = "page:views:{page}")]
struct SiteLikes {
    page: String,
}

// Its template is not in use yet.
#[derive(RedisKey)]
#[redis_key(page:me:string, value = u64, ttl = 1d, legacy = "page")]
struct Me;

#[derive(RedisKey)]
#[redis_key(page:twin:string, value = u64, ttl = 1d, legacy = "page:me:string")]
struct Twin;

fn main() {}
