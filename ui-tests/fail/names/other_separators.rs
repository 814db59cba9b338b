// The words of a segment are separated by `.` alone.
use redis_keys::prelude::*;

// snake_case is the convention of other languages: `.` separates the words of a segment.
#[derive(RedisKey)]
#[redis_key(user:basic_info:{id}:string, value = u64, ttl = 1h)]
struct SnakeCase {
    id: u64,
}

// SCREAMING_CASE is the convention of other languages.
#[derive(RedisKey)]
#[redis_key(user:BASIC_INFO:{id}:string, value = u64, ttl = 1h)]
struct ScreamingCase {
    id: u64,
}

// kebab-case is the convention of other languages. All of its tokens are underlined.
#[derive(RedisKey)]
#[redis_key(user:basic-info:{id}:string, value = u64, ttl = 1h)]
struct KebabCase {
    id: u64,
}

// An underscore is not allowed in a key, not even in front of a word.
#[derive(RedisKey)]
#[redis_key(user:_info:{id}:string, value = u64, ttl = 1h)]
struct LeadingUnderscore {
    id: u64,
}

// Of a lone underscore nothing is left to write.
#[derive(RedisKey)]
#[redis_key(user:_:{id}:string, value = u64, ttl = 1h)]
struct LoneUnderscore {
    id: u64,
}

fn main() {}
