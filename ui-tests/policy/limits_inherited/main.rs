//! A key inherits the policy's limits and the module's owner, unless it declares a lower limit or another owner.
#![no_implicit_prelude]
#![deny(missing_docs, warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ::redis_keys::prelude::*;

#[allow(dead_code, non_camel_case_types)]
struct u8;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = ::std::string::String, ttl = 30d)]
struct Name {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:names:{id}:set, value = ::std::string::String, ttl = 1h)]
struct Names {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:recent:{id}:list, value = ::std::string::String, ttl = 1h, keep_last = 10, max_member_bytes = 100)]
struct Recent {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:price:{id}:string, value = u64, ttl = 1h, max_bytes = 20, owner = "web")]
struct Price {
    id: u64,
}

const fn same(one: ::std::option::Option<u64>, other: u64) -> bool {
    ::std::matches!(one, ::std::option::Option::Some(one) if one == other)
}

const _: () = {
    let (name, names) = (Name::SCHEMA, Names::SCHEMA);
    ::std::assert!(same(name.max_bytes, 4096) && name.max_len.is_none() && name.max_key_bytes == 100);
    ::std::assert!(same(names.max_len, 100) && same(names.max_member_bytes, 512) && names.max_bytes.is_none());
    ::std::assert!(same(Recent::SCHEMA.max_member_bytes, 100) && Recent::SCHEMA.max_len.is_none());
    ::std::assert!(same(Price::SCHEMA.max_bytes, 20));
    ::std::assert!(::std::matches!(name.owner, ::std::option::Option::Some(owner) if owner.len() == 8));
    ::std::assert!(::std::matches!(Price::SCHEMA.owner, ::std::option::Option::Some(owner) if owner.len() == 3));
};

fn main() {
    let _ = (Name { id: 1 }.get(), Names { id: 1 }.scard(), Recent { id: 1 }.llen(), Price { id: 1 }.get());
}
