//! The declarations as they apply to a server's keys: a key's declaration, and its limits.

use std::collections::HashMap;
use std::time::SystemTime;

use redis_keys_core::schema::{Keep, Role};
use redis_keys_schema::{Kind, limits};

use super::calendar::BucketPlace;
use super::foreign::ForeignKeys;
use super::legacy_name::LegacyName;
use crate::declare::catalog::{Catalog, Key, Match, Matcher, TextKind};
use crate::declare::redis_type::RedisType;
use crate::render::units;

/// A stream that is trimmed approximately may have another node of entries.
const STREAM_NODE_ENTRIES: u64 = 100;

/// The difference that the clocks of this machine and of the server may have.
const CLOCK_MS: u128 = 60_000;

/// The time of a push and a random number, which precede a job, and before them the number of its revivals, such as
/// `r1234:`.
const JOB_PREFIX_BYTES: u64 = 18 + 6;

/// From this on, a list's memory is the server's guess from its first five nodes.
const GUESSED_LIST: u64 = 256;

/// The most memory that a string takes beside its key and its value.
const STRING_OVERHEAD: u64 = 512;

/// The declarations, each with its limits.
pub(crate) struct Schemas {
    pub(crate) catalog: Catalog,
    /// The namespace before all keys.
    pub(crate) namespace: Option<String>,
    /// The prefix of legacy texts, which have no namespace.
    pub(crate) legacy_prefix: Option<String>,
    /// The keys of other programs.
    pub(crate) foreign: ForeignKeys,
    pub(crate) matcher: Matcher,
    limits: Vec<Limits>,
    /// The names of the keys with a legacy text, by the declaration's index.
    legacy_names: HashMap<usize, LegacyName>,
}

impl Schemas {
    /// A catalog's declarations, and the namespace before their keys.
    pub(crate) fn new(catalog: Catalog, namespace: Option<&str>) -> Self {
        let matcher = Matcher::new(&catalog, namespace);
        let limits = catalog.keys.iter().map(Limits::of).collect();
        let names = catalog.keys.iter().enumerate();
        let legacy_names = names.filter_map(|(index, key)| Some((index, LegacyName::of(key)?))).collect();
        Self {
            catalog,
            namespace: namespace.map(str::to_owned),
            legacy_prefix: None,
            foreign: ForeignKeys::default(),
            matcher,
            limits,
            legacy_names,
        }
    }

    /// The declarations with the prefix that programs set before legacy texts.
    pub(crate) fn with_legacy_prefix(self, prefix: Option<&str>) -> Self {
        let matcher = self.matcher.with_legacy_prefix(prefix);
        Self { legacy_prefix: prefix.map(str::to_owned), matcher, ..self }
    }

    /// The declarations beside the keys of other programs.
    pub(crate) fn with_foreign(self, foreign: ForeignKeys) -> Self {
        Self { foreign, ..self }
    }

    /// Whether the key is in the namespace, or has a legacy text, which is in none.
    pub(crate) fn is_in_namespace(&self, key: &[u8]) -> bool {
        let Some(namespace) = &self.namespace else { return true };
        let is_inside = key.strip_prefix(namespace.as_bytes()).is_some_and(|rest| rest.starts_with(b":"));
        is_inside || self.has_legacy_text(key)
    }

    /// The name that a key of this declaration is to have. `None` if it does not have the legacy text.
    pub(crate) fn legacy_name(&self, key: &[u8], declaration: usize) -> Option<&LegacyName> {
        let name = self.legacy_names.get(&declaration)?;
        self.has_legacy_text(key).then_some(name)
    }

    /// The reason for which a key with a legacy text cannot have its name, if that is known.
    pub(crate) fn objection(&self, key: &[u8], name: &LegacyName) -> Option<String> {
        let prefix = self.legacy_prefix.as_deref().unwrap_or_default();
        let before = self.namespace.as_ref().map_or(0, |namespace| namespace.len() + 1);
        name.objection(key.strip_prefix(prefix.as_bytes())?, before)
    }

    /// Whether the legacy text of this declaration contains text that is the same in all keys.
    pub(crate) fn has_fixed_text(&self, declaration: usize) -> bool {
        let prefix = self.legacy_prefix.as_deref().unwrap_or_default();
        self.legacy_names.get(&declaration).is_some_and(|name| name.has_fixed_text(prefix))
    }

    /// The other name of a key of this declaration, or the reason for which only the program knows it.
    pub(crate) fn other_name(&self, key: &[u8], found: Match) -> Result<String, String> {
        let name = self.legacy_names.get(&found.declaration).ok_or("it has one name")?;
        let unknown = || "the key is not text".to_owned();
        let key = str::from_utf8(key).map_err(|_| unknown())?;
        let prefix = self.legacy_prefix.as_deref().unwrap_or_default();
        let namespace = self.namespace.as_ref().map(|namespace| format!("{namespace}:")).unwrap_or_default();
        match found.text {
            TextKind::Legacy => {
                let text = key.strip_prefix(prefix).ok_or_else(unknown)?;
                let objection = name.objection(text.as_bytes(), namespace.len());
                objection.map_or_else(|| Ok(namespace + &name.template_name(text)?), Err)
            }
            TextKind::Template => {
                let text = key.strip_prefix(&namespace).ok_or_else(unknown)?;
                Ok(format!("{prefix}{}", name.legacy_text(text)?))
            }
        }
    }

    fn has_legacy_text(&self, key: &[u8]) -> bool {
        self.matcher.has_legacy_texts()
            && self.matcher.find_match(key).is_some_and(|found| found.text == TextKind::Legacy)
    }

