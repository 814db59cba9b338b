// A placeholder is the name of one field.
use redis_keys::prelude::*;
use std::marker::PhantomData;

// The one field that is left has another name.
#[derive(RedisKey)]
#[redis_key(user:name:{page}:string, value = u64, ttl = 1h)]
struct OtherName {
    user_id: u64,
}

// The struct has no fields.
#[derive(RedisKey)]
#[redis_key(user:name:{page}:string, value = u64, ttl = 1h)]
struct NoFields;

// A field with a name has no number.
#[derive(RedisKey)]
#[redis_key(user:name:{0}:string, value = u64, ttl = 1h)]
struct NumberForAName {
    id: u64,
}

// Several fields are left.
#[derive(RedisKey)]
#[redis_key(user:name:{x}:string, value = u64, ttl = 1h)]
struct SeveralToChooseFrom {
    alpha: u64,
    beta: u64,
}

// A typo in a field's name.
#[derive(RedisKey)]
#[redis_key(user:name:{user_idd}:string, value = u64, ttl = 1h)]
struct Slip {
    user_id: u64,
}

// A field's name in another language's manner.
#[derive(RedisKey)]
#[redis_key(user:name:{userId}:string, value = u64, ttl = 1h)]
struct CamelCase {
    user_id: u64,
}

// A typo in a hash tag.
#[derive(RedisKey)]
#[redis_key(user:name:{#user_idd}:string, value = u64, ttl = 1h)]
struct SlipInHashTag {
    user_id: u64,
}

// A tuple struct's fields are counted from 0.
#[derive(RedisKey)]
#[redis_key(user:name:{1}:string, value = u64, ttl = 1h)]
struct NumberOfAField(u64);

// A placeholder names its field.
#[derive(RedisKey)]
#[redis_key(user:name:{}:string, value = u64, ttl = 1h)]
struct EmptyBraces {
    id: u64,
}

// A placeholder names its field, and there is none.
#[derive(RedisKey)]
#[redis_key(user:name:{}:string, value = u64, ttl = 1h)]
struct EmptyBracesNoFields;

// A hash tag names its field.
#[derive(RedisKey)]
#[redis_key(user:name:{#}:string, value = u64, ttl = 1h)]
struct EmptyHashTag {
    id: u64,
}

// Braces are not doubled to be escaped.
#[derive(RedisKey)]
#[redis_key(user:name:{{id}}:string, value = u64, ttl = 1h)]
struct DoubleBraces {
    id: u64,
}

// A placeholder is the field's name alone.
#[derive(RedisKey)]
#[redis_key(user:name:{self.id}:string, value = u64, ttl = 1h)]
struct SelfDot {
    id: u64,
}

// A placeholder is no expression.
#[derive(RedisKey)]
#[redis_key(user:name:{id + 1}:string, value = u64, ttl = 1h)]
struct Expression {
    id: u64,
}

// A placeholder is no call.
#[derive(RedisKey)]
#[redis_key(user:name:{id.to_string()}:string, value = u64, ttl = 1h)]
struct Call {
    id: u64,
}

// A hash tag is no call.
#[derive(RedisKey)]
#[redis_key(user:name:{#id()}:string, value = u64, ttl = 1h)]
struct CallInHashTag {
    id: u64,
}

// A placeholder has no format: the field's type says how it is written.
#[derive(RedisKey)]
#[redis_key(user:name:{id:?}:string, value = u64, ttl = 1h)]
struct DebugFormat {
    id: u64,
}

// A placeholder has no format, and no width.
#[derive(RedisKey)]
#[redis_key(user:name:{id:08}:string, value = u64, ttl = 1h)]
struct PaddedFormat {
    id: u64,
}

// A placeholder that cannot be read leaves no field unused.
#[derive(RedisKey)]
#[redis_key(user:name:{a & 7}:{b:05}:string, value = u64, ttl = 1h)]
struct Expressions {
    a: u64,
    b: u64,
}

#[derive(RedisKey)]
#[redis_key("user:name:{}:{}:string", value = u64, ttl = 1h)]
struct Empty {
    a: u64,
    b: u64,
}

#[derive(RedisKey)]
#[redis_key("user:name:{}:string", id, value = u64, ttl = 1h)]
struct Positional {
    id: u64,
}

// A `PhantomData` has no value.
#[derive(RedisKey)]
#[redis_key(user:name:{of}:string, value = u64, ttl = 1h)]
struct Phantom {
    of: PhantomData<u64>,
}

fn main() {}
