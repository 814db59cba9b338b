// A placeholder is a whole word, between separators.
use redis_keys::prelude::*;

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

fn main() {}
