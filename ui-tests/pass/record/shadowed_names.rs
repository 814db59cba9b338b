//! With names in scope that mean something else than they use to.
#![allow(dead_code, non_camel_case_types, non_upper_case_globals, reason = "that is what shadows")]

/// Types and a module that bear the names of the language's own.
pub mod shadows {
    /// Not the type.
    pub struct String;
    /// Not the type.
    pub struct str;
    /// Not the type.
    pub struct Optional;
    /// Not the trait.
    pub trait Default {}
    /// Not the crate.
    pub mod redis_keys {}
    /// Not the crate.
    pub mod core {}
    /// Not the variant.
    pub const Some: u8 = 0;
    /// Not the variant.
    pub const Ok: u8 = 0;
    /// Not the parameter.
    pub const fields: u8 = 0;
}

#[allow(unused_imports, reason = "the derive must not look at them")]
use shadows::*;

/// A record among them.
#[derive(::redis_keys::RedisHash)]
pub struct Record<T> {
    /// Text.
    pub name: ::std::string::String,
    /// A number.
    pub fields: ::std::option::Option<u64>,
    /// Whatever has a default.
    #[redis_hash(default)]
    pub rest: T,
}

impl<T> Record<T> {
    /// Not the trait's.
    pub const FIELDS_: u8 = 0;

    /// Not the trait's.
    pub fn write_record(&self) {}

    /// Not the trait's.
    pub fn write(&self) {}
}

#[test]
fn the_derive_looks_at_none_of_them() {
    assert_eq!(super::names::<Record<u8>>(), ["name", "fields", "rest"]);
}
