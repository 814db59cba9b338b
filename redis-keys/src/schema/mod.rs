//! What a key declares, as a constant.

mod declared;
pub(crate) mod entropy;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(all(test, feature = "base32", feature = "digest", feature = "json", feature = "serde"))]
mod tests;

use std::{fmt, time::Duration};

use redis_keys_core::Kind;

pub(crate) use declared::NOTHING_RARE;
pub use declared::{Caps, Declared, Rare};

/// Everything that a key's declaration says: [`RedisKey::SCHEMA`](crate::RedisKey::SCHEMA).
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
/// # For other programs
///
/// With the feature `serde` it can be serialised. All fields are always there; what is not declared is null, or a default where
/// one holds. New ones may be added, and none is ever renamed:
///
/// ```json
/// {
///   "name": "Views", "template": "page:views:{page}:string", "type": "string",
///   "parameters": [
///     { "name": "page", "type": "u32", "hash_tag": false, "form": "plain", "shards": null, "copies": null }
///   ],
///   "ttl_ms": 86400000, "jitter_ms": 600000, "ttl_from_end_of": null, "renew": null, "renew_below_ms": null,
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
/// | `form`, `shards`, `copies` | `plain`, `digest`, `base32`, or `shard` or `copy` and how many there are |
/// | `ttl_ms` | null where a key never expires |
/// | `renew`, `renew_below_ms` | `write`, `read`, or `below` and how much is left then |
/// | `keep_last`, `keep_about`, `keep_top` | how many stay, and whether it may be a few more |
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Schema {
    /// The name of the struct.
    pub name: &'static str,
    /// The template, in its usual form without spaces.
    pub template: &'static str,
    /// The type of the value, which is also the last segment of the key.
    pub kind: Kind,
    /// The parameters in the order in which they stand in the template.
    pub parameters: Parameters,
    /// When the key goes away by itself.
    pub expiry: Expiry,
    /// The parameter from whose end the expiry counts, a span of the calendar. Otherwise it counts from the write.
    pub ttl_from_end_of: Option<&'static str>,
    /// When the expiry starts anew, apart from each `set`.
    pub renew: Option<Renew>,
    /// The stored form of the value, or of each element, as the declaration writes it.
    pub value: Option<&'static str>,
    /// The stored form of the names of a hash's open fields, as the declaration writes it.
    pub field: Option<&'static str>,
    /// How many bytes a string or a bitmap may have, counted as they are stored.
    pub max_bytes: Option<u64>,
    /// How many elements a collection may have. `None` where it is trimmed instead.
    pub max_len: Option<u64>,
    /// How many bytes each element may have, counted as they are stored.
    pub max_member_bytes: Option<u64>,
    /// How a collection is trimmed at each write.
    pub keep: Option<Keep>,
    /// How many bytes the key itself may have.
    pub max_key_bytes: usize,
    /// Why the declaration is as it is: mandatory for a key that never expires.
    pub reason: Option<&'static str>,
    /// Who answers for the key.
    pub owner: Option<&'static str>,
    /// The doc comment of the struct.
    pub docs: Option<&'static str>,
    /// The lints that it opts out of: `allow(lint, reason = "…")`.
    pub allowed: Allowances,
    /// The source file of the declaration.
    pub file: &'static str,
    /// The line of the declaration.
    pub line: u32,
}

/// The lints that a declaration opts out of.
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
/// let allowed: Vec<_> = Page::SCHEMA.allowed.iter().map(|one| (one.lint, one.reason)).collect();
/// assert_eq!(allowed, [("unusual_ttl", "written by the nightly job")]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Allowances {
    /// `lint: reason` for each, on a line of its own.
    lines: &'static str,
}

/// A lint that a declaration opts out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allowed {
    /// The name of the lint.
    pub lint: &'static str,
    /// Why.
    pub reason: &'static str,
}

impl Allowances {
    /// The lints, one after the other.
    pub fn iter(self) -> impl Iterator<Item = Allowed> {
        self.lines.lines().filter_map(|line| line.split_once(": ").map(|(lint, reason)| Allowed { lint, reason }))
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.lines.is_empty()
    }
}

