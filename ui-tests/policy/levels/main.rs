//! Lints that the project denies, one that it allows, and keys that opt out.
use redis_keys::prelude::*;

/// Too long, and not silenced by what silences warnings.
#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = String, ttl = 2d)]
#[allow(deprecated)]
struct Page {
    id: u64,
}

/// A reason is enough.
#[derive(RedisKey)]
#[redis_key(cache:pages:{id}:string, value = String, ttl = 2d, allow(unusual_ttl, long_key, reason = "of a release"))]
struct Pages {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(u:{id}:a:string, value = String, ttl = 1h)]
struct UndocumentedKey {
    id: u16,
}

/// Its sibling.
#[derive(RedisKey)]
#[redis_key(u:{id}:b:string, value = String, ttl = 1h, allow(big_collection, reason = "of course"))]
struct Sibling {
    id: u16,
}

fn main() {
    let _ = (Page { id: 1 }.get(), Pages { id: 1 }.get(), UndocumentedKey { id: 1 }.get(), Sibling { id: 1 }.get());
}
