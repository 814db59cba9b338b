//! With names in scope that mean something else than they use to.
#![allow(dead_code, non_camel_case_types, non_upper_case_globals, reason = "that is what shadows")]

/// Types and a module that bear the names of the language's own.
pub mod shadows {
    /// Not the type.
    pub struct Option;
    /// Not the type.
    pub struct String;
    /// Not the type.
    pub struct Schema;
    /// Not the trait.
    pub trait KeySegment {}
    /// Not the type.
    pub struct str;
    /// Not the type.
    pub struct usize;
    /// Not the type.
    pub struct u64;
    /// Not the type.
    pub struct bool;
    /// Not the crate.
    pub mod redis_keys {}
    /// Not the crate.
    pub mod core {}
    /// Not the variant.
    pub const Some: u8 = 0;
    /// Not the variant.
    pub const None: u8 = 0;
}

#[allow(unused_imports, reason = "the derive must not look at them")]
use shadows::*;

/// A key among them.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shadowednames:name:{key}:{self_}:string, value = ::std::string::String, ttl = 1h, jitter = 5m, owner = "web")]
pub struct Key {
    /// Text.
    pub key: ::std::string::String,
    /// A number.
    pub self_: ::core::primitive::u64,
}

/// A key of which the compiler is asked whether it can be the same as that one.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shadowednames:name:all:{of}:string, value = ::std::string::String, ttl = 1h, jitter = 5m, owner = "web")]
pub struct All {
    /// A word.
    pub of: ::core::primitive::bool,
}

/// A key that bears the name of a constant, and of no type.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shadowednames:{id}:string, value = ::std::string::String, ttl = 1h, jitter = 5m)]
pub struct lower_case<T> {
    /// Of any type.
    pub id: NumberedSegment<T, { lower_case }>,
}

/// Not the type.
pub const lower_case: ::core::primitive::u8 = 0;

/// A type of a number.
#[derive(::redis_keys::KeySegment)]
pub struct NumberedSegment<T, const N: ::core::primitive::u8>(pub T);

impl Key {
    /// Not the trait's.
    pub fn write_key(&self) {}

    /// Not the trait's.
    pub fn segment(&self) {}

    /// Not the trait's.
    pub const SCHEMA: u8 = 0;
}

#[test]
fn the_derive_looks_at_none_of_them() {
    crate::assert_key(&Key { key: "ada".to_owned(), self_: 42 }, "shadowednames:name:ada:42:string");
    assert_eq!(<Key as ::redis_keys::RedisKey>::SCHEMA.parameters.len(), 2);
}
