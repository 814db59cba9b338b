//! The tokens of those who load values.

use std::{
    fmt,
    hash::{BuildHasher as _, RandomState},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// The number of bytes of a token.
pub(crate) const TOKEN_BYTES: usize = 16;

/// Identifies one load of a cached key: what [`CachedKey::claim`](super::CachedKey::claim) stores, and what
/// [`fill`](super::CachedKey::fill) must still find to store the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    bytes: [u8; TOKEN_BYTES],
}

/// Seeded by the system, unlike `fastrand`, which a program can seed: two programs must not have the same tokens.
static SEED: LazyLock<[RandomState; 2]> = LazyLock::new(|| [RandomState::new(), RandomState::new()]);

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Token {
    /// Creates a token that no other load has, in this process or another one.
    pub fn random() -> Self {
        let count = COUNT.fetch_add(1, Relaxed);
        let mut bytes = [0; TOKEN_BYTES];
        let (first, second) = bytes.split_at_mut(8);
        first.copy_from_slice(&SEED[0].hash_one(count).to_le_bytes());
        second.copy_from_slice(&SEED[1].hash_one(count).to_le_bytes());
        Self { bytes }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|bytes| Self { bytes })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Does not show the token: it is of no use in a log.
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
}