    /// The key without the namespace, which has the segments of its template. It is empty for a legacy text, which does
    /// not have them.
    pub(crate) fn template_text<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        if self.has_legacy_text(key) { b"" } else { self.without_namespace(key) }
    }

    /// The limits of a key's declaration. For a key of another type, and without a declaration, the default limits
    /// apply.
    pub(crate) fn limits(&self, declaration: Option<usize>, redis_type: RedisType) -> Limits {
        let declared = declaration.and_then(|index| self.limits.get(index));
        let default = Limits::default_of(redis_type);
        match declared {
            Some(limits) if limits.redis_type == redis_type => *limits,
            Some(limits) => Limits { lifetime_ms: limits.lifetime_ms, bucket: limits.bucket, ..default },
            None => default,
        }
    }

    /// A declaration's limits.
    pub(crate) fn declared(&self, declaration: usize) -> Option<&Limits> {
        self.limits.get(declaration)
    }

    /// A key without the namespace.
    pub(crate) fn without_namespace<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        let namespace = self.namespace.as_deref().map(str::as_bytes);
        namespace.and_then(|namespace| key.strip_prefix(namespace)?.strip_prefix(b":")).unwrap_or(key)
    }
}

/// The limits of a declaration, or of keys without a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The type of the key on the server.
    pub(crate) redis_type: RedisType,
    /// Whether it is a hyperloglog, whose type is a string.
    pub(crate) is_hyperloglog: bool,
    /// The longest time that it can still live. `None` if it needs no expiry.
    pub(crate) lifetime_ms: Option<u64>,
    /// The place of the calendar bucket from whose end the expiry counts.
    pub(crate) bucket: Option<BucketPlace>,
    /// The most bytes of a string.
    pub(crate) max_bytes: Option<u64>,
    /// The most elements of a collection.
    pub(crate) max_len: Option<u64>,
    /// The most bytes of an element.
    pub(crate) max_member_bytes: Option<u64>,
}

impl Limits {
    /// A declaration's limits.
    pub(crate) fn of(key: &Key) -> Self {
        let stream_slack = if matches!(key.keep, Some(Keep::AboutLast(_))) { STREAM_NODE_ENTRIES } else { 0 };
        let kept = key.keep.map(|keep| keep.count().saturating_add(stream_slack));
        let prefix = if matches!(key.role, Some(Role::Jobs(_))) { JOB_PREFIX_BYTES } else { 0 };
        let bucket = key.ttl_from_end_of.as_ref();
        Self {
            redis_type: RedisType::of(Some(key.kind)),
            is_hyperloglog: key.kind == Kind::HyperLogLog,
            lifetime_ms: key.longest_life().map(units::millis),
            bucket: bucket.and_then(|name| BucketPlace::find(&key.template, name)),
            max_bytes: key.max_bytes,
            max_len: key.max_len.or(kept),
            max_member_bytes: key.max_member_bytes.map(|bytes| bytes.saturating_add(prefix)),
        }
    }

    /// The limits without a declaration.
    pub(crate) fn default_of(redis_type: RedisType) -> Self {
        let is_collection = !matches!(redis_type, RedisType::String | RedisType::Other);
        Self {
            redis_type,
            is_hyperloglog: false,
            // No longest lifetime, but it must expire.
            lifetime_ms: Some(u64::MAX),
            bucket: None,
            max_bytes: (redis_type == RedisType::String).then_some(limits::DEFAULT_MAX_BYTES),
            max_len: match redis_type {
                // A log that is read in parts.
                RedisType::Stream => Some(limits::MAX_STREAM_KEEP_LAST),
                _ => is_collection.then_some(limits::MAX_MAX_LEN),
            },
            max_member_bytes: is_collection.then_some(limits::DEFAULT_MAX_MEMBER_BYTES),
        }
    }

    /// The most bytes of a string, or elements of a collection.
    pub(crate) fn max_size(&self) -> Option<u64> {
        self.max_bytes.or(self.max_len)
    }

    /// Whether a key of this size in memory can break one of the limits. An element takes two bytes at least.
    pub(crate) fn may_be_exceeded(&self, memory: u64) -> bool {
        let exceeds = |limit: Option<u64>, unit: u64| limit.is_some_and(|limit| memory / unit > limit);
        (self.redis_type == RedisType::List && memory >= GUESSED_LIST)
            || self.is_hyperloglog
            || exceeds(self.max_bytes, 1)
            || exceeds(self.max_len, 2)
            || exceeds(self.max_member_bytes, 1)
    }

    /// Whether its memory proves that a string is larger than allowed: it can be allocated up to twice as large for
    /// appended text, and rounded up by a quarter.
    pub(crate) fn is_exceeded_by_string(&self, key: &[u8], memory: u64) -> bool {
        let value = memory.saturating_sub(STRING_OVERHEAD + 2 * key.len() as u64);
        self.redis_type == RedisType::String && self.max_bytes.is_some_and(|most| value / 5 * 2 > most)
    }

    /// Whether a key that expires in `left` milliseconds lives too long.
    pub(crate) fn is_too_long(&self, key: &[u8], left: u64, now: fn() -> SystemTime) -> bool {
        let Some(lifetime) = self.lifetime_ms.filter(|lifetime| left > *lifetime) else { return false };
        // The expiry counts from the end of the bucket, which can be in the future.
        match self.bucket.map(|place| place.end(key)) {
            None => true,
            Some(None) => false,
            Some(Some(end)) => {
                let until_end = end.duration_since(now()).unwrap_or_default().as_millis();
                u128::from(left) > until_end + u128::from(lifetime) + CLOCK_MS
            }
        }
    }
}
