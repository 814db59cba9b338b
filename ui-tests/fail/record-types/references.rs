// A record owns its values.
use std::borrow::Cow;

use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case<'a> {
    id: u64,
    name: &'a str,
    cow: Cow<'a, str>,
    other: Vec<Cow<'a, str>>,
    bytes: Option<&'static [u8]>,
}

fn main() {}
