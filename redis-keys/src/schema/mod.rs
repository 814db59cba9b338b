//! The declarations of keys, as constants.

mod declaration;
pub(crate) mod entropy;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(all(test, feature = "base32", feature = "digest", feature = "json", feature = "serde"))]
mod tests;

use std::{fmt, time::Duration};

use redis_keys_core::Kind;

#[doc(hidden)]
pub use declaration::{Declaration, PatternNumbers, RareOptions};
pub(crate) use declaration::{NO_PATTERN, NO_RARE_OPTIONS};

/// The declaration of a key.
///
/// [`RedisKey::SCHEMA`](crate::RedisKey::SCHEMA) is the schema of a key.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1d, jitter = 10m)]
/// struct Views { page: u32 }
///
/// assert_eq!(Views::SCHEMA.template, "page:views:{page}:string");
/// assert_eq!(Views::SCHEMA.parameters.get(0).unwrap().name, "page");
/// assert_eq!(Views::SCHEMA.expiry.ttl().unwrap().as_secs(), 86_400);
/// assert_eq!(Views::SCHEMA.max_bytes, Some(10 * 1024));
/// ```
///
/// # Serialization
///
/// With the feature `serde`, a schema can be serialized for other programs. All fields are always present; an option that is not
/// declared is null or its default. Later versions may add fields, but never rename any:
///
/// ```json
/// {
///   "name": "Views", "template": "page:views:{page}:string", "type": "string",
///   "parameters": [
///     { "name": "page", "type": "u32", "hash_tag": false, "form": "plain", "shards": null, "copies": null }
///   ],
///   "ttl_ms": 86400000, "jitter_ms": 600000, "ttl_from_end_of": null, "renew": null, "renew_below_ms": null,
///   "pattern": null, "null_ttl_ms": null, "lease_ms": null, "refresh_percent": null,
///   "limit": null, "limit_per_ms": null, "burst": null, "tries": null,
///   "value": "u64", "field": null, "max_bytes": 10240, "max_len": null, "max_member_bytes": null,
///   "keep_last": null, "keep_about": false, "keep_top": null, "max_key_bytes": 128,
///   "reason": null, "owner": null, "docs": null, "allowed": [{ "lint": "long_word", "reason": "…" }],
///   "file": "src/keys.rs", "line": 7
/// }
/// ```
///
/// | field | values |
/// |---|---|
/// | `type` | the last segment: `string` `hash` `list` `set` `zset` `bitmap` `hyperloglog` `geo` `stream` |
/// | `form`, `shards`, `copies` | `plain`, `digest` or `base32`; `shard` or `copy` with their number |
/// | `ttl_ms` | null if the key never expires |
/// | `renew`, `renew_below_ms` | `write` or `read`; `below` with the remaining time to live |
/// | `pattern` | `cache`, with `null_ttl_ms`, `lease_ms` and `refresh_percent`; `lock`; `limit`, with `limit`, `limit_per_ms` and `burst`; `jobs`, with `lease_ms` and `tries` |
/// | `keep_last`, `keep_about`, `keep_top` | the number of elements that are kept, and whether it is approximate |
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Schema {
    /// The name of the struct.
    pub name: &'static str,
    /// The template, in canonical form without spaces.
    pub template: &'static str,
    /// The type of the key, which is also its last segment.
    pub kind: Kind,
    /// The parameters, in the order of the template.
    pub parameters: Parameters,
    /// When the key expires.
    pub expiry: Expiry,
    /// The calendar parameter from whose end the expiry counts, if it does not count from the write.
    pub ttl_from_end_of: Option<&'static str>,
    /// What restarts the expiry, apart from `set`.
    pub renew: Option<Renew>,
    /// The pattern that the key follows, if one is declared.
    pub pattern: Option<Pattern>,
    /// The stored form of the value or of each element, as written in the declaration: `Lock` for a lock, `Job<…>` for a queue
    /// of jobs.
    pub value: Option<&'static str>,
    /// The stored form of the field names of a hash, as written in the declaration.
    pub field: Option<&'static str>,
    /// The maximum size of a string or a bitmap, in stored bytes.
    pub max_bytes: Option<u64>,
    /// The maximum number of elements of a collection, or `None` if it is trimmed instead.
    pub max_len: Option<u64>,
    /// The maximum size of each element, in stored bytes.
    pub max_member_bytes: Option<u64>,
    /// How each write trims a collection.
    pub keep: Option<Keep>,
    /// The maximum length of the key itself, in bytes.
    pub max_key_bytes: usize,
    /// The reason for the declaration, mandatory for a key that never expires.
    pub reason: Option<&'static str>,
    /// The owner of the key.
    pub owner: Option<&'static str>,
    /// The doc comment of the struct.
    pub docs: Option<&'static str>,
    /// The lints that the declaration allows: `allow(lint, reason = "…")`.
    pub allowed: Allowances,
    /// The source file of the declaration.
    pub file: &'static str,
    /// The source line of the declaration.
    pub line: u32,
}

