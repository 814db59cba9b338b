// A key is lower case, and `.` separates its words: other conventions are translated.
use redis_keys::prelude::*;

// A key is lower case.
#[derive(RedisKey)]
#[redis_key(User:name:{id}:string, value = u64, ttl = 1h)]
struct Capital {
    id: u64,
}

// A key is lower case, also where all of a word is upper case.
#[derive(RedisKey)]
#[redis_key(user:NAME:{id}:string, value = u64, ttl = 1h)]
struct UpperCase {
    id: u64,
}

// camelCase is the convention of other languages: `.` separates the words of a segment.
#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
struct CamelCase {
    id: u64,
}

// PascalCase is the convention of other languages.
#[derive(RedisKey)]
#[redis_key(user:BasicInfo:{id}:string, value = u64, ttl = 1h)]
struct PascalCase {
    id: u64,
}

// An acronym is one word.
#[derive(RedisKey)]
#[redis_key(user:HTTPSession:{id}:string, value = u64, ttl = 1h)]
struct Acronym {
    id: u64,
}

// Each wrong word of a segment is underlined by itself.
#[derive(RedisKey)]
#[redis_key(user:Basic.info.Card:{id}:string, value = u64, ttl = 1h)]
struct EachWordByItself {
    id: u64,
}

fn main() {}
