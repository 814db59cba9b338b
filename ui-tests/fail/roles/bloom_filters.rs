// A Bloom filter declares what it is for, and its size follows from that.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:names:bitmap, value = String, ttl = 7d, bloom)]
struct UndeclaredSize;

#[derive(RedisKey)]
#[redis_key(user:mails:bitmap, value = String, ttl = 7d, bloom(expected = 100_000))]
struct WithoutShare;

#[derive(RedisKey)]
#[redis_key(user:phones:bitmap, ttl = 7d, bloom(expected = 100_000, false_positives = 1%))]
struct WithoutValue;

#[derive(RedisKey)]
#[redis_key(user:ids:bitmap, value = u64, ttl = 7d, bloom(expected = 0, false_positives = 51%))]
struct OutOfRange;

#[derive(RedisKey)]
#[redis_key(user:pages:bitmap, value = u64, ttl = 7d, bloom(expected = 50_000_000, false_positives = 1%))]
struct TooLarge;

#[derive(RedisKey)]
#[redis_key(user:carts:bitmap, value = u64, ttl = 7d, max_bytes = 4KB, bloom(expected = 1000, false_positives = 1%))]
struct WithSize;

#[derive(RedisKey)]
#[redis_key(user:tokens:bitmap, value = Secret<String>, ttl = 7d, bloom(expected = 1000, false_positives = 1%))]
struct EncryptedItems;

fn main() {}
