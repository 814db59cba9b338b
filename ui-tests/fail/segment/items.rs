// A parameter type is an enum without fields, or a struct with one.
use redis_keys::{KeySegment, prelude::*};
use std::marker::PhantomData;

// An enum that is a parameter has variants, and they have no fields.
#[derive(KeySegment)]
enum Nothing {}

#[derive(KeySegment)]
enum WithFields {
    Number(u64),
    Named { id: u64 },
    Fine,
}

// A struct that is a parameter has one field.
#[derive(KeySegment)]
struct Unit;

#[derive(KeySegment)]
struct Phantom<T>(PhantomData<T>);

#[derive(KeySegment)]
struct Pair {
    shop: u32,
    item: u64,
}

#[derive(KeySegment)]
struct Three(u32, u64, String);

#[derive(KeySegment)]
struct Float(f64);

#[derive(KeySegment)]
struct Maybe {
    id: Option<u64>,
}

#[derive(KeySegment)]
struct Raw(Vec<u8>);

// A union is no parameter.
#[derive(KeySegment)]
union Either {
    small: u32,
    large: u64,
}

// A wrong parameter type causes no errors in the keys that have it.
#[derive(KeySegment)]
enum Section {
    BasicInfo(u64),
    #[redis_key(renam = "orders")]
    Orders,
}

#[derive(KeySegment)]
struct NoCascadePair(u64, f64);

#[derive(RedisKey)]
#[redis_key(user:v.{section}:{pair}:string, value = String, ttl = 1h)]
struct Part {
    section: Section,
    pair: NoCascadePair,
}

fn no_cascade() {
    let _ = Part { section: Section::Orders, pair: NoCascadePair(1, 2.0) }.get();
}

fn main() {}
