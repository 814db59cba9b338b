//! Redis keys that the compiler checks.
//!
//! You declare a key's name, type, value and expiry in one attribute, and get typed commands for the key:
//!
//! ```no_run
//! use redis_keys::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Profile { name: String, email: String }
//!
//! /// The data of the profile card.
//! #[derive(RedisKey)]
//! #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m)]
//! struct BasicInfo { user_id: u64 }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let profile = Profile { name: String::new(), email: String::new() };
//! let con = redis_keys::connect("redis://127.0.0.1/")?;
//!
//! let key = BasicInfo { user_id: 42 };
//! // SET user:basic.info:42:string {…} PX 3600000…3900000
//! key.set(&profile).run(&con).await?;
//! let found: Option<Profile> = key.get().run(&con).await?;
//! # Ok(()) }
//! ```
//!
//! A key that breaks a rule does not compile:
//!
#![cfg_attr(doc, doc = include_str!("../docs/errors.svg"))]
//!
//! - **The declaration is the schema.** [`#[derive(RedisKey)]`](derive@RedisKey) checks it at compile time. It
//!   implements [`RedisKey`](trait@RedisKey), which has the methods of every key, and the trait of the key's type.
//! - **An accessor builds a typed [`Command`]** and performs no I/O. You run it with `.run(&con)` on a shared
//!   asynchronous connection, with `.query_async(&mut con)` on the guard of a pool, or with `.query(&mut con)` on a
//!   synchronous connection: alone, in a [`batch`] or in an [`atomic`](fn@atomic) group.
//! - **Values and parameters are checked before a command is sent.** For example, a value larger than `max_bytes` is an
//!   [`Error`], which names the key and the broken rule.
//!
//! The [guide] begins with a [tutorial](guide::tutorial) of fifteen minutes and [the calls](guide::calls) that most
//! programs need. If your Redis is full already, read [existing projects](guide::existing). Then there are pages about
//! [declaring keys](guide::declaration), [running commands](guide::running) and [connections](guide::connections), about
//! [caching](guide::caching) and the other roles of keys, a [cookbook](guide::cookbook), and pages about
//! [observability](guide::observability) and [operations](guide::operations).
//!
//! # Key types
//!
//! | last segment | trait | typical use |
//! |---|---|---|
//! | `string` | [`StringKey`] | text, a number, a whole object: the default choice |
//! | `string`, with `cache(…)` | [`CachedKey`](cache::CachedKey) | a value loaded from elsewhere, once for all callers |
//! | `string`, with `copies` | [`CopiedKey`](types::copies::CopiedKey) | a hot value that one server cannot serve alone |
//! | `string`, with `lock` | [`LockKey`](lock::LockKey) | work that only one process may do at a time |
//! | `string`, with `limit(…)` | [`LimitKey`](limit::LimitKey) | a limit such as 100 calls a minute |
//! | `hash` | [`RecordKey`] | an object whose fields are read and written separately: a [`RedisHash`](derive@RedisHash) |
//! | `hash`, with `field` | [`HashKey`] | values by name |
//! | `list` | [`ListKey`] | the latest items, a queue |
//! | `set` | [`SetKey`] | distinct members |
//! | `zset` | [`ZSetKey`] | a leaderboard, a schedule |
//! | `zset`, with `jobs` | [`JobKey`](jobs::JobKey) | work that is done later, at least once |
//! | `bitmap` | [`BitmapKey`] | flags by number |
//! | `bitmap`, with `bloom(…)` | [`BloomKey`](types::bloom::BloomKey) | a test for items that were certainly not added |
//! | `hyperloglog` | [`HyperLogLogKey`] | an approximate count of distinct values |
//! | `geo` | [`GeoKey`] | places nearby |
//! | `stream` | [`StreamKey`] | a log of entries, shared by consumer groups |
//! | `channel` | [`ChannelKey`] | messages to the current subscribers |
//!
//! # Features
//!
//! `aio` and `json` are enabled by default. [Features](guide::features) lists all features, and their contents and
//! dependencies.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[doc(hidden)]
pub mod __private;
mod accessor;
pub mod cache;
mod clock;
pub mod command;
mod counters;
mod error;
// The examples of the guide use all features. The pages do not.
#[cfg(any(doc, all(doctest, feature = "full")))]
#[cfg_attr(docsrs, doc(auto_cfg = false))]
pub mod guide;
pub mod jobs;
pub mod key;
pub mod legacy_key;
pub mod limit;
pub mod lock;
mod lua;
mod observe;
pub mod parameter;
pub mod prelude;
pub mod purge;
mod redis_rs;
mod run;
pub mod scan;
pub mod schema;
#[cfg(feature = "secret")]
#[cfg_attr(docsrs, doc(cfg(feature = "secret")))]
pub mod secret;
pub mod stored;
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub mod subscriber;
#[cfg(any(test, feature = "testing"))]
#[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
pub mod testing;
#[cfg(test)]
mod tests;
mod time_left;
mod token;
pub mod types;
#[cfg(feature = "values")]
#[doc(hidden)]
pub mod values;

#[doc(no_inline)]
pub use redis;
pub use redis_keys_core::Rule;
pub use redis_keys_macros::{KeySegment, RedisHash, RedisKey, redis_key};

#[cfg(feature = "cluster")]
#[cfg_attr(docsrs, doc(cfg(feature = "cluster")))]
#[doc(inline)]
pub use crate::run::cluster;
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub use crate::run::{
    AsyncConnection, BlockingConnection, ConnectOptions, Connection, ExclusiveConnection, SharedConnection, connect,
    connect_with,
};
// Rustdoc reads aliases here, and editors at the functions.
#[doc(inline)]
#[doc(alias("multi", "exec", "transaction"))]
pub use crate::command::atomic;
#[doc(inline)]
#[doc(alias("pipe", "pipeline", "mset", "mget"))]
pub use crate::command::batch;
#[doc(inline)]
#[doc(alias("pipe", "pipeline"))]
pub use crate::command::batch_iter;
#[doc(inline)]
pub use crate::{
    command::{Batch, Command},
    error::{Error, ErrorKind, SendStatus},
    key::Key,
    parameter::KeySegment,
    run::SyncConnection,
    stored::Stored,
    types::{
        any::{ParseKey, RedisKey},
        bitmap::BitmapKey,
        channel::ChannelKey,
        geo::GeoKey,
        hash::HashKey,
        hyperloglog::HyperLogLogKey,
        list::ListKey,
        record::{RecordKey, RedisHash},
        set::SetKey,
        stream::StreamKey,
        string::StringKey,
        zset::ZSetKey,
    },
};

#[cfg(all(doctest, feature = "cache", feature = "json"))]
#[doc = include_str!("../README.md")]
struct Readme;
