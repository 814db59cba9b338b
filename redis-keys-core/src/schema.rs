//! The declaration of a key, which the derive prints, the runtime exposes and the tool lists.
//!
//! [`Schema`] is generic over its texts: the runtime has a constant of `&'static str`, and a tool that reads sources has
//! a `Schema<String>`.

mod literal;
mod parameter;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use literal::{KeyLiterals, LegacyLiterals, OptionLiterals, RoleLiterals, TemplateName};
pub use parameter::{Allowance, Allowances, Parameter, ParameterForm, Parameters};

use crate::Kind;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_MEMBER_BYTES, MAX_MAX_LEN};

/// The declaration of a key.
///
/// A key's constant `SCHEMA` is its schema, which costs nothing to read.
///
/// # Serialization
///
/// With the feature `serde`, a schema can be serialized for other programs, in self-describing formats such as JSON.
/// All fields are always present; an option that is not declared is null or its default. Later versions may add fields,
/// but never rename any:
///
/// ```json
/// {
///   "name": "Views", "template": "page:views:{page}:string", "type": "string",
///   "legacy": null, "formerly": null,
///   "parameters": [
///     { "name": "page", "type": "u32", "hash_tag": false, "form": "plain", "shards": null, "copies": null,
///       "slug_bytes": null, "no_colon": false }
///   ],
///   "ttl_ms": 86400000, "jitter_ms": 600000, "ttl_from_end_of": null, "renew": null, "renew_below_ms": null,
///   "pattern": null, "null_ttl_ms": null, "lease_ms": null, "refresh_percent": null, "near_ms": null,
///   "stale_ms": null, "limit": null, "limit_per_ms": null, "burst": null, "tries": null, "expected": null,
///   "false_positives_per_million": null, "bits": null,
///   "value": "u64", "field": null, "max_bytes": 10240, "max_len": null, "max_member_bytes": null,
///   "keep_last": null, "keep_about": false, "keep_top": null, "max_key_bytes": 128,
///   "reason": null, "rebuild": null, "owner": null, "docs": null, "allowed": [{ "lint": "long_word", "reason": "…" }],
///   "file": "src/keys.rs", "line": 7
/// }
/// ```
///
/// | field | values |
/// |---|---|
/// | `type` | the last segment: `string` `hash` `list` `set` `zset` `bitmap` `hyperloglog` `geo` `stream` `channel` |
/// | `legacy`, `formerly` | the format string of a key that existed before its declaration: in use, or used formerly |
/// | `form`, `shards`, `copies`, `slug_bytes` | `plain`, `digest` or `base32`; `shard` or `copy` with their number; `slug` with its limit |
/// | `ttl_ms` | null if the key never expires |
/// | `renew`, `renew_below_ms` | `write` or `read`; `below` with the remaining time to live |
/// | `pattern` | the role: `cache`, with `null_ttl_ms`, `lease_ms`, `refresh_percent`, `near_ms` and `stale_ms`; `lock`; `limit`, with `limit`, `limit_per_ms` and `burst`; `jobs`, with `lease_ms` and `tries`; `bloom`, with `expected`, `false_positives_per_million` and `bits` |
/// | `keep_last`, `keep_about`, `keep_top` | the number of elements that are kept, and whether it is approximate |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        deserialize = "T: serde::Deserialize<'de>, P: serde::Deserialize<'de>, Allowances<T>: serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub struct Schema<T: AsRef<str> = &'static str, P = Parameters<T>> {
    /// The name of the struct.
    pub name: T,
    /// The template, in canonical form without spaces.
    pub template: T,
    /// The type of the key, which is also its last segment.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: Kind,
    /// The keys' current text, a format string, in place of the template.
    pub legacy: Option<T>,
    /// The keys' former text, a format string.
    pub formerly: Option<T>,
    /// The parameters, in the order of the template.
    pub parameters: P,
    /// The expiry of the key.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub expiry: Expiry,
    /// The calendar parameter from whose end the expiry counts, if it does not count from the write.
    pub ttl_from_end_of: Option<T>,
    /// The commands that restart the expiry, apart from `set`.
    #[cfg_attr(feature = "serde", serde(flatten, with = "serialize::renew"))]
    pub renew: Option<Renew>,
    /// The role of the key beyond its type, if it has one.
    #[cfg_attr(feature = "serde", serde(flatten, with = "serialize::role"))]
    pub role: Option<Role>,
    /// The stored form of the value or of each element, as written in the declaration. It is `Lock` for a lock, and is
    /// within `Job<…>` for a queue of jobs and `Bloom<…>` for a Bloom filter.
    pub value: Option<T>,
    /// The stored form of the field names of a hash, as written in the declaration.
    pub field: Option<T>,
    /// The maximum size of a string, a bitmap or a message, in stored bytes.
    pub max_bytes: Option<u64>,
    /// The maximum number of elements of a collection, or `None` if it is trimmed instead.
    pub max_len: Option<u64>,
    /// The maximum size of each element, in stored bytes.
    pub max_member_bytes: Option<u64>,
    /// The elements that each write keeps if it trims the collection.
    #[cfg_attr(feature = "serde", serde(flatten, with = "serialize::keep"))]
    pub keep: Option<Keep>,
    /// The maximum length of the key itself, in bytes.
    pub max_key_bytes: usize,
    /// The reason for the declaration, mandatory for a key that never expires.
    pub reason: Option<T>,
    /// The way to restore a key that never expires if Redis loses it.
    pub rebuild: Option<T>,
    /// The owner of the key.
    pub owner: Option<T>,
    /// The doc comment of the struct.
    pub docs: Option<T>,
    /// The lints that the declaration allows: `allow(lint, reason = "…")`.
    pub allowed: Allowances<T>,
    /// The source file of the declaration.
    pub file: T,
    /// The source line of the declaration.
    pub line: u32,
    /// The function that writes the name under the template, if the key has a legacy text and its values are bound to
    /// this name.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub template_name: Option<TemplateName>,
}

