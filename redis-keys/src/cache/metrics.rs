//! The metrics of caches.

use super::stats::EVENTS;
use crate::handles::Family;

/// The counters are in the order of [`Event`](super::stats::Event).
pub(super) static FAMILY: Family<EVENTS> = Family {
    target: "redis_keys::cache",
    counters: [
        ("redis_keys_cache_hits_total", "Values that were found in Redis."),
        ("redis_keys_cache_absent_hits_total", "Markers found in Redis: it is known that there is no value."),
        ("redis_keys_cache_loads_total", "Keys for which a loader was called, refreshes included."),
        ("redis_keys_cache_failed_loads_total", "Keys whose loader failed."),
        ("redis_keys_cache_shared_total", "Calls that got the result of another call of this process."),
        ("redis_keys_cache_refreshes_total", "Loads that began before the old value expired."),
        ("redis_keys_cache_overtaken_total", "Results not stored, since the key had changed meanwhile."),
        ("redis_keys_cache_unstorable_total", "Values that are too large, or have no stored form."),
        ("redis_keys_cache_undecodable_total", "Stored values that could not be decoded."),
        ("redis_keys_cache_server_errors_total", "Errors with which the server has replied."),
        ("redis_keys_cache_unanswered_total", "Commands without a reply."),
    ],
    seconds: ("redis_keys_cache_load_seconds", "How long each call of a loader took."),
};
