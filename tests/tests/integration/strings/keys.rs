//! Every key of these tests expires, except those of the module `never`.

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) age: u8,
}

/// Text.
#[derive(RedisKey)]
#[redis_key(text:note:{id}:string, value = String, ttl = 1h)]
pub(crate) struct Note {
    pub(crate) id: u32,
}

/// Text with a parameter that is validated.
#[derive(RedisKey)]
#[redis_key(text:named:{name}:string, value = String, ttl = 1h)]
pub(crate) struct NamedText<'a> {
    pub(crate) name: &'a str,
}

/// Text of a few bytes.
#[derive(RedisKey)]
#[redis_key(text:small:{id}:string, value = String, ttl = 1h, max_bytes = 8B)]
pub(crate) struct Small {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(text:jittered:{id}:string, value = String, ttl = 1h, jitter = 30m)]
pub(crate) struct JitteredText {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(json:profile:{id}:string, value = Json<Profile>, ttl = 1h)]
pub(crate) struct Card {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(blob:raw:{id}:string, value = Vec<u8>, ttl = 1h)]
pub(crate) struct Blob {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(never:text:{id}:string, value = String, ttl = never, reason = "read at every start", rebuild = "by the test")]
pub(crate) struct KeptText {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(never:count:{id}:string, value = i64, ttl = never, reason = "counts forever", rebuild = "by the test")]
pub(crate) struct KeptCount {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(never:narrow:{id}:string, value = u8, ttl = never, reason = "counts forever", rebuild = "by the test")]
pub(crate) struct KeptNarrow {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(never:float:{id}:string, value = f64, ttl = never, reason = "counts forever", rebuild = "by the test")]
pub(crate) struct KeptFloat {
    pub(crate) id: u32,
}

macro_rules! counts {
    ($($name:ident $word:ident $number:ident;)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(count:$word:{id}:string, value = $number, ttl = 1h)]
        pub(crate) struct $name {
            pub(crate) id: u32,
        }
    )*};
}

counts! {
    CountI64 long i64;
    CountU64 natural u64;
    CountU8 narrow u8;
    CountI16 small i16;
    CountF64 float f64;
    CountF32 single f32;
}

/// A counter whose expiry each write renews.
#[derive(RedisKey)]
#[redis_key(count:sliding:{id}:string, value = u32, ttl = 1h, renew = write)]
pub(crate) struct Sliding {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(count:tides:{id}:string, value = f64, ttl = 1h, renew = write)]
pub(crate) struct SlidingFloat {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(text:sliding:{id}:string, value = String, ttl = 1h, renew = write)]
pub(crate) struct SlidingText {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(text:read:{id}:string, value = String, ttl = 1h, renew = read)]
pub(crate) struct TouchedText {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(text:low:{id}:string, value = String, ttl = 1h, renew = below(10m))]
pub(crate) struct FadingText {
    pub(crate) id: u32,
}