/// The lints that a declaration allows.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(
///     cache:page:{page}:string, value = String, ttl = 2d, jitter = 1h,
///     allow(unusual_ttl, reason = "written by the nightly job"),
/// )]
/// struct Page { page: u32 }
///
/// let allowed: Vec<_> = Page::SCHEMA.allowed.iter().map(|allowed| (allowed.lint, allowed.reason)).collect();
/// assert_eq!(allowed, [("unusual_ttl", "written by the nightly job")]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Allowances {
    /// A line `lint: reason` for each lint.
    lines: &'static str,
}

/// A lint that a declaration allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allowed {
    /// The name of the lint.
    pub lint: &'static str,
    /// The reason that the declaration gives.
    pub reason: &'static str,
}

impl Allowances {
    /// Iterates over the lints.
    pub fn iter(self) -> impl Iterator<Item = Allowed> {
        self.lines.lines().filter_map(|line| line.split_once(": ").map(|(lint, reason)| Allowed { lint, reason }))
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.lines.is_empty()
    }
}

impl fmt::Debug for Allowances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The parameters of a key, in the order of the template.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:stock:{shop}:{item}:string, value = u32, ttl = 1d)]
/// struct Stock<'a> { shop: u32, item: &'a str }
///
/// let parameters: Vec<_> = Stock::SCHEMA.parameters.iter().map(|parameter| (parameter.name, parameter.type_name)).collect();
/// assert_eq!(parameters, [("shop", "u32"), ("item", "&'a str")]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// A line `name: type` for each parameter; the name is `#name` for a hash tag, `name % 1000` for a shard, `name digest`
    /// or `name base32` for an encoding, and `copy of 8` for copies.
    lines: &'static str,
}

/// A parameter of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name of the field.
    pub name: &'static str,
    /// The type of the field, as written in the declaration.
    pub type_name: &'static str,
    /// Whether the parameter is the key's hash tag: `{#name}`.
    pub hash_tag: bool,
    /// How the parameter is written in the key.
    pub form: ParameterForm,
}

/// How a parameter is written in the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterForm {
    /// As its type writes it.
    Plain,
    /// Modulo this number of shards: `{name % 1000}`.
    Shard(u32),
    /// The first 128 bits of its SHA-256, in hexadecimal digits.
    Digest,
    /// The index of one of this number of copies.
    Copy(u32),
    /// In base32, lower case, without padding.
    Base32,
}

impl Parameter {
    fn parse(line: &'static str) -> Option<Self> {
        let (name, type_name) = line.split_once(": ")?;
        let tagged = name.strip_prefix('#');
        let (name, form) = match tagged.unwrap_or(name).split_once(' ') {
            Some((name, form)) => (name, ParameterForm::parse(form)?),
            None => (tagged.unwrap_or(name), ParameterForm::Plain),
        };
        Some(Self { name, type_name, hash_tag: tagged.is_some(), form })
    }
}