impl Schema<String> {
    /// Returns the schema of a key that never expires, without options.
    #[doc(hidden)]
    pub fn new(name: &str, template: &str, kind: Kind, parameters: &Parameters<String>) -> Self {
        let key = (name, template, kind.number(), &*parameters.lines, "", "", "", 0, 0, 0);
        Schema::from_literals(key, Schema::NO_OPTIONS, Schema::NO_ROLE, "", "", Schema::NO_LEGACY).into_owned()
    }
}

impl Schema<&str> {
    /// Returns the schema with owned texts.
    #[doc(hidden)]
    pub fn into_owned(self) -> Schema<String> {
        self.map(str::to_owned, |parameters| Parameters { lines: parameters.lines.to_owned() })
    }
}

impl<T: AsRef<str>, P> Schema<T, P> {
    /// Returns the longest time for which Redis keeps a value: the ttl, the jitter, and `stale` of a cached key. `None` if
    /// the key never expires. With `ttl_from_end_of`, it counts from the end of the bucket.
    pub const fn longest_life(&self) -> Option<Duration> {
        let stale = match self.role {
            Some(Role::Cache(CacheOptions { stale: Some(stale), .. })) => stale,
            _ => Duration::ZERO,
        };
        match self.expiry.ttl() {
            Some(ttl) => Some(ttl.saturating_add(self.expiry.jitter()).saturating_add(stale)),
            None => None,
        }
    }

    /// Returns the schema with other texts and parameters.
    #[doc(hidden)]
    pub fn map<U: AsRef<str>, Q>(self, text: impl Fn(T) -> U, parameters: impl FnOnce(P) -> Q) -> Schema<U, Q> {
        Schema {
            name: text(self.name),
            template: text(self.template),
            kind: self.kind,
            legacy: self.legacy.map(&text),
            formerly: self.formerly.map(&text),
            parameters: parameters(self.parameters),
            expiry: self.expiry,
            ttl_from_end_of: self.ttl_from_end_of.map(&text),
            renew: self.renew,
            role: self.role,
            value: self.value.map(&text),
            field: self.field.map(&text),
            max_bytes: self.max_bytes,
            max_len: self.max_len,
            max_member_bytes: self.max_member_bytes,
            keep: self.keep,
            max_key_bytes: self.max_key_bytes,
            reason: self.reason.map(&text),
            rebuild: self.rebuild.map(&text),
            owner: self.owner.map(&text),
            docs: self.docs.map(&text),
            allowed: self.allowed.map(&text),
            file: text(self.file),
            line: self.line,
            template_name: self.template_name,
        }
    }
}

