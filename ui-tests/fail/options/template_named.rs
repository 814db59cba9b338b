// The template has no name.
use redis_keys::prelude::*;

// The template has no name.
#[derive(RedisKey)]
#[redis_key(key = "user:name:{id}:string", value = u64, ttl = 1h)]
struct TemplateNamed {
    id: u64,
}

// The template has no name, whichever it is.
#[derive(RedisKey)]
#[redis_key(prefix = user:name:{id}:string, value = u64, ttl = 1h)]
struct TemplateNamedAndQuoted {
    id: u64,
}

fn main() {}
