//! The texts that rust-analyzer shows for a declaration, and the names that it completes there. Only expansions for
//! rust-analyzer use them.
#![allow(clippy::exhaustive_structs, reason = "not public")]

/// The options of `#[redis_key(…)]`.
#[derive(Debug)]
pub struct KeyOptions {
    /// `value = T`: the stored form of the value or message, in a collection of each element, such as `u64`, `String`
    /// or `Json<Profile>`. A stream, and a hash without `field`, has a record: a struct with `#[derive(RedisHash)]`.
    pub value: Type,
    /// `field = F`: the stored form of a hash's field names, unless the hash is a record.
    pub field: Type,
    /// `ttl = 1h30m`: the expiry, in `ms` `s` `m` `h` `d` `w`, up to ten years, never a constant; mandatory except for
    /// a channel. `ttl = never` requires a `reason`.
    pub ttl: Time,
    /// `jitter = 5m`, `jitter = 10%`: adds a random delay of up to this to the expiry, so that keys do not expire
    /// together.
    pub jitter: Time,
    /// `ttl_from_end_of = month`: the ttl starts at the end of the field `year`, `month`, `week`, `day` or `hour`,
    /// whose type is the bucket of that name in `redis_keys::parameter::bucket`, or for a `day` a date of `chrono`,
    /// `jiff` or `time`. A write is rejected if the key would already have expired, or would live longer than ten
    /// years.
    pub ttl_from_end_of: Field,
    /// `renew = write`, `read`, `below(10m)`: restarts the expiry at each write, at each write and read, or at a read
    /// that finds less than this left.
    pub renew: Moment,
    /// `copies = 8`: stores a hot string under 8 keys, 2 to 1000, with `{copy}` or the hash tag `{#copy}` in the
    /// template. A write goes to all copies, which expire together; a read picks one at random, or another if that is
    /// missing.
    pub copies: Count,
    /// `legacy = "User:{user_id}:Profile"`: today's key text, in `format!` syntax. The key keeps this text, without the
    /// namespace; the template is its future name.
    pub legacy: Text,
    /// `formerly = "User:{user_id}:Profile"`: the key's previous text, in `format!` syntax; the template is in use.
    pub formerly: Text,
    /// `max_bytes = 64KB`: rejects larger strings, bitmaps and messages: 10KB by default, at most 1MB.
    pub max_bytes: Size,
    /// `max_len = 1000`: rejects further elements: 5000 by default, which is also the maximum.
    pub max_len: Count,
    /// `max_member_bytes = 1KB`: rejects larger elements: 4KB by default, at most 1MB.
    pub max_member_bytes: Size,
    /// `keep_last = 100`: instead of `max_len`, drops the oldest elements beyond this number: up to 5000 in a list,
    /// 1,000,000 in a stream, where the lint `big_collection` asks for a reason above 5000. `~100` lets a stream keep a
    /// few more, which is faster.
    pub keep_last: Count,
    /// `keep_top = 100`: instead of `max_len`, drops a zset's lowest scores beyond this number: up to 5000.
    pub keep_top: Count,
    /// `reason = "…"`: the reason for the declaration, for example why the key never expires; part of the schema.
    pub reason: Text,
    /// `rebuild = "…"`: how to restore a key that never expires if Redis loses it, for example from the database; only
    /// with `ttl = never`, where the lint `no_rebuild` asks for it.
    pub rebuild: Text,
    /// `owner = "…"`: the person or team responsible for the key; part of the schema.
    pub owner: Text,
    /// `allow(lint, reason = "…")`: opts out of a lint.
    pub allow: Text,
    /// `cache(null_ttl = 5m)`: makes a string a cached key, with one load per key across all callers and processes.
    /// `null_ttl` is how long it remembers that there is no value, at most the ttl.
    pub cache: Role,
    /// `lock`: makes a string a lock, without `value`: one owner at a time holds it, at most for the ttl.
    pub lock: Role,
    /// `limit(100 / 1m)`: makes a string a rate limit, without `value` and `ttl`: a number, up to a billion, per
    /// period.
    pub limit: Role,
    /// `jobs`: makes a zset a queue of jobs of type `value`; each job is done at least once.
    pub jobs: Role,
    /// `bloom(expected = 100_000, false_positives = 1%)`: makes a bitmap a Bloom filter of items of type `value`, which
    /// answers whether an item may have been added; `expected` is the planned number of items.
    pub bloom: Role,
    /// Not an option.
    #[doc(hidden)]
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of the role `cache`.
#[derive(Debug)]
pub struct CacheOptions {
    /// `cache(null_ttl = 5m)`: makes a string a cached key, with one load per key across all callers and processes.
    /// `null_ttl` is how long it remembers that there is no value, at most the ttl.
    pub null_ttl: Time,
    /// `cache(…, lease = 10s)`: how long other callers wait for the loading caller: 10s by default, 100ms to 5m, at
    /// most the ttl.
    pub lease: Time,
    /// `cache(…, refresh = 80%)`: loads the value again after this share of its ttl, 50% to 95%; other callers read the
    /// old value until then.
    pub refresh: Share,
    /// `cache(…, near = 10s)`: each process keeps a copy in memory, and returns it for up to this time or until the
    /// server reports a change: 1s to 1h, at most the ttl. For types that are `Clone`, and not for `Secret<F>`.
    pub near: Time,
    /// `cache(…, stale = 1h)`: if the loader fails, returns the expired value for up to this time, longer than `lease`;
    /// at most ten years with the ttl and the jitter. Redis keeps every value that much longer.
    pub stale: Time,
    /// Not an option.
    #[doc(hidden)]
    /// `cache(null_ttl = 5m)`: makes a string a cached key, with one load per key across all callers and processes.
    /// `null_ttl` is how long it remembers that there is no value, at most the ttl.
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of the role `limit`.
#[derive(Debug)]
pub struct LimitOptions {
    /// `limit(…, burst = 20)`: the number that is allowed at once: all by default.
    pub burst: Count,
    /// Not an option.
    #[doc(hidden)]
    /// `limit(100 / 1m)`: makes a string a rate limit, without `value` and `ttl`: a number, up to a billion, per
    /// period.
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of the role `jobs`.
#[derive(Debug)]
pub struct JobsOptions {
    /// `jobs(lease = 10s)`: how long a worker owns a job: 1m by default, 1s to 1h.
    pub lease: Time,
    /// `jobs(tries = 5)`: how often a job is taken before it is dead: 5 by default, 1 to 60. All tries take at most the
    /// ttl.
    pub tries: Count,
    /// Not an option.
    #[doc(hidden)]
    /// `jobs`: makes a zset a queue of jobs of type `value`; each job is done at least once.
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of the role `bloom`.
#[derive(Debug)]
pub struct BloomOptions {
    /// `bloom(expected = 100_000, false_positives = 1%)`: makes a bitmap a Bloom filter of items of type `value`, which
    /// answers whether an item may have been added; `expected` is the planned number of items.
    pub expected: Count,
    /// `bloom(…, false_positives = 1%)`: the false-positive rate once the filter holds the expected items: `0.0001%` to
    /// `50%`. Both determine the filter's size, at most 1MB.
    pub false_positives: Share,
    /// Not an option.
    #[doc(hidden)]
    /// `bloom(expected = 100_000, false_positives = 1%)`: makes a bitmap a Bloom filter of items of type `value`, which
    /// answers whether an item may have been added; `expected` is the planned number of items.
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of `#[redis_key(…)]` on the field of a key: the encoding of text or bytes.
#[derive(Debug)]
pub struct ParameterOptions {
    /// Writes the first 128 bits of the SHA-256 in hexadecimal digits, for long or arbitrary text and for bytes.
    /// Feature `digest`.
    pub digest: Text,
    /// Writes text or bytes in base32 (RFC 4648, in lower case, without padding), which can be parsed. Empty text is
    /// rejected. Feature `base32`.
    pub base32: Text,
    /// Writes a slug such as `green-tea` as words: `green.tea`. A whole segment; `a` to `z`, `0` to `9` and single `-`
    /// between them, other text is rejected. `slug = 60` also bounds its bytes.
    pub slug: Text,
    /// Rejects a value whose text contains `:`. With `legacy` or `formerly`, for texts that otherwise overlap.
    pub no_colon: Text,
    /// Not an option.
    #[doc(hidden)]
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of `#[redis_hash(…)]` on the field of a record.
#[derive(Debug)]
pub struct RecordFieldOptions {
    /// The name of the stored field.
    pub rename: Text,
    /// A missing field becomes its type's `Default`.
    pub default: Text,
    /// The stored form, if it is not the field's type.
    pub value: Type,
    /// The field's own expiry; only for an `Option` or with `default`. Requires Redis 7.4 or Valkey 9.
    pub ttl: Time,
    /// Not an option.
    #[doc(hidden)]
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of `#[redis_key(…)]` on the variant of a parameter type.
#[derive(Debug)]
pub struct VariantOptions {
    /// The words that the variant renders as.
    pub rename: Text,
    /// Not an option.
    #[doc(hidden)]
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// Stands for a value of any type.
pub fn any<T>() -> T {
    unreachable!("this code is not run")
}

macro_rules! values {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $($(#[$doc])* #[derive(Debug)] pub struct $name;)*
    };
}

values! {
    /// A type.
    Type
    /// An amount of time.
    Time
    /// An occasion on which the expiry restarts.
    Moment
    /// A share of the ttl.
    Share
    /// A role, with its options in parentheses.
    Role
    /// A field of the struct.
    Field
    /// A number of bytes.
    Size
    /// A number of elements.
    Count
    /// Text.
    Text
}

/// The stored forms of this crate.
pub mod forms {
    pub use crate::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Protobuf, Secret, Snappy, Zstd};
}

/// The words that `ttl` accepts.
#[allow(non_camel_case_types, reason = "words of declarations")]
pub mod ttls {
    /// The key never expires; the option `reason` says why.
    #[derive(Debug)]
    pub struct never;
    /// Not a word.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct __a_word_that_is_missing_or_unknown;
}

/// The words that `renew` accepts.
#[allow(non_camel_case_types, reason = "words of declarations")]
pub mod renewals {
    /// Each write restarts the expiry.
    #[derive(Debug)]
    pub struct write;
    /// Each write and each read restarts the expiry.
    #[derive(Debug)]
    pub struct read;
    /// A read that finds less time left than in `below(10m)` restarts the expiry.
    #[derive(Debug)]
    pub struct below;
    /// Not a word.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct __a_word_that_is_missing_or_unknown;
}

/// The types of keys.
pub mod types {
    pub use crate::{
        BitmapKey as bitmap, GeoKey as geo, HyperLogLogKey as hyperloglog, ListKey as list, RecordKey as hash,
        SetKey as set, StreamKey as stream, StringKey as string, ZSetKey as zset,
    };
}

/// The types of keys with the option `field`.
pub mod types_with_field {
    pub use super::types::{bitmap, geo, hyperloglog, list, set, stream, string, zset};
    pub use crate::HashKey as hash;
}

/// The types of keys with the role `cache`.
pub mod types_of_cached_keys {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, zset};
    pub use crate::cache::CachedKey as string;
}

/// The types of keys with the role `limit`.
pub mod types_of_limits {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, zset};
    pub use crate::limit::LimitKey as string;
}

/// The types of keys with the role `lock`.
pub mod types_of_locks {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, zset};
    pub use crate::lock::LockKey as string;
}

/// The types of keys with the role `jobs`.
pub mod types_of_queues {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, string};
    pub use crate::jobs::JobKey as zset;
}

/// The types of keys with the role `bloom`.
pub mod types_of_filters {
    pub use super::types::{geo, hash, hyperloglog, list, set, stream, string, zset};
    pub use crate::types::bloom::BloomKey as bitmap;
}
