// A declaration starts with its one template, which has no name.
use redis_keys::prelude::*;

// The template comes first.
#[derive(RedisKey)]
#[redis_key(ttl = 1h, user:name:{id}:string, value = u64)]
struct TemplateLater {
    id: u64,
}

// The template is missing.
#[derive(RedisKey)]
#[redis_key(value = u64, ttl = 1h)]
struct TemplateMissing;

// The template has no name.
#[derive(RedisKey)]
#[redis_key(key = "user:name:{id}:string", value = u64, ttl = 1h)]
struct NamedTemplate {
    id: u64,
}

// The template has no name, whichever it is.
#[derive(RedisKey)]
#[redis_key(prefix = user:name:{id}:string, value = u64, ttl = 1h)]
struct OtherTemplateName {
    id: u64,
}

// A name for the template, after the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, name = "user:name")]
struct TemplateAndName {
    id: u64,
}

// A key has one template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, user:other:{id}:string)]
struct SecondTemplate {
    id: u64,
}

fn main() {}
