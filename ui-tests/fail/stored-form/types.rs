// A stored form is a type, spelt as it is.
use redis_keys::prelude::*;

// Our forms have one name each.
struct Profile {
    name: String,
}

// Our form in lower case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = json<Profile>)]
struct LowerCase {
    id: u64,
}

// Our form in upper case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = JSON<Profile>)]
struct UpperCase {
    id: u64,
}

// Our form by the name of a library.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = msgpack<Profile>)]
struct OtherName {
    id: u64,
}

// Our form in lower case, and nothing that it stores.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = json)]
struct LowerCaseNoPayload {
    id: u64,
}

// A form has a type argument.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json)]
struct NoPayload {
    id: u64,
}

// A form has a type argument.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json<>)]
struct EmptyPayload {
    id: u64,
}

// A number is no type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = 5)]
struct NoType {
    id: u64,
}

// `value` is a type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value =)]
struct MissingType {
    id: u64,
}

// `field` is a type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, ttl = 1h, value = u64, field = 5)]
struct FieldIsNoType {
    id: u64,
}

// A bracket that nothing closes.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json<Profile)]
struct UnclosedType {
    id: u64,
}

// The brackets of a type are angles.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json(Profile))]
struct WrongBrackets {
    id: u64,
}

fn main() {}
