// Segments are separated by `:` alone, and a key has no other signs.
use redis_keys::prelude::*;

// Segments are separated by `:`, not by `/`.
#[derive(RedisKey)]
#[redis_key(user/name:{id}:string, value = u64, ttl = 1h)]
struct Slash {
    id: u64,
}

// Segments are separated by `:`, not by `|`.
#[derive(RedisKey)]
#[redis_key(user|name:{id}:string, value = u64, ttl = 1h)]
struct Pipe {
    id: u64,
}

// Segments are separated by `:`, not by `>`.
#[derive(RedisKey)]
#[redis_key(user>name:{id}:string, value = u64, ttl = 1h)]
struct Arrow {
    id: u64,
}

// Segments are separated by `:`, not by `;`.
#[derive(RedisKey)]
#[redis_key(user;name:{id}:string, value = u64, ttl = 1h)]
struct Semicolon {
    id: u64,
}

// A sign that is not part of a word.
#[derive(RedisKey)]
#[redis_key(user:*:{id}:string, value = u64, ttl = 1h)]
struct Star {
    id: u64,
}

// A pattern of keys is no template.
#[derive(RedisKey)]
#[redis_key(user:name:*:string, value = u64, ttl = 1h)]
struct Pattern {
    id: u64,
}

// A sign between two words.
#[derive(RedisKey)]
#[redis_key(user@home:name:{id}:string, value = u64, ttl = 1h)]
struct AtSign {
    id: u64,
}

// A hash tag is declared inside of braces.
#[derive(RedisKey)]
#[redis_key(user:#tag:{id}:string, value = u64, ttl = 1h)]
struct HashSign {
    id: u64,
}

// A sign that is left of a macro's variable.
#[derive(RedisKey)]
#[redis_key(user:$name:{id}:string, value = u64, ttl = 1h)]
struct Dollar {
    id: u64,
}

// Brackets are no braces.
#[derive(RedisKey)]
#[redis_key(user:[id]:string, value = u64, ttl = 1h)]
struct Brackets {
    id: u64,
}

// Parentheses are no braces either.
#[derive(RedisKey)]
#[redis_key(user:name:(id):string, value = u64, ttl = 1h)]
struct Parentheses {
    id: u64,
}

// Either nothing of the template is quoted or all of it.
#[derive(RedisKey)]
#[redis_key(user:"name":{id}:string, value = u64, ttl = 1h)]
struct QuotedWord {
    id: u64,
}

// A character literal is a quote too.
#[derive(RedisKey)]
#[redis_key(user:'n':{id}:string, value = u64, ttl = 1h)]
struct Character {
    id: u64,
}

// A template in the notation of another tool is one error.
#[derive(RedisKey)]
#[redis_key(user.name.{id}.string, value = u64, ttl = 1h)]
struct Dots {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user/name/{id}/string, value = u64, ttl = 1h)]
struct Slashes {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user, name, {id}, string, value = u64, ttl = 1h)]
struct Commas {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:${id}:string, value = u64, ttl = 1h)]
struct OtherNotationsDollar {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:#{id}:string, value = u64, ttl = 1h)]
struct Hash {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(concat!("user:", "name:{id}:string"), value = u64, ttl = 1h)]
struct MacroCall {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(b"user:name:{id}:string", value = u64, ttl = 1h)]
struct Bytes {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name.:{id}:string, value = u64, ttl = 1h)]
struct EmptyWord {
    id: u64,
}

fn main() {}
