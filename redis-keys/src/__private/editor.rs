//! What rust-analyzer shows of a declaration, and completes in it. Only expansions for rust-analyzer use this.
#![allow(clippy::exhaustive_structs, reason = "not public")]

/// The options of `#[redis_key(…)]`.
#[derive(Debug)]
pub struct KeyOptions {
    /// What the key stores, in a collection each element: a stored form, such as `u64`, `String` or `Json<Profile>`; for a
    /// stream and for a hash without `field` a record, which is a struct with `#[derive(RedisHash)]`. `Lock` makes a string a
    /// lock, and `Job<Json<Mail>>` a zset a queue of jobs.
    pub value: Type,
    /// The stored form of a hash's field names, unless the hash is a record.
    pub field: Type,
    /// The expiry, in `ms` `s` `m` `h` `d` `w`, such as `1h30m`. It is mandatory. `ttl = never` requires a `reason`.
    pub ttl: Time,
    /// Adds a random delay of up to this to the expiry: `5m`, or `10%` of it.
    pub jitter: Time,
    /// Restarts the expiry: at each `write`; at each write and `read`; at a read that finds less than this left, `below(10m)`.
    pub renew: Moment,
    /// The ttl counts from the end of the field `year`, `month`, `day` or `hour`, whose type is the bucket of that name in
    /// `redis_keys::bucket`. A `day` can also be a date of `chrono`, `jiff` or `time`.
    pub ttl_from_end_of: Field,
    /// Makes a string a cached key, which loads its value once for all who ask: how long it remembers that there is no value.
    /// At most the ttl.
    pub null_ttl: Time,
    /// How long others wait for one that loads the value of a cached key; `100ms` to `5m`, at most the ttl; `10s` by default.
    /// How long a job that was taken is nobody else's; `1s` to `1h`; `1m` by default.
    pub lease: Time,
    /// Loads the value of a cached key again when this share of its ttl has passed, `50%` to `95%`; others read the old value
    /// meanwhile.
    pub refresh: Share,
    /// Makes a string a rate limit, without `value` and `ttl`: how many are allowed in which period, such as `100 / 1m`.
    pub limit: Rate,
    /// How many a rate limit allows at once; all of them by default.
    pub burst: Count,
    /// How often a job is taken before it counts as dead; 5 by default, at most 60. All tries take at most the ttl.
    pub tries: Count,
    /// Rejects larger strings and bitmaps; 10KB by default, at most 1MB.
    pub max_bytes: Size,
    /// Rejects further elements; 5000 by default, which is also the maximum.
    pub max_len: Count,
    /// Rejects larger elements; 4KB by default, at most 1MB.
    pub max_member_bytes: Size,
    /// Drops the oldest elements of a list or stream; `~100` lets a stream keep a few more.
    pub keep_last: Count,
    /// Drops the members with the lowest scores of a zset.
    pub keep_top: Count,
    /// Stores a hot string under this many keys, with `{copy}`, or `{#copy}` as the hash tag, in the template.
    pub copies: Count,
    /// Why the key never expires, for reviewers and for programs that read the schema.
    pub reason: Text,
    /// Who is responsible for the key, for reviewers and for programs that read the schema.
    pub owner: Text,
    /// Opts out of a lint: `allow(lint, reason = "…")`.
    pub allow: Text,
    /// Not an option.
    #[doc(hidden)]
    pub __a_word_that_is_missing_or_unknown: Text,
}

/// The options of `#[redis_key(…)]` on the field of a key: the encoding of text or bytes.
#[derive(Debug)]
pub struct ParameterOptions {
    /// Writes the first 128 bits of the SHA-256 in hexadecimal digits, for long or arbitrary text and for bytes. Feature
    /// `digest`.
    pub digest: Text,
    /// Writes text or bytes in base32 (RFC 4648, in lower case, without padding), which can be parsed. Empty text is rejected.
    /// Feature `base32`.
    pub base32: Text,
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
    /// When.
    Moment
    /// A share of the ttl.
    Share
    /// A number in a period.
    Rate
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
    pub use crate::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Protobuf, Snappy, Zstd};
}

/// The values that make a key follow a pattern.
pub mod patterns {
    /// A lock, which one owner at a time holds, at most for the ttl. The key is a [`LockKey`](crate::LockKey).
    #[derive(Debug)]
    pub struct Lock;

    /// A job with the stored form in the brackets, which is done at least once. The key is a [`JobKey`](crate::JobKey).
    #[derive(Debug)]
    pub struct Job;
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

/// The types of keys with the option `null_ttl`.
pub mod types_with_null_ttl {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, zset};
    pub use crate::CachedKey as string;
}

/// The types of keys with the option `limit`.
pub mod types_with_limit {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, zset};
    pub use crate::LimitKey as string;
}

/// The types of keys with `value = Lock`.
pub mod types_of_locks {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, zset};
    pub use crate::LockKey as string;
}

/// The types of keys with `value = Job<…>`.
pub mod types_of_jobs {
    pub use super::types::{bitmap, geo, hash, hyperloglog, list, set, stream, string};
    pub use crate::JobKey as zset;
}
