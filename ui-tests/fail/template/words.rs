// A key is of lower-case English words, which `.` separates.
use redis_keys::prelude::*;

// A key starts with an English letter: a number names no module.
#[derive(RedisKey)]
#[redis_key(12345:{id}:string, value = u64, ttl = 1h)]
struct ModuleIsANumber {
    id: u64,
}

// A key starts with an English letter: a digit is none.
#[derive(RedisKey)]
#[redis_key(2fa.codes:{id}:string, value = u64, ttl = 1h)]
struct ModuleStartsWithADigit {
    id: u64,
}

// A key has English letters alone. Nothing can be guessed of a word with others.
#[derive(RedisKey)]
#[redis_key(user:café:{id}:string, value = u64, ttl = 1h)]
struct ForeignLetter {
    id: u64,
}

// A key has English letters alone.
#[derive(RedisKey)]
#[redis_key(user:名前:{id}:string, value = u64, ttl = 1h)]
struct ForeignWord {
    id: u64,
}

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

// A word of a key may be any word, `type` too, and needs no `r#`.
#[derive(RedisKey)]
#[redis_key(user:r#type:{id}:string, value = u64, ttl = 1h)]
struct RawIdentifier {
    id: u64,
}

fn main() {}
