// The fields of a record have names.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case(u64, String);

fn main() {}
