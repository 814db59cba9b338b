// Options of the fields of a record.
use redis_keys::prelude::*;

// Unknown options.
#[derive(RedisHash)]
struct UnknownOption {
    #[redis_hash(defualt)]
    first: u8,
    #[redis_hash(colour = red)]
    second: u8,
    #[redis_hash(renam = "x", !)]
    third: u8,
}

// An option is given once.
#[derive(RedisHash)]
struct Twice {
    id: u64,
    #[redis_hash(default, default)]
    first: u8,
    #[redis_hash(rename = "a")]
    #[redis_hash(rename = "b")]
    second: u8,
}

// Options are separated by commas.
#[derive(RedisHash)]
struct Commas {
    id: u64,
    #[redis_hash(default rename = "a")]
    first: u8,
    #[redis_hash(rename = "b" default)]
    second: u8,
    #[redis_hash(default,, rename = "c")]
    third: u8,
}

// An option is a name and a value.
#[derive(RedisHash)]
struct Forms {
    id: u64,
    #[redis_hash(rename)]
    first: u8,
    #[redis_hash(rename("b"))]
    second: u8,
    #[redis_hash(ttl: 10m)]
    third: Option<u8>,
    #[redis_hash(value =)]
    fourth: u8,
    #[redis_hash(default = 5)]
    fifth: u8,
    #[redis_hash()]
    sixth: u8,
    #[redis_hash]
    seventh: u8,
    #[redis_hash = "x"]
    eighth: u8,
}

// Options without effect.
#[derive(RedisHash)]
struct Needless<T> {
    id: u64,
    #[redis_hash(default)]
    name: Option<String>,
    #[redis_hash(rename = "o")]
    of: std::marker::PhantomData<T>,
}

// A field that expires may be missing, and says how long it lives.
#[derive(RedisHash)]
struct Ttl {
    #[redis_hash(ttl = 10m)]
    mandatory: u64,
    #[redis_hash(ttl = 600)]
    number: Option<u8>,
    #[redis_hash(ttl = "1 hour")]
    other: Option<u8>,
    #[redis_hash(ttl = never)]
    never: Option<u8>,
    #[redis_hash(ttl = 4000d)]
    long: Option<u8>,
}

fn main() {}
