// Names that are no option, and what is meant by them.
use redis_keys::prelude::*;

// Another library's name of `ttl`, in seconds.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire = 3600)]
struct Expire {
    id: u64,
}

// Redis' name of it, in milliseconds.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, px = 1500)]
struct Px {
    id: u64,
}

// Another library's name of `ttl`, with a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, timeout = "1 hour")]
struct Timeout {
    id: u64,
}

// Another library's name of `ttl`, without a value.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire)]
struct ExpireWithoutValue {
    id: u64,
}

// The type is part of the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, type = string)]
struct Type {
    id: u64,
}

// Shards are part of the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, shards = 10)]
struct Shards {
    id: u64,
}

// A doc comment describes the key.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, description = "who it is")]
struct Description {
    id: u64,
}

// Another name of `jitter`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, spread = 5m)]
struct Spread {
    id: u64,
}

// Another name of `renew`, as a switch.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, sliding = true)]
struct Sliding {
    id: u64,
}

// Another name of `max_bytes`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_size = 64KB)]
struct MaxSize {
    id: u64,
}

// Another name of `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, type = String, ttl = 1h)]
struct OtherNamesType {
    id: u64,
}

// Another name of `field`.
#[derive(RedisKey)]
#[redis_key(user:names:{id}:hash, key = String, value = String, ttl = 1h)]
struct Key {
    id: u64,
}

// Another name of `owner`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, team = "web")]
struct Team {
    id: u64,
}

// A typo in an option's name.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jiter = 5m)]
struct Slip {
    id: u64,
}

// A typo in `ttl`: it is not reported as missing as well.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, tll = 1h)]
struct SlipInTtl {
    id: u64,
}

// An unknown option.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, colour = red)]
struct UnknownOption {
    id: u64,
}

// Not an option at all.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, 5)]
struct UnknownAndNumeric {
    id: u64,
}

// Not an option at all.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, !)]
struct UnknownSign {
    id: u64,
}

fn main() {}
