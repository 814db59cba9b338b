// A constant of one's own and that of a field are two of one name.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    name: String,
}

impl Case {
    const NAME: &str = "name";
}

fn main() {}
