//! Raw identifiers, and keywords where Rust wants `r#` and a key wants none.
#![allow(non_camel_case_types, reason = "a keyword is no camel")]

use redis_keys::prelude::*;

/// A field and a struct with names that are keywords.
#[derive(RedisKey)]
#[redis_key(rawnames:type:{type}:{r#fn}:string, value = u64, ttl = 1h)]
pub struct r#struct {
    /// The kind.
    pub r#type: u64,
    /// Its id.
    pub r#fn: u32,
}

/// Every keyword is a word of a key.
#[derive(RedisKey)]
#[redis_key(use:self:super:crate:fn.struct.true.async:{0}:string, value = u64, ttl = 1h)]
pub struct Keywords(pub u8);

#[test]
fn no_raw_sign_is_left() {
    crate::assert_key(&r#struct { r#type: 42, r#fn: 7 }, "rawnames:type:42:7:string");
    let names: Vec<_> = r#struct::SCHEMA.parameters.iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["type", "fn"]);
    assert_eq!(r#struct::SCHEMA.name, "r#struct");
    crate::assert_key(&Keywords(7), "use:self:super:crate:fn.struct.true.async:7:string");
}
