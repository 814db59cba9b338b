//! An `allow` of a lint that does not fire.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(
    cache:page:{id}:string,
    value = String,
    ttl = 2d,
    allow(unusual_ttl, missing_jitter, reason = "pages change with a release"),
    allow(long_key, uncompressed, reason = "it is short")
)]
struct Page {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:page:{id}:string, value = String, ttl = 2d, allow(overlap, sibling_fields, reason = "who knows"))]
struct UnneededReason {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:name:{id}:string", value = String, ttl = 2d, allow(unusual_ttl, reason = "none"))]
struct QuotedTemplate {
    id: u64,
}

fn main() {
    let _ = (Page { id: 1 }.get(), UnneededReason { id: 1 }.get(), QuotedTemplate { id: 1 }.get());
}
