//! What each finding means, why it matters, and what to do.

use super::{FindingId, Level};

/// What a finding means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// What is wrong, as a title.
    pub(crate) what: &'static str,
    /// The accident that it leads to.
    pub(crate) why: &'static str,
    /// What to do about it.
    pub(crate) remedy: &'static str,
}

impl FindingId {
    /// All of them, the most serious first.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 16] = [
        Self::WrongType,
        Self::NoExpiry,
        Self::BigValue,
        Self::BigCollection,
        Self::UnknownKey,
        Self::LongExpiry,
        Self::BadName,
        Self::BigMember,
        Self::TooManyKeys,
        Self::EvictionPolicy,
        Self::NoMaxmemory,
        Self::LazyExpireOff,
        Self::SlotSkew,
        Self::LeftCompactEncoding,
        Self::HotKey,
        Self::NoLfu,
    ];

    /// The name, as in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WrongType => "wrong_type",
            Self::NoExpiry => "no_expiry",
            Self::BigValue => "big_value",
            Self::BigCollection => "big_collection",
            Self::UnknownKey => "unknown_key",
            Self::LongExpiry => "long_expiry",
            Self::BadName => "bad_name",
            Self::BigMember => "big_member",
            Self::TooManyKeys => "too_many_keys",
            Self::EvictionPolicy => "eviction_policy",
            Self::NoMaxmemory => "no_maxmemory",
            Self::LazyExpireOff => "lazy_expire_off",
            Self::SlotSkew => "slot_skew",
            Self::LeftCompactEncoding => "left_compact_encoding",
            Self::HotKey => "hot_key",
            Self::NoLfu => "no_lfu",
        }
    }

    /// How serious it is.
    pub(crate) fn level(self) -> Level {
        match self {
            Self::WrongType | Self::NoExpiry | Self::BigValue | Self::BigCollection => Level::Error,
            Self::LeftCompactEncoding | Self::HotKey | Self::NoLfu => Level::Note,
            _ => Level::Warning,
        }
    }

    /// Whether it is about keys, which are counted. Otherwise it is about the settings of a server.
    pub(crate) fn is_about_keys(self) -> bool {
        !matches!(self, Self::EvictionPolicy | Self::NoMaxmemory | Self::LazyExpireOff | Self::NoLfu)
    }

    /// What it means.
    pub(crate) fn text(self) -> Text {
        let (what, why, remedy) = match self {
            Self::WrongType => (
                "keys of another type than their name says",
                "every command of the program fails with WRONGTYPE, until the key expires or is deleted",
                "find out which program writes them, and delete them with `cargo redis-keys purge`",
            ),
            Self::NoExpiry => (
                "keys that never expire",
                "they stay for ever: memory fills up until the server evicts other keys or rejects writes",
                "set the declared expiry with `cargo redis-keys expire`, and find the program that writes them without one",
            ),
            Self::BigValue => (
                "strings larger than their limit",
                "reading one takes the network and the server's only thread from everybody else",
                "store less, compress it (`Zstd<Json<T>>`), or split it into several keys",
            ),
            Self::BigCollection => (
                "collections with more elements than their limit",
                "commands that read them, their expiry, and moving them to another node block the server",
                "trim them (`keep_last`, `keep_top`), or split them by shard or by calendar bucket",
            ),
            Self::UnknownKey => (
                "keys that no declaration can produce",
                "nobody knows who owns them and whether they can be deleted, so they stay",
                "declare them, or delete them with `cargo redis-keys purge --unknown`",
            ),
            Self::LongExpiry => (
                "keys that live longer than declared",
                "data is kept for longer than planned and takes memory; it may be stale, or should be deleted by law",
                "find the program that writes them: an older version with a longer `ttl`, or one without redis-keys",
            ),
            Self::BadName => (
                "keys whose name breaks the rules",
                "no template describes them, so scans, reviews and access rules miss them; long names cost memory in every key",
                "rename them as `module:subject:…:type` in `a` to `z`, `0` to `9` and `.`, at most 128 bytes",
            ),
            Self::BigMember => (
                "collections with an element larger than its limit",
                "one read of a page of elements becomes slow, and the compact encoding is lost",
                "store the element as a string of its own, and its id in the collection",
            ),
            Self::TooManyKeys => (
                "more than 10 million keys in one instance",
                "a restart, a failover and a full replication take minutes, and every key costs some 50 bytes of overhead",
                "split the instance, or store many small strings as fields of hashes",
            ),
            Self::EvictionPolicy => (
                "the eviction policy does not fit the keys",
                "when memory is full, the server deletes locks and queued jobs, or rejects every write",
                "use `noeviction` for locks, limits and jobs, and an evicting policy for caches: two servers if there are both",
            ),
            Self::NoMaxmemory => (
                "no memory limit",
                "a server that grows is killed by the operating system, with all keys since the last snapshot",
                "set `maxmemory` below the memory of the machine, with room for a snapshot",
            ),
            Self::LazyExpireOff => (
                "expired keys are freed by the main thread",
                "when a big key expires, the server answers nobody until it is freed",
                "set `lazyfree-lazy-expire yes`",
            ),
            Self::SlotSkew => (
                "keys are spread unevenly over the cluster",
                "one node is out of memory or time while the others are idle, and adding nodes does not help",
                "choose a hash tag with more values, or move slots",
            ),
            Self::LeftCompactEncoding => (
                "small collections that are not stored compactly",
                "they take up to ten times the memory: one long element, or a larger size before, is enough for that",
                "keep elements short, or raise the server's limit such as `hash-max-listpack-value`",
            ),
            Self::HotKey => (
                "keys that are read very often",
                "one node of a cluster serves them all, and when one expires everybody loads it at the same time",
                "declare them with `copies`, or with `null_ttl` as cached keys, which are loaded once",
            ),
            Self::NoLfu => (
                "hot keys cannot be found",
                "the server counts accesses only under an LFU policy",
                "set `maxmemory-policy allkeys-lfu` where the keys can be evicted",
            ),
        };
        Text { what, why, remedy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain;

    #[test]
    fn every_finding_is_named_and_explained() {
        for id in FindingId::ALL {
            assert_eq!(serde_json::to_value(id).ok(), Some(id.name().into()));
            assert!(explain::find(id.name()).is_ok(), "{}", id.name());
            let Text { what, why, remedy } = id.text();
            assert!([what, why, remedy].iter().all(|text| !text.is_empty() && !text.ends_with('.')), "{}", id.name());
        }
    }
}
