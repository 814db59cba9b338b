//! Each warning is reported once, also in functions and macros, whatever names are in scope.
#![no_implicit_prelude]
#![warn(missing_docs, clippy::pedantic, unused_qualifications, unreachable_pub, unused_macros, unused_imports)]
#![forbid(unsafe_code)]
#![allow(dead_code)]

use ::redis_keys::prelude::*;

mod missing_jitter {}
macro_rules! unusual_ttl {
    () => {};
}
unusual_ttl!();

macro_rules! key {
    ($name:ident, $word:ident, $ttl:literal) => {
        #[derive(RedisKey)]
        #[redis_key(cache:$word:{id}:string, value = u64, ttl = $ttl)]
        struct $name {
            id: u64,
        }
    };
}

key!(Page, page, "2d");
key!(Pages, pages, "3d");

fn main() {
    mod redis_keys {}
    #[derive(RedisKey)]
    #[redis_key(cache:inside:{id}:string, value = u64, ttl = 1h, crate = ::redis_keys)]
    struct Inside<'a, T> {
        id: &'a str,
        of: ::std::marker::PhantomData<T>,
    }
    let _ = Inside { id: "a", of: ::std::marker::PhantomData::<u64> }.get();
    let _ = (Page { id: 1 }.get(), Pages { id: 1 }.get());
}
