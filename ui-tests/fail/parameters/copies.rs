// Only strings have copies, and the index of the copy is in the template once.
use redis_keys::prelude::*;

// Only strings have copies, and the number of the copy is in the template once.
#[derive(RedisKey)]
#[redis_key(user:recent:{id}:{copy}:list, value = u64, ttl = 1h, copies = 8)]
struct OfAList {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy % 8}:string, value = u64, ttl = 1h, copies = 8)]
struct Shard {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{copy}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Twice;

#[derive(RedisKey)]
#[redis_key(user:{copy}:{id}:string, value = u64, ttl = 1h, copies = 8)]
struct UnusedField {
    id: u64,
    page: u64,
}

// With `copies` no field is called `copy`.
#[derive(RedisKey)]
#[redis_key(user:name:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct CopiesAndAField {
    copy: u8,
}

// Copies are on different servers, so the hash tag is not the same.
#[derive(RedisKey)]
#[redis_key(shop:tags:{#shop}:{copy}:string, value = u64, ttl = 1h, copies = 2)]
struct OneSlot {
    shop: u64,
}

// A cluster uses only the first pair of braces.
#[derive(RedisKey)]
#[redis_key("shop:names:{#shop}:{#copy}:string", value = u64, ttl = 1h, copies = 2)]
struct OfTwoTheFirst {
    shop: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:towns:{#copy}:{#shop}:string, value = u64, ttl = 1h, copies = 2)]
struct TheOtherWayRound {
    shop: u64,
}

// `{copy}` belongs to a key with `copies`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h)]
struct NoNumber {
    id: u64,
}

// It may have been meant for the field that is left.
#[derive(RedisKey)]
#[redis_key("user:age:{#copy}:string", value = u64, ttl = 1h)]
struct InItsPlace {
    id: u64,
}

// The number is called `copy`.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:{copies}:string, value = u64, ttl = 1h, copies = 8)]
struct OtherName {
    id: u64,
}

// Of a list there are none.
#[derive(RedisKey)]
#[redis_key(user:recent:{id}:{copy}:list, value = u64, ttl = 1h)]
struct CopiesMissingOfAList {
    id: u64,
}

// The number of the copy has a place in the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, copies = 8)]
struct CopiesWithoutAPlace {
    id: u64,
}

// A hot key has a number of copies.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 0)]
struct NoCopy {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{id}:{copy}:string, value = u64, ttl = 1h, copies = many)]
struct Many {
    id: u64,
}

// One copy is too few.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 1)]
struct OneCopy {
    id: u64,
}

fn main() {}
