//! Warnings that rustc's attributes allow, in all places where a key can be declared.
#![no_implicit_prelude]
#![deny(missing_docs, warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ::redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = u64, ttl = 1h)]
#[allow(deprecated, reason = "the jitter comes with the next release")]
struct Page {
    id: u64,
}

#[allow(deprecated)]
mod keys {
    use ::redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(cache:pages:{id}:string, value = u64, ttl = 1h)]
    pub(crate) struct Pages {
        pub(crate) id: u64,
    }
}

fn main() {
    #[allow(warnings)]
    #[derive(RedisKey)]
    #[redis_key("cache:inside:{id}:string", value = u64, ttl = 1h)]
    struct Inside {
        id: u64,
    }
    let _ = (Page { id: 1 }.get(), keys::Pages { id: 1 }.get(), Inside { id: 1 }.get());
}
