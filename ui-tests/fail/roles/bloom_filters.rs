// A Bloom filter declares what it is for, and its size follows from that.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:names:bitmap, value = Bloom<String>, ttl = 7d)]
struct Undeclared;

#[derive(RedisKey)]
#[redis_key(user:mails:bitmap, value = Bloom<String>, expected = 100_000, ttl = 7d)]
struct WithoutShare;

#[derive(RedisKey)]
#[redis_key(user:phones:bitmap, expected = 100_000, false_positives = 1%, ttl = 7d)]
struct WithoutValue;

#[derive(RedisKey)]
#[redis_key(user:ids:bitmap, value = Bloom<u64>, expected = 0, false_positives = 51%, ttl = 7d)]
struct OutOfRange;

#[derive(RedisKey)]
#[redis_key(user:pages:bitmap, value = Bloom<u64>, expected = 50_000_000, false_positives = 1%, ttl = 7d)]
struct TooLarge;

#[derive(RedisKey)]
#[redis_key(user:carts:bitmap, value = Bloom<u64>, expected = 1000, false_positives = 1%, max_bytes = 4KB, ttl = 7d)]
struct WithSize;

#[derive(RedisKey)]
#[redis_key(user:tokens:bitmap, value = Bloom<Secret<String>>, expected = 1000, false_positives = 1%, ttl = 7d)]
struct Encrypted;

fn main() {}
