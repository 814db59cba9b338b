//! Modules that mean the same in most projects.

use std::time::Duration;

use crate::Kind;

/// A module of this name in most projects.
pub(crate) struct UsualModule {
    pub(crate) name: &'static str,
    /// Its keys' content.
    pub(crate) holds: &'static str,
    /// From how long to how long its keys live, where that is usual: of a cache both hot and ordinary entries, of a
    /// rate limit whatever period it counts.
    pub(crate) ttl: Option<(Duration, Duration)>,
    /// The same for keys that each read renews, where that makes a difference.
    pub(crate) renewed_ttl: Option<(Duration, Duration)>,
    /// The `ttl` to suggest for a key without one.
    pub(crate) suggested_ttl: &'static str,
    /// Its keys' types. Empty if any type is usual.
    pub(crate) types: &'static [Kind],
}

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// A module with no more than a name.
const USUAL: UsualModule =
    UsualModule { name: "", holds: "", ttl: None, renewed_ttl: None, suggested_ttl: "1h", types: &[] };

pub(crate) const USUAL_MODULES: [UsualModule; 7] = [
    UsualModule {
        name: "cache",
        holds: "copies of data",
        ttl: Some(seconds(5 * MINUTE, DAY)),
        suggested_ttl: "10m",
        ..USUAL
    },
    UsualModule {
        name: "session",
        holds: "sessions",
        ttl: Some(seconds(DAY, 7 * DAY)),
        // A login that ends after half an hour without a request.
        renewed_ttl: Some(seconds(5 * MINUTE, 7 * DAY)),
        suggested_ttl: "1d",
        ..USUAL
    },
    UsualModule {
        name: "lock",
        holds: "locks with one owner",
        ttl: Some(seconds(10, MINUTE)),
        suggested_ttl: "30s",
        types: &[Kind::String],
        ..USUAL
    },
    UsualModule { name: "queue", holds: "waiting work", types: &[Kind::List, Kind::Stream, Kind::ZSet], ..USUAL },
    UsualModule { name: "counter", holds: "counts", types: &[Kind::String, Kind::Hash, Kind::HyperLogLog], ..USUAL },
    UsualModule { name: "rate", holds: "rate limits", ttl: Some(seconds(1, DAY)), ..USUAL },
    UsualModule {
        name: "tmp",
        holds: "temporary data",
        ttl: Some(seconds(5 * MINUTE, 30 * MINUTE)),
        suggested_ttl: "10m",
        ..USUAL
    },
];

/// The usual module of that name.
pub(crate) fn usual_module(name: &str) -> Option<&'static UsualModule> {
    const { &USUAL_MODULES }.iter().find(|module| module.name == name)
}

const fn seconds(shortest: u64, longest: u64) -> (Duration, Duration) {
    (Duration::from_secs(shortest), Duration::from_secs(longest))
}
