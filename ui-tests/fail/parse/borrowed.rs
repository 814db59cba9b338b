// A key that borrows outlives neither its text nor the page of a scan.
use redis_keys::{prelude::*, scan::KeyScan};

// A key that borrows from its text outlives it.
#[derive(RedisKey)]
#[redis_key(user:name:{name}:string, value = String, ttl = 1h)]
struct Name<'n> {
    name: &'n str,
}

fn name() -> Name<'static> {
    let text = String::from("user:name:ada:string");
    Name::parse(&text).unwrap()
}

// The keys of a scan outlive the pages that they come in, so they borrow nothing.
#[derive(RedisKey)]
#[redis_key(user:nick:{name}:string, value = String, ttl = 1h)]
struct Nick<'n> {
    name: &'n str,
}

fn scan() -> KeyScan<Nick<'static>> {
    Nick::scan()
}

fn main() {}