/// The limits of a key's values. A limit that does not apply to the key is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "it has the limits that there are")]
pub struct Limits {
    /// The maximum bytes of a string, a bitmap or a message.
    pub max_bytes: Option<u64>,
    /// The maximum elements of a collection that is not trimmed.
    pub max_len: Option<u64>,
    /// The maximum bytes of an element.
    pub max_member_bytes: Option<u64>,
}

impl Limits {
    /// The limits of a key that declares none.
    pub const fn usual(kind: Kind, role: Option<Role>, keep: Option<Keep>) -> Self {
        // Locks and rate limits have no user-chosen value.
        let is_value = matches!(kind, Kind::String | Kind::Bitmap | Kind::Channel)
            && !matches!(role, Some(Role::Lock | Role::Limit(_)));
        let is_collection = kind.is_collection();
        Self {
            max_bytes: match role {
                Some(Role::Bloom(options)) => Some(options.bytes()),
                _ if is_value => Some(DEFAULT_MAX_BYTES),
                _ => None,
            },
            max_len: if is_collection && keep.is_none() { Some(MAX_MAX_LEN) } else { None },
            max_member_bytes: if is_collection { Some(DEFAULT_MAX_MEMBER_BYTES) } else { None },
        }
    }
}

/// The expiry of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Expiry {
    /// 0 for a key that never expires.
    #[cfg_attr(feature = "serde", serde(default, with = "serialize::zero_as_null"))]
    ttl_ms: u64,
    jitter_ms: u64,
}

impl Expiry {
    /// The expiry of a key that never expires.
    pub const NEVER: Self = Self { ttl_ms: 0, jitter_ms: 0 };

    /// Returns the expiry after this time to live, with a jitter.
    #[doc(hidden)]
    pub fn new(ttl: Duration, jitter: Duration) -> Self {
        Self { ttl_ms: literal::ms(ttl), jitter_ms: literal::ms(jitter) }
    }

    /// Returns the expiry of these milliseconds. It is `NEVER` for a ttl of 0.
    #[doc(hidden)]
    #[inline]
    pub const fn from_ms(ttl_ms: u64, jitter_ms: u64) -> Self {
        Self { ttl_ms, jitter_ms }
    }

    /// Returns the milliseconds of the time to live, 0 for a key that never expires, and of the jitter.
    #[doc(hidden)]
    #[inline]
    pub const fn as_ms(self) -> (u64, u64) {
        (self.ttl_ms, self.jitter_ms)
    }

    /// Returns the time to live without jitter, or `None` if the key never expires.
    #[inline]
    pub const fn ttl(self) -> Option<Duration> {
        match self.ttl_ms {
            0 => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }

    /// Returns the jitter: each write adds a random delay of up to this.
    #[inline]
    pub const fn jitter(self) -> Duration {
        Duration::from_millis(self.jitter_ms)
    }
}

/// The commands that restart the expiry of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Renew {
    /// Every write.
    Write,
    /// Every write and every read.
    Read,
    /// A read when less than this time to live is left.
    Below(Duration),
}

/// The elements that each write keeps if it trims the collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// The newest elements.
    Last(u64),
    /// The newest elements and possibly a few more, which is cheaper for the server.
    AboutLast(u64),
    /// The members with the highest scores.
    Top(u64),
}

impl Keep {
    /// Returns the number of elements that are kept.
    #[inline]
    pub const fn count(self) -> u64 {
        match self {
            Self::Last(count) | Self::AboutLast(count) | Self::Top(count) => count,
        }
    }
}

/// The role of a key beyond its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A cached value: a `CachedKey`.
    Cache(CacheOptions),
    /// A lock: a `LockKey`.
    Lock,
    /// A rate limit: a `LimitKey`.
    Limit(LimitOptions),
    /// A queue of jobs: a `JobKey`.
    Jobs(JobOptions),
    /// A Bloom filter: a `BloomKey`.
    Bloom(BloomOptions),
}

