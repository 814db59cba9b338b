//! The keys of the tests, and what they hold.

use redis_keys::lock::Token;
use redis_keys::prelude::*;
use redis_keys_tests::Con;

/// A lock that does not expire while a test runs.
#[derive(RedisKey, Clone, Copy)]
#[redis_key(lock:order:{id}:string, lock, ttl = 1m)]
pub(super) struct Order {
    pub(super) id: u32,
}

/// A lock that expires soon.
#[derive(RedisKey, Clone, Copy)]
#[redis_key(lock:hasty:{id}:string, lock, ttl = 300ms, allow(unusual_ttl, reason = "tests wait for its end"))]
pub(super) struct Hasty {
    pub(super) id: u32,
}

/// A lock that is renewed several times while a test runs, and seldom lost on a slow machine.
#[derive(RedisKey, Clone, Copy)]
#[redis_key(lock:brisk:{id}:string, lock, ttl = 2s, allow(unusual_ttl, reason = "tests wait for its end"))]
pub(super) struct Brisk {
    pub(super) id: u32,
}

/// A lock of which a user writes the name.
#[derive(RedisKey)]
#[redis_key(lock:named:{name}:string, lock, ttl = 1m)]
pub(super) struct NamedLock {
    pub(super) name: String,
}

pub(super) const ORDER: Order = Order { id: 1 };

pub(super) const MINUTE: i64 = 60_000;

/// The token of the caller under test.
pub(super) fn mine() -> Token {
    Token::from([0x11; 16])
}

/// The token of another caller.
pub(super) fn theirs() -> Token {
    Token::from([0x22; 16])
}

pub(super) const MY_TOKEN: &str = "11111111111111111111111111111111";
pub(super) const THEIR_TOKEN: &str = "22222222222222222222222222222222";

pub(super) fn text(key: &impl RedisKey) -> String {
    key.key().expect("the key is valid").to_string()
}

/// Returns the content of a key.
pub(super) fn content(con: &mut Con, key: &impl RedisKey) -> Option<String> {
    con.raw(&["GET", &text(key)])
}

/// Lets a key hold anything, with an expiry of an hour.
pub(super) fn write(con: &mut Con, key: &impl RedisKey, content: &str) {
    let _: String = con.raw(&["SET", &text(key), content, "EX", "3600"]);
}

/// The time of the server in microseconds.
pub(super) fn server_time(con: &mut Con) -> u64 {
    let (seconds, micros): (u64, u64) = con.raw(&["TIME"]);
    seconds * 1_000_000 + micros
}

/// Whether a lock is free, and its fence is known.
pub(super) fn is_released(con: &mut Con, key: &impl RedisKey) -> bool {
    content(con, key).is_some_and(|content| content.starts_with(' '))
}
