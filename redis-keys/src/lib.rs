//! Redis keys that the compiler checks: names, types and expiry from one declaration, with typed commands.
//!
//! ```no_run
//! use redis_keys::{prelude::*, redis};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Profile { name: String, email: String }
//!
//! /// What the profile card shows.
//! #[derive(RedisKey)]
//! #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
//! struct BasicInfo { user_id: u64 }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let profile = Profile { name: String::new(), email: String::new() };
//! let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
//! let key = BasicInfo { user_id: 42 };
//! key.set(&profile).query(&mut con)?; // SET user:basic.info:42:string {…} PX 3600000…3900000
//! let found: Option<Profile> = key.get().query(&mut con)?;
//! # Ok(()) }
//! ```
//!
//! - The declaration is the schema: `#[derive(RedisKey)]` checks the key's name at compile time, and makes the [`RedisKey`]
//!   that has its text and what every key can do, and the trait of its type.
//! - An accessor builds a typed [`Command`]; it does not talk. `.query(&mut con)` and `.query_async(&mut con)` run it on every
//!   connection of redis-rs.
//! - What breaks a rule cannot be written, and what cannot be seen at compile time is refused before it is sent. The
//!   [`Error`] says which key and which rule.
//!
//! What holds for all keys of a project, and what the compiler warns of, stands in a file: the page [`policy`].
//!
//! # The types
//!
//! | a key ends with | and is a | for |
//! |---|---|---|
//! | `string` | [`StringKey`] | a text, a number, an object as a whole |
//! | `string`, with `copies = …` | [`CopiedKey`] | what so many read that one server can't answer them all |
//! | `hash` | [`RecordKey`] | a record, which derives [`RedisHash`] |
//! | `hash`, with `field = …` | [`HashKey`] | values by name |
//! | `list` | [`ListKey`] | the last items of something, a queue |
//! | `set` | [`SetKey`] | members, each once |
//! | `zset` | [`ZSetKey`] | a leaderboard, what is due at a time |
//! | `bitmap` | [`BitmapKey`] | a yes or no by number |
//! | `hyperloglog` | [`HyperLogLogKey`] | about how many there were |
//! | `geo` | [`GeoKey`] | what is near |
//! | `stream` | [`StreamKey`] | a log of entries |
//!
//! Their methods have the names of the Redis commands; the page [`commands`] shows all of them and what each sends. Whole
//! collections are read by a [`Scan`]. What values become in Redis are their [stored forms](stored).
//!
//! [`RedisKey::parse`] gives a key back from its text, [`RedisKey::scan`] finds all keys of a declaration, and a [`namespace`] stands in front of all keys of a process.
//!
//! Several commands go in one [`batch`], which a cluster's nodes serve at the same time, or in an [`atomic`](atomic()) group.
//! Tests find private servers and more in the module `testing`.
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `aio` (default) | `query_async` on tokio, and `stream` of a [`Scan`] |
//! | `serde` | a [`Schema`] for other programs |
//! | `json` (default) | the stored form [`Json<P>`](stored::Json) |
//! | `messagepack`, `postcard`, `protobuf` | the stored forms `MessagePack<P>`, `Postcard<P>` and `Protobuf<P>` (of prost 0.14) |
//! | `zstd`, `gzip`, `snappy`, `lz4` | the stored forms that compress, as in `Zstd<Json<P>>`; `zstd` needs a C compiler |
//! | `bytes` | values of type `Bytes` |
//! | `digest`, `base32` | parameters with `#[redis_key(digest)]` and `#[redis_key(base32)]` |
//! | `uuid`, `chrono`, `time`, `jiff` | parameters of these crates' types |
//! | `cluster`, `cluster-async` | connections to clusters |
//! | `connection-manager`, `sentinel` | redis-rs's connection that is made anew when it breaks, and its sentinels |
//! | `bb8`, `r2d2`, `deadpool` | connections of these pools; `deadpool-redis` needs its feature for clusters only |
//! | `tls-rustls` | TLS, on tokio and on connections that block |
//! | `testing` | the module `testing` |
//! | `full` | all of them but TLS |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

// So that the keys of the page can be declared as users declare them.
#[cfg(all(test, feature = "aio"))]
extern crate self as redis_keys;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod access;
mod bitmap;
mod bitmap_key;
mod blocking;
pub mod bucket;
mod chance;
mod command;
mod copied_key;
mod copies;
// For readers alone.
#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/commands.md")]
pub mod commands {}
mod error;
mod expansion;
pub mod flags;
mod geo;
mod geo_key;
mod hash;
mod hash_key;
mod hyperloglog;
mod hyperloglog_key;
mod key;
mod lifetime;
mod list;
mod list_key;
pub mod namespace;
#[doc(hidden)]
pub mod overlap;
#[cfg(all(test, feature = "aio"))]
mod page;
mod parse;
// For readers alone.
#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/policy.md")]
pub mod policy {}
pub mod prelude;
mod purge;
pub mod record;
mod record_key;
mod redis_key;
mod replies;
mod scan;
mod schema;
mod script;
mod segment;
mod set;
mod set_key;
pub mod stored;
pub mod stream;
mod stream_key;
mod string;
mod string_key;
#[cfg(any(test, feature = "testing"))]
#[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
pub mod testing;
mod value;
mod zset;
mod zset_key;

pub use redis;
pub use redis_keys_core::{Kind, Rule, ValueSet};
pub use redis_keys_macros::{KeySegment, RedisHash, RedisKey};

#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub use crate::blocking::BlockingConnection;
#[doc(hidden)]
pub use crate::key::{KeyReader, KeyWriter};
pub use crate::{
    bitmap::{BitField, BitInt, BitOffset, BitOverflow},
    bitmap_key::BitmapKey,
    blocking::Blocking,
    command::{Atomic, Batch, Command, Iter, Many, atomic, batch, batch_iter},
    copied_key::CopiedKey,
    copies::{GetCopy, KeyCopy},
    error::{Error, ErrorKind, Sent},
    geo::{GeoAdd, GeoArea, GeoPoint, GeoSearch, GeoUnit},
    geo_key::GeoKey,
    hash_key::HashKey,
    hyperloglog_key::HyperLogLogKey,
    key::Key,
    list::ListEnd,
    list_key::ListKey,
    parse::ParseKey,
    purge::{Purge, Purged},
    record::RedisHash,
    record_key::RecordKey,
    redis_key::{RedisKey, TimeLeft},
    scan::{Scan, keys::KeyScan},
    schema::{Allowances, Allowed, Expiry, Keep, Parameter, ParameterForm, Parameters, Renew, Schema},
    segment::{KeySegment, ParseSegment, SegmentWriter},
    set_key::SetKey,
    stored::Stored,
    stream_key::StreamKey,
    string::{Set, SetNew, Update},
    string_key::StringKey,
    zset::ZAdd,
    zset_key::ZSetKey,
};

#[cfg(all(doctest, feature = "json"))]
#[doc = include_str!("../README.md")]
struct Readme;
