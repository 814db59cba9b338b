//! The contents of templates, and their layouts.

use redis_keys::prelude::*;

/// Numbers that Rust's own lexer cuts elsewhere than a key is cut.
#[derive(RedisKey)]
#[redis_key(u:2fa.codes:1e5:v1.2:2024.05:1.2.3:007:{id}:string, value = u64, ttl = 1h)]
pub struct Numbers {
    /// Its id.
    pub id: u8,
}

/// White space around separators means nothing, and comments are none of the template.
#[derive(RedisKey)]
#[redis_key(
    user // the module
    : home . page /* what is stored */
    : { id }
    : string
    , value = Json < u64 >
    , ttl = 1h
    ,
)]
pub struct SpacedKey {
    /// Its id.
    pub id: u64,
}

/// A hash tag, and a placeholder that is a word beside others.
#[derive(RedisKey)]
#[redis_key(cart:{#user}:v.{version}.of.{of}:string, value = u64, ttl = 1h)]
pub struct TaggedCart<'u> {
    /// Whose.
    pub user: &'u str,
    /// The version.
    pub version: u8,
    /// Of how many.
    pub of: u16,
}

/// The name of a type may also stand where it is none.
#[derive(RedisKey)]
#[redis_key(string:hash:{list}:string, value = u64, ttl = 1h)]
pub struct Types {
    /// Its id.
    pub list: u64,
}

/// Words that are options elsewhere.
#[derive(RedisKey)]
#[redis_key(value:ttl:{ttl}:crate:string, value = u64, ttl = 1h)]
pub struct Options {
    /// Its id.
    pub ttl: u64,
}

/// Shards: by themselves, beside the whole, as hash tags and as words.
#[derive(RedisKey)]
#[redis_key(user:follows:{id % 1000}:{#id}:set, value = u64, ttl = 1h)]
pub struct Shards {
    /// Whose.
    pub id: u64,
}

/// The same in quotes, with a number of a tuple struct.
#[derive(RedisKey)]
#[redis_key("user:fans:{#0 % 1_000}:v.{1%2}:set", value = u64, ttl = 1h)]
pub struct QuotedShards(pub i64, pub std::num::NonZeroU8);

#[test]
fn templates_are_read_as_they_are_written() {
    crate::assert_key(&Numbers { id: 7 }, "u:2fa.codes:1e5:v1.2:2024.05:1.2.3:007:7:string");
    crate::assert_key(&SpacedKey { id: 42 }, "user:home.page:42:string");
    assert_eq!(SpacedKey::SCHEMA.template, "user:home.page:{id}:string");
    crate::assert_key(&TaggedCart { user: "ada", version: 1, of: 2 }, "cart:{ada}:v.1.of.2:string");
    assert_eq!(TaggedCart::SCHEMA.template, "cart:{#user}:v.{version}.of.{of}:string");
    crate::assert_key(&Types { list: 42 }, "string:hash:42:string");
    crate::assert_key(&Shards { id: 12_345 }, "user:follows:345:{12345}:set");
    assert_eq!(Shards::SCHEMA.template, "user:follows:{id % 1000}:{#id}:set");
    crate::assert_key(&QuotedShards(12_345, std::num::NonZeroU8::MAX), "user:fans:{345}:v.1:set");
    crate::assert_key(&Options { ttl: 42 }, "value:ttl:42:crate:string");
}
