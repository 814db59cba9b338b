//! Cached keys: values that are loaded from elsewhere, once for all callers.
//!
//! A cached key is a `string` with the role `cache`, such as `cache(null_ttl = 5m)`. It has the accessors of
//! [`CachedKey`]. It does not have accessors such as `append` and `incr`, because they would read or overwrite a marker
//! as if it were a value.
//!
//! | option of `cache` | meaning |
//! |---|---|
//! | `null_ttl = 5m` | how long a missing value is remembered; mandatory |
//! | `lease = 10s` | how long other callers wait for the caller that loads the value; 10 seconds by default |
//! | `refresh = 80%` | how much of the `ttl` passes before a value is refreshed; never by default |
//! | `near = 10s` | how long a process may return a copy from its memory; never by default |
//! | `stale = 1h` | how long after its `ttl` a value may be returned while its loader fails; never by default |
//!
//! # What a key holds
//!
//! Values are stored unchanged, so that other programs can read and write them. These bytes are not values:
//!
//! | bytes | meaning | expiry | `get` returns |
//! |---|---|---|---|
//! | `C1 'n'` | there is no value | `null_ttl`, with the `jitter` in proportion | `None` |
//! | `C1 'l'`, token of 16 bytes | a caller loads the value | `lease` | `None` |
//! | `C1 'a'`, tokens of 16 bytes each | their callers have given up loading | `lease` | `None` |
//! | `C1 'v'`, value | a value whose own first byte is `C1` | `ttl` | the value |
//! | `C1 'r'`, token of 16 bytes, deadline of 13 digits, then a value or one of `C1 'n'` and `C1 'v'` | a caller refreshes it | as before | as without the first 31 bytes |
//! | `C1` and anything else | nothing: another program has written it | | an error |
//!
//! With `stale`, a value has two times before it, and its key expires later than the value, by the time of `stale`:
//!
//! | bytes | meaning | expiry | `get` returns |
//! |---|---|---|---|
//! | `C1 's'`, two times of 13 digits each, then a value or `C1 'v'` and a value | a value that expires before its key | `ttl` and `stale` | the value until it expires, then `None` |
//!
//! Both times are milliseconds that the key has left. Once the key has no more than the first time left, the value has
//! expired. It is returned nevertheless while the key has more than the second time left, because a load has failed;
//! after that, a call tries again. The two times are equal as long as no load has failed. If `C1 'r'` and its 29 bytes
//! stand before them, a caller loads or refreshes the value. A deadline of 0 means that this caller has given up.
//!
//! The deadline is in milliseconds since 1970, by the server's clock. No later version changes these bytes.
//!
//! UTF-8 text does not contain the byte `C1`. Numbers, JSON and compressed values do not start with it, and MessagePack
//! does not use it. So only values of type `Vec<u8>` and `Bytes`, `Postcard<_, 193>`, `Protobuf` (with a field of 64 bits
//! numbered 24, 40, …) and your own forms can begin with it. These are stored with `C1 'v'` before them, which counts
//! towards `max_bytes`.
//!
//! For Redis, markers are keys: [`unlink`](crate::RedisKey::unlink) returns `true` for them,
//! [`ttl`](crate::RedisKey::ttl) returns their time, and [`scan`](crate::RedisKey::scan) finds them.
//! [`exists`](crate::RedisKey::exists) and [`expire`](crate::RedisKey::expire) treat them as missing.
//!
//! # Adding `cache` to a key that exists
//!
//! The stored values remain readable. However, programs of the previous version read the new markers too, as long as
//! they run:
//!
//! | `value` | a program without `cache` reads a marker as |
//! |---|---|
//! | numbers, `bool`, `String`, `Json`, `MessagePack`, `Postcard`, the compressing forms | an error ([`ErrorKind::Decode`](crate::ErrorKind::Decode)) |
//! | `Vec<u8>`, `Bytes` | a value |
//! | `Protobuf` | an error or a value, which depends on the type and on the token |
//! | your own form | the result of its `decode` |
//!
//! Stored values of the last three kinds that begin with `C1` are not escaped. They are read as an error or, if they
//! look like a marker, as that marker. So give keys of these forms another name when you add `cache`. With the other
//! forms, the name can stay if the previous version treats an error as a missing value.
//!
//! If another program writes such a key with `SET` or removes it with `DEL`, this has the effect of `set` and `unlink`:
//! values that others are loading at that time are not stored.

#[cfg(feature = "cache")]
#[allow(clippy::module_inception, reason = "the module of `Cache`")]
mod cache;
#[cfg(feature = "cache")]
mod claim;
#[cfg(feature = "cache")]
mod error;
#[cfg(feature = "cache")]
mod flight;
#[cfg(feature = "cache")]
mod hit_rates;
mod key;
#[cfg(feature = "cache")]
mod load;
#[cfg(feature = "cache")]
mod load_many;
#[cfg(feature = "cache")]
mod load_near;
#[cfg(feature = "cache")]
mod loader;
#[cfg(feature = "cache")]
mod near;
mod near_value;
#[cfg(feature = "cache")]
mod sync;
#[cfg(test)]
mod tests;

#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use cache::Cache;
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use error::LoadError;
pub use key::{CachedKey, Claim, Input, Output, Set};
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use load_many::WarmProgress;
#[cfg(feature = "cache")]
use loader::Loader;
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use loader::{LoadedValue, LoaderOutput, LoaderResult};
#[doc(hidden)]
pub use near_value::NearValue;

#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use crate::observe::cache::Stats;
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use crate::observe::near::Stats as NearStats;
pub use crate::token::Token;
