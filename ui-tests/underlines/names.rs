//! Underlines in a template: the marks below a line show them, and what the message must contain.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(12345:{id}:string, value = u64, ttl = 1h)]
//          ^^^^^
// first-letter: write the module first, as in `user:12345`
struct Number {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key({id}:name:string, value = u64, ttl = 1h)]
//          ^^^^
// shape: write the module first, as in `user:{id}`
struct ParameterFirst {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(User:basicInfo:{id}:string, value = u64, ttl = 1h)]
//          ^^^^ ^^^^^^^^^
// lower-case: write `user:basic.info:{id}:string`
// lower-case: write `basic.info`
struct UpperCase {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:basic_info:{id}:kebab-case:string, value = u64, ttl = 1h)]
//               ^^^^^^^^^^      ^^^^^^^^^^
// separators: write `user:basic.info:{id}:kebab.case:string`
// separators: write `kebab.case`
struct OtherSeparators {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:café:a@b:"name":{id}:Info:string, value = u64, ttl = 1h)]
//               ^^^^ ^^^ ^^^^^^      ^^^^
// alphabet: write a word of the letters `a` to `z` and the digits `0` to `9`
// alphabet: write `a.b`
// alphabet: write `name`
// lower-case: write `info`
struct Signs {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:basic info:{id}:string, value = u64, ttl = 1h)]
//               ^^^^^^^^^^
// separators: write `basic.info`
struct WhiteSpace {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:basic info:{id}:string", value = u64, ttl = 1h)]
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// separators: write `basic.info`
struct QuotedTemplate {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user, value = u64, ttl = 1h)]
//          ^^^^
// shape: write `user:profile:string`, for example
struct ModuleAlone;

#[derive(RedisKey)]
#[redis_key(user:string, value = u64, ttl = 1h)]
//          ^^^^^^^^^^^
// shape: write what is stored, as in `user:profile:string`
struct NoLogic;

#[derive(RedisKey)]
#[redis_key(user::{id}:a..b:string, value = u64, ttl = 1h)]
//              ^^      ^^
// empty-word: write `user:{id}:a.b:string`
// empty-word: write `a.b`
struct EmptyInside {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(:user:{id}:string:, value = u64, ttl = 1h)]
//          ^                ^
// empty-word: write `user:{id}:string`
// empty-word: write `string`
struct EmptyAtTheEdges {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:v{id}:string, value = u64, ttl = 1h)]
//               ^^^^^
// separators: write `v.{id}`
struct PartOfAWord {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:strng, value = u64, ttl = 1h)]
//                         ^^^^^
// type-suffix: did you mean `string`?
struct Misspelt {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, ttl = 1h)]
//                    ^^^^
// type-suffix: write `{id}:string`
struct NoType {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{#id}:{#page}:string, value = u64, ttl = 1h)]
//                     ^^^^^^^
// hash-tag: write `{page}`
struct TwoTags {
    id: u64,
    page: u32,
}

#[derive(RedisKey)]
#[redis_key(user:{user_idd}:{#userId}:{user_id + 1}:string, value = u64, ttl = 1h)]
//                ^^^^^^^^   ^^^^^^^   ^^^^^^^^^^^
// parameters: write `user:{user_id}:string`
// parameters: did you mean `user_id`?
// parameters: write `{user_id}`
struct Placeholders {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct UnusedField {
    id: u64,
    page: u32,
//  ^^^^
// parameters: add `{page}` to the template, or remove the field
}

#[derive(RedisKey)]
#[redis_key(user:name:{0}:string, value = u64, ttl = 1h)]
struct UnusedWithoutName(u64, std::primitive::u32);
//                            ^^^^^^^^^^^^^^^^^^^
// parameters: add `{1}` to the template, or remove the field

macro_rules! key {
    ($name:ident, $module:ident) => {
        #[derive(RedisKey)]
        #[redis_key($module:name:all:string, value = u64, ttl = 1h)]
        struct $name;
    };
}

key!(ByMacro, userInfo);
//            ^^^^^^^^
// lower-case: write `user.info`

fn main() {}
