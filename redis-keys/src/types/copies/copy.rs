//! One copy of a hot key.

use crate::{
    CopiedKey, RedisKey,
    key::{KeyWriter, parse::Unparsable},
    schema::{Declaration, RareOptions, Schema},
    string::StringType,
};

/// One copy of a hot key, as returned by [`CopiedKey::copy`]: a key of type `string`.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, copies = 8)]
/// struct Banner { shop: u32 }
///
/// let banner = Banner { shop: 42 };
/// assert_eq!(testing::text(banner.copy(3).ttl())?, ["PTTL shop:banner:42:3:string"]);
/// assert!(banner.copy(8).key().is_err());
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[derive(Debug)]
pub struct KeyCopy<'k, K> {
    key: &'k K,
    number: u32,
}

impl<'k, K> KeyCopy<'k, K> {
    pub(crate) fn new(key: &'k K, number: u32) -> Self {
        Self { key, number }
    }

    /// The number of the copy, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl<K> Clone for KeyCopy<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for KeyCopy<'_, K> {}

#[diagnostic::do_not_recommend]
impl<K: CopiedKey> RedisKey for KeyCopy<'_, K> {
    const SCHEMA: &'static Schema = K::SCHEMA;
    const DECLARATION: Declaration = K::DECLARATION;
    const RARE_OPTIONS: RareOptions = K::RARE_OPTIONS;
    const TTL_FROM_END_OF: &'static str = K::TTL_FROM_END_OF;
    const ALLOWED: &'static str = K::ALLOWED;

    #[inline]
    fn bucket_end(&self) -> Option<i64> {
        self.key.bucket_end()
    }

    #[inline]
    fn write_key(&self, key: &mut KeyWriter) -> &'static str {
        self.key.write_copy(self.number, key)
    }

    /// None: the text of a copy cannot be parsed.
    type Fields = Unparsable;

    fn from_fields(fields: Unparsable) -> Self {
        match fields {}
    }
}

#[diagnostic::do_not_recommend]
impl<K: CopiedKey> StringType for KeyCopy<'_, K> {
    type Value = K::Value;
}
