// Separators are between words, one at a time.
use redis_keys::prelude::*;

// A key doesn't start with a separator.
#[derive(RedisKey)]
#[redis_key(:user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingColon {
    id: u64,
}

// A key doesn't start with a separator.
#[derive(RedisKey)]
#[redis_key(.user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingDot {
    id: u64,
}

// A key doesn't end with a separator.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string:, value = u64, ttl = 1h)]
struct TrailingColon {
    id: u64,
}

// A key doesn't end with a separator.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string., value = u64, ttl = 1h)]
struct TrailingDot {
    id: u64,
}

// No segment is empty.
#[derive(RedisKey)]
#[redis_key(user::name:{id}:string, value = u64, ttl = 1h)]
struct EmptySegment {
    id: u64,
}

// A run of separators is one mistake.
#[derive(RedisKey)]
#[redis_key(user:::name:{id}:string, value = u64, ttl = 1h)]
struct EmptySegments {
    id: u64,
}

// Of two separators that follow each other one is too many.
#[derive(RedisKey)]
#[redis_key(user:basic:.info:{id}:string, value = u64, ttl = 1h)]
struct ColonAndDot {
    id: u64,
}

// No word is empty.
#[derive(RedisKey)]
#[redis_key(user:basic..info:{id}:string, value = u64, ttl = 1h)]
struct EmptyWord {
    id: u64,
}

// An empty segment hides no other mistake.
#[derive(RedisKey)]
#[redis_key(user::basicInfo:{id}:string, value = u64, ttl = 1h)]
struct EmptyAndMore {
    id: u64,
}

// Separators alone are no key.
#[derive(RedisKey)]
#[redis_key(:.:, value = u64, ttl = 1h)]
struct NothingElse;

// A placeholder is a whole word.
#[derive(RedisKey)]
#[redis_key(user:v{id}:string, value = u64, ttl = 1h)]
struct TextBeforePlaceholder {
    id: u64,
}

// A placeholder is a whole word.
#[derive(RedisKey)]
#[redis_key(user:{id}v:string, value = u64, ttl = 1h)]
struct TextAfterPlaceholder {
    id: u64,
}

// A placeholder is a whole word, and so is the text before it.
#[derive(RedisKey)]
#[redis_key(user:userName{id}:string, value = u64, ttl = 1h)]
struct HabitBeforePlaceholder {
    id: u64,
}

// Two placeholders have a separator between them.
#[derive(RedisKey)]
#[redis_key(user:{id}{page}:string, value = u64, ttl = 1h)]
struct TwoPlaceholders {
    id: u64,
    page: u32,
}

// White space between two words is no separator.
#[derive(RedisKey)]
#[redis_key(user:basic info:{id}:string, value = u64, ttl = 1h)]
struct WhiteSpace {
    id: u64,
}

// Two mistakes in one word have one suggestion.
#[derive(RedisKey)]
#[redis_key(user:Basic info:{id}:string, value = u64, ttl = 1h)]
struct WhiteSpaceAndCapital {
    id: u64,
}

fn main() {}
