// Sizes and counts: how they are written, how large they are, and the types that have them.
use redis_keys::prelude::*;

// A count is a whole number up to 5000, or to a million in a log.
#[derive(RedisHash)]
struct Event {
    page: u64,
}

// The most is 5000.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_len = 5001)]
struct TooManyElements {
    id: u64,
}

// The most of a log is a million.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:stream, ttl = 1h, value = Event, keep_last = ~2_000_000)]
struct TooManyEntries {
    id: u64,
}

// A count has no unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_last = 5k)]
struct Thousands {
    id: u64,
}

// A word is no count.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_last = many)]
struct NoCount {
    id: u64,
}

// Zero is not a size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_last = 0)]
struct CountOfZero {
    id: u64,
}

// A unit of size is upper case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 64kb)]
struct UnitInLowerCase {
    id: u64,
}

// A unit that others use.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 64KiB)]
struct OtherUnit {
    id: u64,
}

// A word is no size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = big)]
struct Word {
    id: u64,
}

// Zero is not a size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 0)]
struct Zero {
    id: u64,
}

// A size that is too large.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 99999999999999999999MB)]
struct Endless {
    id: u64,
}

// What is meant is more than there can be.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 4mb)]
struct TooLarge {
    id: u64,
}

// The most is 1MB.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 2MB)]
struct TooMuch {
    id: u64,
}

// The most of a member is 1MB, too.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:set, ttl = 1h, value = u64, max_member_bytes = 2MB)]
struct TooLargeMembers {
    id: u64,
}

// A string has bytes, not elements.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_len = 10)]
struct MaxLenOfAString {
    id: u64,
}

// A string has no last elements.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, keep_last = 10)]
struct KeepLastOfAString {
    id: u64,
}

// A string has no top elements.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, keep_top = 10)]
struct KeepTopOfAString {
    id: u64,
}

// A string has no members.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_member_bytes = 1KB)]
struct MaxMemberBytesOfAString {
    id: u64,
}

// A list's members have a size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_bytes = 5KB)]
struct MaxBytesOfAList {
    id: u64,
}

// A zset keeps its top.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:zset, ttl = 1h, value = u64, keep_last = 5)]
struct KeepLastOfAZset {
    id: u64,
}

// A list keeps its last.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_top = 5)]
struct KeepTopOfAList {
    id: u64,
}

// Only strings are cached keys.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, cache(null_ttl = 5m))]
struct NullTtlOfAList {
    id: u64,
}

// The other options of cached keys.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, ttl = 1h, field = u8, value = u64, cache(lease = 10s, refresh = 80%))]
struct LeaseOfAHash {
    id: u64,
}

// A collection has `max_len` or is trimmed, not both.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_len = 10, keep_last = 5)]
struct LimitAndTrim {
    id: u64,
}

fn main() {}
