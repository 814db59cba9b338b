//! In quotes, all of it or a part.

use redis_keys::prelude::*;

/// All of it in quotes.
#[derive(RedisKey)]
#[redis_key(
    "quoted:basic.info:{user_id}:string",
    value = "Json<Vec<String>>",
    ttl = "1h",
    jitter = "5m",
    renew = "below(10m)",
    max_bytes = "8KB",
    reason = "it is read by each page",
    crate = "::redis_keys"
)]
pub struct All {
    /// Whose.
    pub user_id: u64,
}

/// Raw strings, and white space that means nothing.
#[derive(RedisKey)]
#[redis_key(
    r#" quoted : basic . info : { # user_id } : string "#,
    value = r"Json < u8 >",
    ttl = r" 1h ",
    jitter = " 10% "
)]
pub struct Raw {
    /// Whose.
    pub user_id: u64,
}

/// Quotes inside of `below`.
#[derive(RedisKey)]
#[redis_key(quoted:name:{0}:string, value = String, ttl = "1h", renew = below("10m"))]
pub struct Part(pub u64);

/// Text that Rust's own lexer refuses outside of quotes.
#[derive(RedisKey)]
#[redis_key("quoted:10e:0x:{0}:string", value = String, ttl = 1h)]
pub struct Odd(pub u64);

#[test]
fn quotes_change_nothing() {
    crate::assert_key(&All { user_id: 42 }, "quoted:basic.info:42:string");
    crate::assert_key(&Raw { user_id: 42 }, "quoted:basic.info:{42}:string");
    crate::assert_key(&Part(42), "quoted:name:42:string");
    crate::assert_key(&Odd(42), "quoted:10e:0x:42:string");
    assert_eq!(All::SCHEMA.value, Some("Json<Vec<String>>"));
    assert_eq!(Raw::SCHEMA.template, "quoted:basic.info:{#user_id}:string");
    let found: (Command<Option<Vec<String>>>, Command<Option<u8>>) =
        (All { user_id: 42 }.get(), Raw { user_id: 42 }.get());
    drop(found);
}

/// Texts with quotes in them.
#[derive(RedisKey)]
#[redis_key(quoted:name:said:string, value = u64, ttl = 1h, reason = "it is \"slow\"\u{21}", owner = r#"the "web" team"#)]
pub struct SaidText;

#[test]
fn texts_are_what_their_literals_mean() {
    assert_eq!(SaidText::SCHEMA.reason, Some("it is \"slow\"!"));
    assert_eq!(SaidText::SCHEMA.owner, Some("the \"web\" team"));
}
