// In quotes the message shows the place.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key("user:basicInfo:{id}:string", value = u64, ttl = 1h)]
struct Word {
    id: u64,
}

// In a raw string too.
#[derive(RedisKey)]
#[redis_key(r#"user:basicInfo:{id}:string"#, value = u64, ttl = 1h)]
struct RawString {
    id: u64,
}

// The place is counted in characters.
#[derive(RedisKey)]
#[redis_key("user:café:Info:{id}:string", value = u64, ttl = 1h)]
struct ForeignLetters {
    id: u64,
}

// A typo in a field's name.
#[derive(RedisKey)]
#[redis_key("user:name:{user_idd}:string", value = u64, ttl = 1h)]
struct SlipInAField {
    user_id: u64,
}

// A typo in the type.
#[derive(RedisKey)]
#[redis_key("user:name:{id}:strng", value = u64, ttl = 1h)]
struct Type {
    id: u64,
}

// A brace that nothing closes.
#[derive(RedisKey)]
#[redis_key("user:name:{id:string", value = u64, ttl = 1h)]
struct UnclosedBrace {
    id: u64,
}

// A brace that closes nothing.
#[derive(RedisKey)]
#[redis_key("user:name:id}:string", value = u64, ttl = 1h)]
struct LoneBrace;

// A template in quotes cannot be empty.
#[derive(RedisKey)]
#[redis_key("")]
struct Empty;

#[derive(RedisKey)]
#[redis_key(" ", value = u64, ttl = 1h)]
struct Blank;

#[derive(RedisKey)]
#[redis_key(":", value = u64, ttl = 1h)]
struct Separator;

// A quote that Rust's lexer accepts only in quotes.
#[derive(RedisKey)]
#[redis_key("user:it's:{id}:string", value = u64, ttl = 1h)]
struct QuoteInside {
    id: u64,
}

// A backslash that Rust's lexer accepts only in quotes.
#[derive(RedisKey)]
#[redis_key(r"user\name:{id}:string", value = u64, ttl = 1h)]
struct Backslash {
    id: u64,
}

// What would start a comment outside of quotes.
#[derive(RedisKey)]
#[redis_key("user//name:{id}:string", value = u64, ttl = 1h)]
struct CommentSigns {
    id: u64,
}

// White space between two words.
#[derive(RedisKey)]
#[redis_key("user:basic info:{id}:string", value = u64, ttl = 1h)]
struct WhiteSpace {
    id: u64,
}

// The whole template is at fault.
#[derive(RedisKey)]
#[redis_key("user:name:{id}:string", value = u64)]
struct WholeTemplate {
    id: u64,
}

// A key in quotes that can be too long.
#[derive(RedisKey)]
#[redis_key("user:name:{a}:{b}:{c}:{d}:string", value = u64, ttl = 1h)]
struct TooLong {
    a: u128,
    b: u128,
    c: u128,
    d: u128,
}

fn main() {}
