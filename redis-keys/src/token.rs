//! Tokens that identify loads of cached keys and holders of locks.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;
use std::{fmt, process};

/// The number of bytes of a token.
pub(crate) const TOKEN_BYTES: usize = 16;

/// A unique random number that identifies one load of a cached key, or one holder of a lock.
///
/// [`CachedKey::claim`](crate::cache::CachedKey::claim) stores it, and [`fill`](crate::cache::CachedKey::fill) must
/// still find it to store the value. [`LockKey::acquire`](crate::lock::LockKey::acquire) stores it too, and only the
/// same token renews and releases the lock.
///
/// ```
/// use redis_keys::cache::Token;
///
/// assert_ne!(Token::random(), Token::random());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    bytes: [u8; TOKEN_BYTES],
}

/// Seeded by the system, unlike `fastrand`, which a program can seed: two programs must not have the same tokens.
static SEED: LazyLock<[RandomState; 2]> = LazyLock::new(|| [RandomState::new(), RandomState::new()]);

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Token {
    /// Creates a token that is unique in this process and all others.
    pub fn random() -> Self {
        // A forked process has the same seed and the same count, and a machine that is restored twice has the same
        // process too.
        let one = (process::id(), COUNT.fetch_add(1, Relaxed), SystemTime::now());
        let [first, second] = [0, 1].map(|half: usize| SEED[half].hash_one(one));
        Self { bytes: (u128::from(first) << 64 | u128::from(second)).to_be_bytes() }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|bytes| Self { bytes })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The token as text: 32 hexadecimal digits in lower case.
    pub(crate) fn to_hex(self) -> [u8; 2 * TOKEN_BYTES] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 2 * TOKEN_BYTES];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.bytes) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        hex
    }
}

/// Creates a token from known bytes, for tests of sent commands. Other tokens are [random](Token::random).
///
/// ```
/// use redis_keys::{cache::Token, prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 10s))]
/// struct Name { user_id: u64 }
///
/// let token = Token::from(*b"0123456789abcdef");
/// assert_eq!(
///     testing::text(Name { user_id: 42 }.claim(&token))?,
///     ["EVALSHA claim.lua 1 user:name:42:string 0123456789abcdef 10000"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
impl From<[u8; TOKEN_BYTES]> for Token {
    fn from(bytes: [u8; TOKEN_BYTES]) -> Self {
        Self { bytes }
    }
}

/// Does not show the token, which is useless in a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Token;

    #[test]
    fn tokens_differ_though_a_program_seeds_its_random_numbers() {
        let tokens = std::iter::repeat_with(|| {
            fastrand::seed(7);
            Token::random()
        });
        let tokens: HashSet<_> = tokens.take(10_000).collect();
        assert_eq!(tokens.len(), 10_000);
    }

    #[test]
    fn a_token_has_a_text() {
        let bytes = [0, 1, 2, 3, 4, 5, 6, 7, 0x89, 0x9a, 0xab, 0xbc, 0xcd, 0xde, 0xef, 0xff];
        assert_eq!(&Token::from(bytes).to_hex(), b"0001020304050607899aabbccddeefff");
    }

    #[test]
    fn a_token_is_not_shown() {
        assert_eq!(format!("{:?}", Token::from(*b"0123456789abcdef")), "Token(…)");
    }
}
