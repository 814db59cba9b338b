// The expiry is renewed by `write`, `read` or `below(…)`.
use redis_keys::prelude::*;

// An unknown form of renewal.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = 5)]
struct RenewWord {
    id: u64,
}

// A typo in a form of renewal.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = raed)]
struct RenewSlip {
    id: u64,
}

// A form of renewal is lower case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = Write)]
struct RenewCapital {
    id: u64,
}

// `always` can mean two things.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = always)]
struct RenewAlways {
    id: u64,
}

// `below` has a duration.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = below)]
struct RenewBelowNothing {
    id: u64,
}

// The threshold has a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = below(10))]
struct RenewBelowNoUnit {
    id: u64,
}

// `below` has a duration.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = below())]
struct RenewBelowEmpty {
    id: u64,
}

// The threshold is at most the ttl.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = below(2h))]
struct RenewBelowTtl {
    id: u64,
}

// A typo in `below`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = belov(10m))]
struct RenewBelowTypo {
    id: u64,
}

fn main() {}
