//! Cached keys, and the bytes that they hold.

use redis_keys::cache::Token;
use redis_keys::prelude::*;
use redis_keys_tests::Con;

/// Declares cached keys, each with a `string` of the same text that shows and writes any bytes.
macro_rules! keys {
    ($($name:ident $raw:ident $word:ident $value:ty, ($($option:tt)*);)*) => {$(
        #[derive(RedisKey, Clone, Copy)]
        #[redis_key(marked:$word:{id}:string, value = $value, ttl = 1h, $($option)*)]
        pub(super) struct $name {
            pub(super) id: u32,
        }

        #[derive(RedisKey)]
        #[redis_key(marked:$word:{id}:string, value = Vec<u8>, ttl = 1h, max_bytes = 1MB, allow(overlap, reason = "another version of the program"))]
        struct $raw {
            id: u32,
        }

        impl Bytes for $name {
            fn write(&self, con: &mut Con, bytes: &[u8]) {
                con.ok($raw { id: self.id }.set(bytes));
            }

            fn bytes(&self, con: &mut Con) -> Option<Vec<u8>> {
                con.ok($raw { id: self.id }.get())
            }
        }
    )*};
}

/// The content of a key.
pub(super) trait Bytes: RedisKey {
    /// Writes any bytes with an expiry of an hour.
    fn write(&self, con: &mut Con, bytes: &[u8]);

    /// Returns the bytes.
    fn bytes(&self, con: &mut Con) -> Option<Vec<u8>>;

    /// The text of the key.
    fn text(&self) -> String {
        self.key().expect("the key is valid").to_string()
    }

    /// Asserts the bytes.
    #[track_caller]
    fn assert_bytes(&self, con: &mut Con, bytes: &[u8]) {
        let found = self.bytes(con).unwrap_or_default();
        assert!(found == bytes, "`{}` holds `{}`, not `{}`", self.text(), found.escape_ascii(), bytes.escape_ascii());
    }
}

keys! {
    Name RawName name String, (jitter = 10m, cache(null_ttl = 5m, lease = 10s, refresh = 80%));
    Brief RawBrief brief String, (jitter = 10m, cache(null_ttl = 5m, lease = 100ms, refresh = 80%));
    Once RawOnce once String, (jitter = 10m, cache(null_ttl = 5m));
    Kept RawKept kept String, (jitter = 10m, cache(null_ttl = 5m, lease = 10s, refresh = 80%, stale = 30m));
    Blob RawBlob blob Vec<u8>, (jitter = 10m, max_bytes = 1MB, cache(null_ttl = 5m, refresh = 80%));
}

pub(super) const NAME: Name = Name { id: 1 };

pub(super) const MINUTE: i64 = 60_000;

/// The token of the loader under test.
pub(super) fn mine() -> Token {
    Token::from(*b"mine567890abcdef")
}

/// The token of another loader.
pub(super) fn theirs() -> Token {
    Token::from(*b"theirs7890abcdef")
}

pub(super) const ABSENT: &[u8] = b"\xC1n";
pub(super) const MY_LEASE: &[u8] = b"\xC1lmine567890abcdef";
pub(super) const THEIR_LEASE: &[u8] = b"\xC1ltheirs7890abcdef";

/// Tokens that were given up.
pub(super) const MINE_GIVEN_UP: &[u8] = b"\xC1amine567890abcdef";
pub(super) const BOTH_GIVEN_UP: &[u8] = b"\xC1amine567890abcdeftheirs7890abcdef";

/// A content that others refresh, for years or until a time that has passed.
pub(super) fn refreshed(deadline: &str, content: &[u8]) -> Vec<u8> {
    [b"\xC1rtheirs7890abcdef", deadline.as_bytes(), content].concat()
}

/// A value of [`Kept`] that expires with 30 minutes left. Its load failed if a call tries again before the key expires.
pub(super) fn kept(retry_at: u32, value: &str) -> Vec<u8> {
    [&[0xC1], format!("s0000001800000{retry_at:013}{value}").as_bytes()].concat()
}

pub(super) const FAR: &str = "9999999999999";
pub(super) const PASSED: &str = "0000000000001";

/// Contents that are unknown, or cut short.
pub(super) const CORRUPT: [&[u8]; 6] = [
    b"\xC1",
    b"\xC1x",
    b"\xC1nn",
    b"\xC1l567890abcdefghi",
    b"\xC1rtheirs7890abcdef000000000001",
    b"\xC1rtheirs7890abcdef0000000000001\xC1ltheirs7890abcdef",
];
