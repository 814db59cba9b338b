// `allow` names lints in parentheses, and has a reason.
use redis_keys::prelude::*;

// The reason for opting out is called `reason`.
#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, because = "it is one key"))]
struct OtherName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:age:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, "it is one key"))]
struct NoName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:town:{id}:string, value = u64, ttl = 1h, allow(missing_jitter reason = "it is one key"))]
struct NoComma {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:email:{id}:string, value = u64, ttl = 1h, allow(missing_jitter = "it is one key"))]
struct BehindTheLint {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:phone:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason: "it is one key"))]
struct OtherSign {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:mail:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason = "one", reason = "two"))]
struct TwoReasons {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:note:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason = "one", note = "two"))]
struct MoreThanAReason {
    id: u64,
}

// `allow` names a lint; without one no lint fires.
#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow())]
struct AllowNothing {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:age:{id}:string, value = u64, ttl = 1h, allow)]
struct Bare {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:town:{id}:string, value = u64, ttl = 1h, allow(reason = "it is one key"))]
struct OnlyAReason {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:email:{id}:string, value = u64, ttl = 1h, alow(missing_jitter, reason = "it is so: one key"))]
struct Slip {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:phone:{id}:string, value = u64, ttl = 1h, allow(missing_jiter, reason = "it is one key"))]
struct SlipInTheLint {
    id: u64,
}

// Each has its reason.
#[derive(RedisKey)]
#[redis_key(
    user:name:{id}:string,
    value = u64,
    ttl = 1h,
    allow(overlap, reason = "it is the same value"),
    allow(long_key, overlap, reason = "it is told so")
)]
struct InTwo {
    id: u64,
}

// One reason for both, and a third.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, allow(overlap, "overlap", overlap, reason = "who knows"))]
struct InOne {
    id: u64,
}

// A typo.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, allow(long_wrod, reason = "it is the product's name"))]
struct AllowUnknownSlip {
    id: u64,
}

// A lint of rustc's, in quotes.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, allow("dead_code", reason = "nobody reads it"))]
struct Foreign {
    id: u64,
}

// A lint of the policy file.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = 1h, allow(misspelt_module, reason = "it is called so"))]
struct OfTheFile {
    id: u64,
}

// An empty reason.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, allow(overlap, reason = ""))]
struct Empty {
    id: u64,
}

// The lints are in parentheses.
#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow = missing_jitter)]
struct AssignedLint {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:age:{id}:string, value = u64, ttl = 1h, allow: missing_jitter)]
struct WithAColon {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:town:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason = "it is one key") owner = "web")]
struct NoCommaBehind {
    id: u64,
}

// Opting out takes a reason.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, allow(long_word))]
struct AllowWithoutReason {
    id: u64,
}

fn main() {}