impl Role {
    /// Returns the name in catalogues: `cache`, `lock`, `limit`, `jobs` or `bloom`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cache(_) => "cache",
            Self::Lock => "lock",
            Self::Limit(_) => "limit",
            Self::Jobs(_) => "jobs",
            Self::Bloom(_) => "bloom",
        }
    }
}

/// The options of a cached key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheOptions {
    /// The time for which the cache remembers that there is no value.
    pub null_ttl: Duration,
    /// The longest time that other callers wait for the loading caller.
    pub lease: Duration,
    /// The percentage of the time to live after which a value is refreshed.
    pub refresh_percent: Option<u8>,
    /// The longest time for which a process serves a copy from its memory, or `None` without copies.
    pub near: Option<Duration>,
    /// The longest time after the ttl for which an expired value is returned because the loader fails.
    pub stale: Option<Duration>,
}

/// The options of a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitOptions {
    /// The number that is allowed in each period.
    pub count: u64,
    /// The period.
    pub per: Duration,
    /// The number that is allowed at once.
    pub burst: u64,
}

/// The options of a queue of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobOptions {
    /// The time for which a worker owns a job that it has taken.
    pub lease: Duration,
    /// The number of times that a job is taken before it is dead.
    pub tries: u8,
}

/// The options of a Bloom filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BloomOptions {
    /// The number of items for which the filter is built.
    pub expected: u64,
    /// The false-positive rate once the filter holds these items, in parts per million.
    pub false_positives_per_million: u32,
    /// The number of bits.
    pub bits: u64,
}

impl BloomOptions {
    #[doc(hidden)]
    pub const fn new(expected: u64, false_positives_per_million: u32, bits: u64) -> Self {
        Self { expected, false_positives_per_million, bits }
    }

    /// Returns the options with enough bits for the false-positive rate, in whole bytes.
    ///
    /// The usual formula assumes that an item's bits are independent. Here they follow from two numbers, so in a small
    /// filter two items set the same bits too often. The minimum prevents that.
    #[doc(hidden)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a size")]
    pub fn with_bits(expected: u64, false_positives_per_million: u32) -> Self {
        let share = f64::from(false_positives_per_million) / 1e6;
        let independent = expected as f64 * -share.ln() / std::f64::consts::LN_2.powi(2);
        let bits = independent.max(64.0 + 6.0 * (expected as f64 / share).sqrt());
        Self::new(expected, false_positives_per_million, (bits.ceil() as u64).clamp(8, 1 << 50).next_multiple_of(8))
    }

    /// Returns the number of bits that each item sets: bits per item, times the natural logarithm of 2, rounded. It is
    /// at most the number that the false-positive rate needs.
    pub const fn hashes(self) -> u32 {
        let expected = if self.expected == 0 { 1 } else { self.expected as u128 };
        let hashes = (self.bits as u128 * 693_147 + expected * 500_000) / (expected * 1_000_000);
        let mut needed = 1;
        while needed < 32 && (self.false_positives_per_million as u64) << needed < 1_000_000 {
            needed += 1;
        }
        match hashes {
            0 => 1,
            #[allow(clippy::cast_possible_truncation, reason = "it is at most 32")]
            hashes if hashes < needed as u128 => hashes as u32,
            _ => needed,
        }
    }

    /// Returns the size of the value: the bits, and a header of 16 bytes.
    pub const fn bytes(self) -> u64 {
        self.bits / 8 + 16
    }
}

impl CacheOptions {
    #[doc(hidden)]
    pub const fn new(null_ttl: Duration, lease: Duration, refresh_percent: Option<u8>) -> Self {
        Self { null_ttl, lease, refresh_percent, near: None, stale: None }
    }

    #[doc(hidden)]
    pub const fn with_near(self, near: Option<Duration>) -> Self {
        Self { near, ..self }
    }

    #[doc(hidden)]
    pub const fn with_stale(self, stale: Option<Duration>) -> Self {
        Self { stale, ..self }
    }
}

impl LimitOptions {
    #[doc(hidden)]
    pub const fn new(count: u64, per: Duration, burst: u64) -> Self {
        Self { count, per, burst }
    }
}

impl JobOptions {
    #[doc(hidden)]
    pub const fn new(lease: Duration, tries: u8) -> Self {
        Self { lease, tries }
    }
}
