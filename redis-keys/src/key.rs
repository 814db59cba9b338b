//! The text of a key, and the namespace before it.

mod error;
pub mod namespace;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod test_prefix;
pub(crate) mod writer;

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Deref;
use std::{fmt, hash, str};

pub(crate) use error::{InvalidKey, KeyProblem, ParseError, segment_problem};
pub(crate) use namespace::KeyPrefix;
use redis::{RedisWrite, ToRedisArgs, ToSingleRedisArg};
use writer::CAPACITY;
pub(crate) use writer::{KeyText, KeyWriter, LegacyValue, OtherNameWriter, SegmentWriter};

/// The validated text of a key.
///
/// [`RedisKey::key`](crate::RedisKey::key) returns it. You can pass it to redis-rs as an argument, for commands that
/// this crate does not provide.
///
/// ```
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// let key = Name { user_id: 42 }.key()?;
/// assert_eq!(key.as_str(), "user:name:42:string");
/// let mut command = redis::cmd("OBJECT");
/// command.arg("ENCODING").arg(&key);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[derive(Clone)]
pub struct Key {
    bytes: [u8; CAPACITY],
    len: usize,
    /// The whole text of a legacy key that exceeds the buffer.
    long: Option<Box<str>>,
}

impl Key {
    pub(crate) fn new(bytes: [u8; CAPACITY], len: usize, long: Option<Box<str>>) -> Self {
        Self { bytes, len, long }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        // A key is written as text, so this is always text.
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    fn as_bytes(&self) -> &[u8] {
        match &self.long {
            None => self.bytes.get(..self.len).unwrap_or_default(),
            Some(long) => long.as_bytes(),
        }
    }
}

impl Deref for Key {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Key {}

macro_rules! equals_text {
    ($($text:ty)*) => {$(
        impl PartialEq<$text> for Key {
            fn eq(&self, other: &$text) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }

        impl PartialEq<Key> for $text {
            fn eq(&self, other: &Key) -> bool {
                other == self
            }
        }
    )*};
}

equals_text!(str &str String);

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.as_str().to_owned()
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl hash::Hash for Key {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        // Consistent with `str`, as `Borrow` requires.
        self.as_str().hash(state);
    }
}

impl ToRedisArgs for Key {
    fn write_redis_args<W: ?Sized + RedisWrite>(&self, out: &mut W) {
        out.write_arg(self.as_bytes());
    }
}

impl ToSingleRedisArg for Key {}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use crate::RedisKey;
    use crate::tests::keys::{Name, Tag, Views};

    #[test]
    fn a_key_is_its_text() {
        let key = Views { page: 7 }.key().unwrap();
        assert_eq!(key, "page:views:7:string");
        assert_eq!("page:views:7:string", key);
        assert_eq!(key, String::from(key.clone()));
        assert_eq!(String::from(key.clone()), key);
        assert_eq!(
            format!("{key} {key:?} {key:>20}"),
            "page:views:7:string \"page:views:7:string\"  page:views:7:string"
        );
        assert!(key < Views { page: 8 }.key().unwrap());
        assert_eq!(redis::ToRedisArgs::to_redis_args(&key), [b"page:views:7:string".to_vec()]);
    }

    #[test]
    fn max_key_bytes_limits_the_key() {
        assert_eq!(Tag { name: "blue" }.key().unwrap(), "user:tag:blue:string");
        assert_eq!(Tag::SCHEMA.max_key_bytes, 20);
        let error = Tag { name: "green" }.key().unwrap_err().to_string();
        assert!(error.contains("has 5 bytes, which makes the key 21 bytes long: the limit is 20"), "{error}");
    }

    #[test]
    fn a_key_is_found_by_its_text() {
        let key = Name { user: "ada" }.key().unwrap();
        assert!(HashSet::from([key.clone()]).contains("user:name:ada:string"));
        assert!(BTreeSet::from([key]).contains("user:name:ada:string"));
    }
}
