//! Counters and events of near copies.

#[cfg(feature = "metrics")]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use redis::RedisError;

#[cfg(feature = "metrics")]
use crate::counters::handles;
use crate::counters::{counters, event};

counters! {
    "cache_near";

    /// The work of the [near copies](crate::guide::near_copies) of a cache, as a part of its [`Stats`](super::cache::Stats).
    pub struct Stats {
        /// The keys in memory, including copies that are no longer served, and reads in progress.
        copies: usize,
        /// The bytes that these take, estimated.
        bytes: usize,
        /// Whether copies can be kept: a server that tracks keys is connected.
        is_on: bool,
    }

    Hit            hits             "Calls that a copy in memory has answered.";
    Read           reads            "Reads of keys of which there was no copy.";
    /// A write of this program counts too.
    Overtaken      overtaken        "Values that were read and not kept, since the key had changed meanwhile.";
    /// Flushes are counted separately.
    Invalidated    invalidated      "Copies that were dropped, since their key had changed.";
    /// Each flush ends the copies of its server.
    Flush          flushes          "Flushes of a server, by the template that was read next.";
    /// Each loss ends the copies of its server.
    ConnectionLost connections_lost "Tracked connections that were lost, by the template that was read next.";
}

/// The bytes of the near copies of all caches of the process.
#[cfg(feature = "metrics")]
pub(crate) const BYTES: redis_keys_core::metric::Metric = redis_keys_core::metric::Metric {
    name: "redis_keys_cache_near_bytes",
    kind: redis_keys_core::metric::MetricKind::Gauge,
    labels: &[],
    description: "The bytes that near copies take, estimated.",
};

/// Reports the bytes of a cache's copies, before a change and now.
pub(crate) fn bytes_changed(before: u64, now: u64) {
    #[cfg(feature = "metrics")]
    {
        static TOTAL: AtomicU64 = AtomicU64::new(0);
        // The difference can be negative.
        let change = now.wrapping_sub(before);
        handles::set_gauge(&BYTES, TOTAL.fetch_add(change, Relaxed).wrapping_add(change));
    }
}

/// Reports that a server does not track keys.
pub(crate) fn refused(error: &RedisError) {
    event!(warn, kind = ?error.kind(), "near copies are off: the server does not track keys");
}

pub(crate) fn on_again() {
    event!(info, "near copies are on again: the server tracks keys");
}

/// Reports that the connection is not one of this crate.
pub(crate) fn unsupported() {
    event!(warn, "near copies are off: they need a connection of `redis_keys::connect` or `cluster::connect`");
}
