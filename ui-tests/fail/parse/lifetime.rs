// A key that borrows from its text outlives it.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{name}:string, value = String, ttl = 1h)]
struct Name<'n> {
    name: &'n str,
}

fn name() -> Name<'static> {
    let text = String::from("user:name:ada:string");
    Name::parse(&text).unwrap()
}

fn main() {
    name();
}
