//! Keys that never expire, of which nothing says how they are restored.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:rates:{region}:string, value = u64, ttl = never, reason = "40 regions")]
struct Rates {
    region: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:names:{id}:hash, field = u64, value = String, ttl = "never", reason = "few shops")]
struct Names {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:taxes:{region}:string, value = u64, ttl = never, reason = "40 regions", rebuild = "the nightly import")]
struct Taxes {
    region: u64,
}

fn main() {
    let _ = (Rates { region: 1 }.get(), Names { id: 1 }.hlen(), Taxes { region: 1 }.get());
    assert_eq!((Rates::SCHEMA.rebuild, Taxes::SCHEMA.rebuild), (None, Some("the nightly import")));
}
