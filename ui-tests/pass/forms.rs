//! Every stored form, in keys of several types.

use std::collections::BTreeMap;

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

/// Types of other crates, or of one's own, that bear the same names.
pub mod others {
    /// Of a library for compression.
    #[derive(Debug)]
    pub struct Zstd<T>(pub T);

    /// Of a library for messages.
    #[derive(Debug)]
    pub struct Postcard<T>(pub T);
}

pub use others::{Postcard, Zstd};

/// The stored value.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Profile {
    /// Its name.
    pub name: String,
}

macro_rules! forms {
    ($($name:ident: $value:ty => $output:ty;)*) => {
        $(
            /// A key with that value.
            #[derive(RedisKey)]
            #[redis_key(forms:value:all:string, value = $value, ttl = 1h, allow(overlap, reason = "each is a case of its own"))]
            pub struct $name;

            const _: fn() -> Command<Option<$output>> = || $name.get();
        )*
    };
}

forms! {
    InMessagePack: MessagePack<Profile> => Profile;
    InPostcard: Postcard<Profile> => Profile;
    InProtobuf: Protobuf<String> => String;
    InZstd: Zstd<Json<Profile>> => Profile;
    InGzip: Gzip<String> => String;
    InSnappy: Snappy<Vec<u8>> => Vec<u8>;
    InLz4: Lz4<MessagePack<Profile>> => Profile;
    InSeveral: Zstd<Gzip<Postcard<BTreeMap<u8, Option<Profile>>>>> => BTreeMap<u8, Option<Profile>>;
    InSecret: Secret<Zstd<Json<Profile>>> => Profile;
    AroundOnesOwn: Snappy<super::values::forms::Short> => u32;
}

/// In quotes.
#[derive(RedisKey)]
#[redis_key("forms:profile:{user_id}:string", value = "Lz4<MessagePack<Profile>>", ttl = "1h")]
pub struct QuotedProfile {
    /// Whose.
    pub user_id: u64,
}

/// In a list.
#[derive(RedisKey)]
#[redis_key(forms:profiles:{user_id}:list, value = Zstd<Postcard<Profile>>, ttl = 1h)]
pub struct Several {
    /// Whose.
    pub user_id: u64,
}

/// In the fields of a record.
#[derive(RedisHash)]
pub struct Fields {
    /// Text.
    #[redis_hash(value = Gzip<String>)]
    pub text: String,
    /// Of serde.
    #[redis_hash(value = Zstd<MessagePack<Profile>>)]
    pub profile: Profile,
    /// Absent at times.
    #[redis_hash(value = Postcard<Profile>)]
    pub friend: Option<Profile>,
}

/// The record.
#[derive(RedisKey)]
#[redis_key(forms:fields:{user_id}:hash, value = Fields, ttl = 1h)]
pub struct UserFields {
    /// Whose.
    pub user_id: u64,
}

/// Names of open fields.
#[derive(RedisKey)]
#[redis_key(forms:open:{user_id}:hash, field = Postcard<(u8, u8)>, value = Lz4<String>, ttl = 1h)]
pub struct Open {
    /// Whose.
    pub user_id: u64,
}

#[test]
fn writes_take_what_is_stored() {
    let ada = Profile { name: "Ada".to_owned() };
    assert_stored(InMessagePack.set(&ada), b"\x81\xa4name\xa3Ada");
    assert_stored(InPostcard.set(&ada), b"\x01\x03Ada");
    assert_stored(InProtobuf.set(&"Ada".to_owned()), b"\x0a\x03Ada");
    assert_stored(InZstd.set(&ada), b"\xff{\"name\":\"Ada\"}");
    assert_stored(InGzip.set("Ada"), b"\xffAda");
    assert_stored(InSnappy.set(b"Ada"), b"\xffAda");
    assert_stored(InLz4.set(&ada), b"\xff\x81\xa4name\xa3Ada");
    assert_stored(InSeveral.set(&BTreeMap::new()), b"\xff\xff\x01\x00");
    assert_stored(AroundOnesOwn.set(&7), b"\xff7");
    assert_stored(QuotedProfile { user_id: 42 }.set(&ada), b"\xff\x81\xa4name\xa3Ada");
    crate::assert_key(&Several { user_id: 42 }, "forms:profiles:42:list");
    crate::assert_key(&UserFields { user_id: 42 }, "forms:fields:42:hash");
    crate::assert_key(&Open { user_id: 42 }, "forms:open:42:hash");
}

#[cfg(test)]
#[track_caller]
fn assert_stored<V, R>(set: redis_keys::types::string::Set<V, R>, bytes: &[u8])
where
    V: redis_keys::Stored,
{
    let argument = [b"\r\n", bytes, b"\r\n"].concat();
    let command = set.packed().unwrap_or_default();
    assert!(command.windows(argument.len()).any(|part| part == argument), "{command:x?}");
}

/// Outside of `value` the names mean what they mean.
#[test]
fn the_others_are_untouched() {
    let (Zstd(zstd), Postcard(postcard)) = (Zstd(1), Postcard(2));
    assert_eq!((zstd, postcard), (1, 2));
}