impl ParameterForm {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "digest" => Some(Self::Digest),
            "base32" => Some(Self::Base32),
            other => {
                let number = |before| other.strip_prefix(before)?.parse().ok();
                number("% ").map(Self::Shard).or_else(|| number("of ").map(Self::Copy))
            }
        }
    }
}

impl Parameters {
    /// Iterates over the parameters.
    pub fn iter(self) -> impl Iterator<Item = Parameter> {
        self.lines.lines().filter_map(Parameter::parse)
    }

    /// Returns the parameter at `index`.
    pub fn get(self, index: usize) -> Option<Parameter> {
        self.iter().nth(index)
    }

    /// Returns the number of parameters.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.lines.is_empty()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// When a key expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// 0 for a key that never expires.
    ttl_ms: u64,
    jitter_ms: u64,
}

/// What restarts the expiry of a key.
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

/// A pattern that a key follows, beyond its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pattern {
    /// A cached value: a [`CachedKey`](crate::CachedKey).
    Cache(CacheOptions),
    /// A lock: a [`LockKey`](crate::LockKey).
    Lock,
    /// A rate limit: a [`LimitKey`](crate::LimitKey).
    Limit(LimitOptions),
    /// A queue of jobs: a [`JobKey`](crate::JobKey).
    Jobs(JobOptions),
}

/// The options of a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitOptions {
    /// How many are allowed in each period.
    pub count: u64,
    /// The period.
    pub per: Duration,
    /// How many are allowed at once.
    pub burst: u64,
}

/// The options of a queue of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobOptions {
    /// How long a job that was taken is nobody else's.
    pub lease: Duration,
    /// How often a job is taken before it counts as dead.
    pub tries: u8,
}

/// The options of a cached key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheOptions {
    /// How long it is remembered that there is no value.
    pub null_ttl: Duration,
    /// How long other callers wait for one that loads the value.
    pub lease: Duration,
    /// After how much of its time to live a value is refreshed, in percent.
    pub refresh_percent: Option<u8>,
}

/// What each write keeps of a collection that it trims.
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
    pub const fn count(self) -> u64 {
        match self {
            Self::Last(count) | Self::AboutLast(count) | Self::Top(count) => count,
        }
    }
}

impl Expiry {
    /// The expiry of a key that never expires.
    pub const NEVER: Self = Self { ttl_ms: 0, jitter_ms: 0 };

    /// Returns the time to live without jitter, or `None` if the key never expires.
    pub const fn ttl(self) -> Option<Duration> {
        match self.ttl_ms {
            0 => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }

    /// Returns the jitter: each write adds a random delay of up to this.
    pub const fn jitter(self) -> Duration {
        Duration::from_millis(self.jitter_ms)
    }

    /// Returns the expiry with a time to live that is longer or shorter by some milliseconds, or `None` if nothing is left.
    pub(crate) fn extended_by(self, by_ms: i64) -> Option<Self> {
        match self.ttl_ms {
            0 => Some(self),
            ms => {
                let ttl_ms = ms.checked_add_signed(by_ms).filter(|ms| *ms > 0)?;
                Some(Self { ttl_ms, ..self })
            }
        }
    }

    /// Returns the expiry with another time to live, and with the jitter in proportion.
    pub(crate) fn in_proportion(self, ttl: Duration) -> Self {
        let ttl_ms = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        let jitter = u128::from(self.jitter_ms) * u128::from(ttl_ms) / u128::from(self.ttl_ms.max(1));
        Self { ttl_ms, jitter_ms: u64::try_from(jitter).unwrap_or(u64::MAX) }
    }

    /// Returns the milliseconds for one write: the time to live and a random part of the jitter.
    pub(crate) fn draw(self) -> Option<u64> {
        match self.ttl_ms {
            0 => None,
            ms => Some(ms + entropy::up_to(self.jitter_ms)),
        }
    }
}
