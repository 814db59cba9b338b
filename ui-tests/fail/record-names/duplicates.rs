// No two fields are stored under one name.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Renamed {
    #[redis_hash(rename = "mail")]
    email: String,
    #[redis_hash(rename = "mail")]
    post: String,
}

#[derive(RedisHash)]
struct Plain {
    #[redis_hash(rename = "mail")]
    email: String,
    mail: String,
}

fn main() {}
