// A record is a struct with named fields that owns its values, one of which is mandatory.
use redis_keys::prelude::*;

// A record is a struct, not an enum.
#[derive(RedisHash)]
enum Enum {
    One,
    Two,
}

// A record is a struct, not a union.
#[derive(RedisHash)]
union Union {
    one: u8,
    two: i8,
}

// The fields of a record have names.
#[derive(RedisHash)]
struct Tuple(u64, String);

// A record is not empty.
#[derive(RedisHash)]
struct Unit;

#[derive(RedisHash)]
struct Empty {}

#[derive(RedisHash)]
struct Phantom<T> {
    of: std::marker::PhantomData<T>,
}

// A record owns its values.
#[derive(RedisHash)]
struct Lifetime<'a> {
    id: u64,
    of: std::marker::PhantomData<&'a str>,
}

// One field of a record is mandatory.
#[derive(RedisHash)]
struct Options {
    name: Option<String>,
    page: Option<u32>,
}

#[derive(RedisHash)]
struct Defaults {
    name: Option<String>,
    #[redis_hash(default)]
    page: u32,
}

fn main() {}
