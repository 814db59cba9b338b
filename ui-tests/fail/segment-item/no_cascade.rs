// A wrong parameter type causes no errors in the keys that have it.
use redis_keys::{KeySegment, prelude::*};

#[derive(KeySegment)]
enum Section {
    BasicInfo(u64),
    #[redis_key(renam = "orders")]
    Orders,
}

#[derive(KeySegment)]
struct Pair(u64, f64);

#[derive(RedisKey)]
#[redis_key(user:v.{section}:{pair}:string, value = String, ttl = 1h)]
struct Part {
    section: Section,
    pair: Pair,
}

fn main() {
    let _ = Part { section: Section::Orders, pair: Pair(1, 2.0) }.get();
}
