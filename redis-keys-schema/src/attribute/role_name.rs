//! The roles of keys: words of a declaration, each with its options in parentheses.

use super::foreign_option::{Elsewhere, PERIOD, Replacement};
use crate::{Kind, Rule};

/// A role of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleName {
    /// A cached key.
    Cache,
    /// A lock.
    Lock,
    /// A rate limit.
    Limit,
    /// A queue of jobs.
    Jobs,
    /// A Bloom filter.
    Bloom,
}

impl RoleName {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Cache, Self::Lock, Self::Limit, Self::Jobs, Self::Bloom];

    /// The word in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Lock => "lock",
            Self::Limit => "limit",
            Self::Jobs => "jobs",
            Self::Bloom => "bloom",
        }
    }

    /// The role with the options that it needs.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::Cache => "cache(null_ttl = 5m)",
            Self::Lock => "lock",
            Self::Limit => "limit(100 / 1m)",
            Self::Jobs => "jobs",
            Self::Bloom => "bloom(expected = 100_000, false_positives = 1%)",
        }
    }

    /// The ways in which it is written, as Markdown.
    pub(super) const fn forms(self) -> &'static str {
        match self {
            Self::Cache => "`cache(null_ttl = 5m)`",
            Self::Lock => "`lock`",
            Self::Limit => "`limit(100 / 1m)`",
            Self::Jobs => "`jobs`",
            Self::Bloom => "`bloom(expected = 100_000, false_positives = 1%)`",
        }
    }

    /// The meaning, as the table of options has it.
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Cache => {
                "makes a string a cached key, with one load per key across all callers and processes. `null_ttl` is \
                how long it remembers that there is no value, at most the ttl"
            }
            Self::Lock => "makes a string a lock, without `value`: one owner at a time holds it, at most for the ttl",
            Self::Limit => {
                "makes a string a rate limit, without `value` and `ttl`: a number, up to a billion, per period"
            }
            Self::Jobs => "makes a zset a queue of jobs of type `value`; each job is done at least once",
            Self::Bloom => {
                "makes a bitmap a Bloom filter of items of type `value`, which answers whether an item may have been \
                added; `expected` is the planned number of items"
            }
        }
    }

    /// The type of keys that can have it.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Cache | Self::Lock | Self::Limit => Kind::String,
            Self::Jobs => Kind::ZSet,
            Self::Bloom => Kind::Bitmap,
        }
    }

    /// The rule that is broken where it is wrong.
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::Cache | Self::Lock => Rule::Expiry,
            Self::Limit => Rule::RateLimit,
            Self::Jobs => Rule::Jobs,
            Self::Bloom => Rule::BloomFilter,
        }
    }

    /// A key with this role, in words.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Cache => "a cached key",
            Self::Lock => "a lock",
            Self::Limit => "a rate limit",
            Self::Jobs => "a queue of jobs",
            Self::Bloom => "a Bloom filter",
        }
    }

    /// Whether the key has a `value`.
    pub fn has_value(self) -> bool {
        !matches!(self, Self::Lock | Self::Limit)
    }

    /// Its names in other libraries.
    pub(super) fn elsewhere(self) -> &'static [Elsewhere] {
        match self {
            Self::Cache => &[(Replacement::Role, &["cached", "caching", "cached_key"])],
            Self::Lock => &[(Replacement::Role, &["mutex", "locked", "semaphore"])],
            Self::Limit => &[
                (
                    Replacement::Limit,
                    &["rate", "rate_limit", "ratelimit", "throttle", "quota", "requests", "max_requests"],
                ),
                (Replacement::Limit, PERIOD),
            ],
            Self::Jobs => &[(Replacement::Role, &["job", "queue", "job_queue", "worker"])],
            Self::Bloom => &[(Replacement::Role, &["bloom_filter", "bloomfilter", "filter"])],
        }
    }

    /// The role of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
