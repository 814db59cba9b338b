//! Digests of text and bytes.
#![deny(warnings, missing_docs)]

use std::borrow::Cow;

use redis_keys::KeySegment;
use redis_keys::prelude::*;

/// A newtype of text.
#[derive(KeySegment)]
pub struct Query(String);

/// Of all kinds.
#[derive(RedisKey)]
#[redis_key(search:{query}:v.{text}:{#bytes}:string, value = u64, ttl = 1h)]
pub struct Hits<'t, T: AsRef<[u8]>> {
    /// A newtype.
    #[redis_key(digest)]
    pub query: Query,
    /// Borrowed or not.
    #[redis_key(digest)]
    pub text: Cow<'t, str>,
    /// Bytes.
    #[redis_key(digest)]
    pub bytes: [u8; 3],
    /// Nothing.
    pub of: std::marker::PhantomData<T>,
}

/// Of what is left open.
#[derive(RedisKey)]
#[redis_key(search:any:{0}:string, value = u64, ttl = 1h)]
pub struct Any<T>(#[redis_key(digest)] pub T);

#[test]
fn digests_print() {
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223";
    let hits = Hits::<&str> {
        query: Query("abc".to_owned()),
        text: Cow::Borrowed("abc"),
        bytes: *b"abc",
        of: std::marker::PhantomData,
    };
    crate::assert_key(&hits, &format!("search:{ABC}:v.{ABC}:{{{ABC}}}:string"));
    crate::assert_key(&Any("abc"), &format!("search:any:{ABC}:string"));
    crate::assert_key(&Any(b"abc".to_vec()), &format!("search:any:{ABC}:string"));
}
