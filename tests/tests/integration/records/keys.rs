//! The records of these tests, and their keys. Every key expires, except those of the module `never`.

use redis_keys::prelude::*;
use redis_keys_tests::Con;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Address {
    pub(crate) town: String,
}

/// A record with every kind of field, except those that expire.
#[derive(Clone, Debug, PartialEq, RedisHash)]
pub(crate) struct Profile {
    pub(crate) name: String,
    #[redis_hash(rename = "mail")]
    pub(crate) email: Option<String>,
    #[redis_hash(value = Json<Address>)]
    pub(crate) home: Address,
    #[redis_hash(value = Json<Address>)]
    pub(crate) work: Option<Address>,
    #[redis_hash(default)]
    pub(crate) visits: u64,
    pub(crate) level: Option<u8>,
    pub(crate) stars: Option<u8>,
    pub(crate) photo: Option<Vec<u8>>,
    pub(crate) score: Option<f64>,
}

pub(crate) fn ada() -> Profile {
    Profile {
        name: "Ada".to_owned(),
        email: Some("ada@example.org".to_owned()),
        home: Address { town: "London".to_owned() },
        work: None,
        visits: 7,
        level: Some(200),
        stars: None,
        photo: Some(vec![0, 13, 10, 255]),
        score: None,
    }
}

#[derive(RedisKey)]
#[redis_key(record:profile:{id}:hash, value = Profile, ttl = 1h)]
pub(crate) struct ProfileOf {
    pub(crate) id: u32,
}

pub(crate) const PROFILE: &str = "record:profile:1:hash";

#[derive(RedisKey)]
#[redis_key(record:written:{id}:hash, value = Profile, ttl = 1h, renew = write)]
pub(crate) struct WrittenProfile {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(record:read:{id}:hash, value = Profile, ttl = 1h, renew = read)]
pub(crate) struct ReadProfile {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(record:low:{id}:hash, value = Profile, ttl = 1h, renew = below(10m))]
pub(crate) struct Low {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(record:small:{id}:hash, value = Profile, ttl = 1h, max_member_bytes = 20B)]
pub(crate) struct Small {
    pub(crate) id: u32,
}

#[derive(RedisKey)]
#[redis_key(record:named:{name}:hash, value = Profile, ttl = 1h)]
pub(crate) struct NamedProfile<'a> {
    pub(crate) name: &'a str,
}

#[derive(RedisKey)]
#[redis_key(never:profile:{id}:hash, value = Profile, ttl = never, reason = "tests keys without expiry", rebuild = "by the test")]
pub(crate) struct KeptProfile {
    pub(crate) id: u32,
}

#[derive(Clone, Debug, PartialEq, RedisHash)]
pub(crate) struct Numbers {
    pub(crate) id: u8,
    pub(crate) small: Option<i8>,
    pub(crate) large: Option<i64>,
    pub(crate) plain: Option<u64>,
}

#[derive(RedisKey)]
#[redis_key(record:numbers:{id}:hash, value = Numbers, ttl = 1h)]
pub(crate) struct NumbersOf {
    pub(crate) id: u32,
}

pub(crate) const NUMBERS: &str = "record:numbers:1:hash";

/// A record with fields that expire.
#[derive(Clone, Debug, PartialEq, RedisHash)]
pub(crate) struct Login {
    pub(crate) name: String,
    #[redis_hash(ttl = 10m)]
    pub(crate) code: Option<u32>,
    #[redis_hash(ttl = 20m, default)]
    pub(crate) attempts: u8,
}

#[derive(RedisKey)]
#[redis_key(record:login:{id}:hash, value = Login, ttl = 1h)]
pub(crate) struct LoginOf {
    pub(crate) id: u32,
}

pub(crate) const LOGIN: &str = "record:login:1:hash";

/// Returns the stored fields of a hash, sorted by name.
pub(crate) fn stored(con: &mut Con, key: &str) -> Vec<(String, String)> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let fields: Vec<(Vec<u8>, Vec<u8>)> = con.raw(&["HGETALL", key]);
    let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (text(name), text(value))).collect();
    fields.sort();
    fields
}
