// All errors of each declaration are reported, each at its own token.
use redis_keys::prelude::*;

// All errors of a declaration are reported, in the order of the text.
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(User:basicInfo:{user_idd}:strng, value = json<Profile>, expire = 3600, jiter = 5m)]
struct FiveAtOnce {
    user_id: u64,
}

// Each of two keys reports its own errors.
#[derive(RedisKey)]
#[redis_key(user:basic_info:{user_id}:strng, value = String, ttl = 1h)]
struct BasicInfo {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:cart:{cart}:string, value = u64, ttl = 90)]
struct Cart {
    cart_id: u64,
}

// An attribute of several lines: each error is on its own.
#[derive(RedisKey)]
#[redis_key(
    user:basicInfo:{id}:string,
    value = u64,
    ttl = 3600,
    // A comment is no token.
    jiter = 5m,
)]
struct Lines {
    id: u64,
}

// An error that spans several lines.
#[derive(RedisKey)]
#[redis_key(
    user
    :string,
    value = u64,
    ttl = 1h,
)]
struct OverLines;

// In `cfg_attr` the same token is underlined.
#[cfg_attr(all(), derive(RedisKey))]
#[cfg_attr(all(), redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h))]
struct CfgAttr {
    id: u64,
}

fn main() {}