impl fmt::Debug for Allowances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The parameters of a key, in the order in which they stand in the template.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:stock:{shop}:{item}:string, value = u32, ttl = 1d)]
/// struct Stock<'a> { shop: u32, item: &'a str }
///
/// let parameters: Vec<_> = Stock::SCHEMA.parameters.iter().map(|one| (one.name, one.type_name)).collect();
/// assert_eq!(parameters, [("shop", "u32"), ("item", "&'a str")]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// `name: type` for each, on a line of its own: `#name` of a hash tag, `name % 1000` of a shard,
    /// `name digest` of a digest, `copy of 8` of copies.
    lines: &'static str,
}

/// One parameter of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name of the field.
    pub name: &'static str,
    /// The type of the field, as the declaration writes it.
    pub type_name: &'static str,
    /// Whether it is the key's hash tag on a cluster: `{#name}`.
    pub hash_tag: bool,
    /// How it stands in the key.
    pub form: ParameterForm,
}

/// How a parameter stands in the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterForm {
    /// As its type prints it.
    Plain,
    /// Its number modulo the number of shards: `{name % 1000}`.
    Shard(u32),
    /// The first 128 bits of its SHA-256 in hexadecimal digits.
    Digest,
    /// The number of a copy, of which there are so many.
    Copy(u32),
    /// In base32, lower case and without padding.
    Base32,
}

impl Parameter {
    fn read(line: &'static str) -> Option<Self> {
        let (name, type_name) = line.split_once(": ")?;
        let tagged = name.strip_prefix('#');
        let (name, form) = match tagged.unwrap_or(name).split_once(' ') {
            Some((name, form)) => (name, ParameterForm::read(form)?),
            None => (tagged.unwrap_or(name), ParameterForm::Plain),
        };
        Some(Self { name, type_name, hash_tag: tagged.is_some(), form })
    }
}

impl ParameterForm {
    fn read(text: &str) -> Option<Self> {
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
    /// The parameters, one after the other.
    pub fn iter(self) -> impl Iterator<Item = Parameter> {
        self.lines.lines().filter_map(Parameter::read)
    }

    /// The parameter of that number, counted from 0.
    pub fn get(self, number: usize) -> Option<Parameter> {
        self.iter().nth(number)
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.lines.is_empty()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// When a key goes away by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// No key lives for no time at all, so that 0 stands for "never".
    ttl_ms: u64,
    jitter_ms: u64,
}

/// When an expiry starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Renew {
    /// At each write.
    Write,
    /// At each write and at each read.
    Read,
    /// When a read finds that less than this is left.
    Below(Duration),
}

/// What stays in a collection that is trimmed at each write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// So many of the newest elements.
    Last(u64),
    /// So many of the newest elements, and perhaps a few more, which costs the server less.
    AboutLast(u64),
    /// So many members with the highest scores.
    Top(u64),
}

impl Keep {
    /// How many elements stay.
    pub const fn count(self) -> u64 {
        match self {
            Self::Last(count) | Self::AboutLast(count) | Self::Top(count) => count,
        }
    }
}

impl Expiry {
    /// No expiry: the key stays until it is removed.
    pub const NEVER: Self = Self { ttl_ms: 0, jitter_ms: 0 };

    /// How long the key lives at least, or `None` when it never expires.
    pub const fn ttl(self) -> Option<Duration> {
        match self.ttl_ms {
            0 => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }

    /// How much is added to that at random, at most.
    pub const fn jitter(self) -> Duration {
        Duration::from_millis(self.jitter_ms)
    }

    /// The same for a key that has so many milliseconds more, or fewer, unless nothing is left of them.
    pub(crate) fn moved(self, by_ms: i64) -> Option<Self> {
        match self.ttl_ms {
            0 => Some(self),
            ms => {
                let ttl_ms = ms.checked_add_signed(by_ms).filter(|ms| *ms > 0)?;
                Some(Self { ttl_ms, ..self })
            }
        }
    }

    /// The milliseconds for one write: the declared ones and a random share of the jitter.
    pub(crate) fn draw(self) -> Option<u64> {
        match self.ttl_ms {
            0 => None,
            ms => Some(ms + crate::schema::entropy::up_to(self.jitter_ms)),
        }
    }
}
