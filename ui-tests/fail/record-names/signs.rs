// A stored name is a word.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    #[redis_hash(rename = "")]
    first: String,
    #[redis_hash(rename = "e mail")]
    second: String,
    #[redis_hash(rename = "e\tmail")]
    third: String,
    #[redis_hash(rename = e mail)]
    fourth: String,
}

fn main() {}
