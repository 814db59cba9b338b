// The keys of a scan outlive the pages that they come in, so they borrow nothing.
use redis_keys::{prelude::*, scan::KeyScan};

#[derive(RedisKey)]
#[redis_key(user:name:{name}:string, value = String, ttl = 1h)]
struct Name<'n> {
    name: &'n str,
}

fn scan() -> KeyScan<Name<'static>> {
    Name::scan()
}

fn main() {
    drop(scan());
}
