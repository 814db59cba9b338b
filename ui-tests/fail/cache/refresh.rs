// A refresh that is no share of the ttl from 50% to 95%.
use redis_keys::prelude::*;

// The share that is left.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = 20%)]
struct Left {
    id: u64,
}

// All of it.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = 100%)]
struct All {
    id: u64,
}

// A fraction.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = 0.8)]
struct Fraction {
    id: u64,
}

// A number.
#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = 80)]
struct Number {
    id: u64,
}

// A duration, which is a share of the ttl.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, refresh = 48m, ttl = 1h, jitter = 10%, null_ttl = 5m)]
struct Duration {
    id: u64,
}

// A flag.
#[derive(RedisKey)]
#[redis_key(user:phone:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = true)]
struct Flag {
    id: u64,
}

// A value of another option.
#[derive(RedisKey)]
#[redis_key(user:hair:{id}:string, value = u64, ttl = 1h, refresh = read)]
struct OtherOption {
    id: u64,
}

fn main() {}
