//! What a cache has done.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::report;
use crate::schema::Schema;

/// What a [`Cache`](super::Cache) and its clones have done since it was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Values that were found in Redis.
    pub hits: u64,
    /// Markers that were found in Redis: it is known that there is no value.
    pub absent_hits: u64,
    /// Calls of loaders, refreshes included. [`Cache::get_or_load_many`](super::Cache::get_or_load_many) counts each key.
    pub loads: u64,
    /// Loads that failed.
    pub failed_loads: u64,
    /// Calls that got the result of another call of this process.
    pub shared: u64,
    /// Loads that began before the old value expired.
    pub refreshes: u64,
    /// Loads whose result was not stored, because the key was written or removed meanwhile, or the load took longer than `lease`.
    pub overtaken: u64,
    /// Values that were not stored: larger than `max_bytes`, or not representable in their stored form.
    pub unstorable: u64,
    /// Stored values that could not be decoded, and were loaded again.
    pub undecodable: u64,
    /// Errors with which the server has replied.
    pub server_errors: u64,
    /// Commands without a reply: the connection was lost, or the time limit over.
    pub unanswered: u64,
    /// Whether nothing is sent to the server at the moment, after five commands in a row without a reply.
    pub breaker_is_open: bool,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Hit,
    AbsentHit,
    Load,
    FailedLoad,
    Shared,
    Refresh,
    Overtaken,
    Unstorable,
    Undecodable,
    ServerError,
    Unanswered,
}

/// How many kinds of events there are.
pub(super) const EVENTS: usize = Event::Unanswered as usize + 1;

/// The counters of a cache.
#[cfg_attr(not(feature = "metrics"), derive(Default))]
pub(super) struct Counters {
    counts: [AtomicU64; EVENTS],
    #[cfg(feature = "metrics")]
    pub(super) handles: crate::handles::Handles<EVENTS>,
}

#[cfg(feature = "metrics")]
impl Default for Counters {
    fn default() -> Self {
        Self { counts: Default::default(), handles: crate::handles::Handles::new(&super::metrics::FAMILY) }
    }
}

impl Counters {
    /// Counts an event of a key, or of so many keys of a declaration.
    #[inline]
    pub(super) fn count(&self, event: Event, number: u64, schema: &'static Schema) {
        if let Some(count) = self.counts.get(event as usize) {
            count.fetch_add(number, Relaxed);
        }
        #[cfg(feature = "metrics")]
        self.handles.count(event as usize, number, schema);
        report::counted(event, schema);
    }

    pub(super) fn stats(&self, breaker_is_open: bool) -> Stats {
        let count = |event: Event| self.counts.get(event as usize).map_or(0, |count| count.load(Relaxed));
        Stats {
            hits: count(Event::Hit),
            absent_hits: count(Event::AbsentHit),
            loads: count(Event::Load),
            failed_loads: count(Event::FailedLoad),
            shared: count(Event::Shared),
            refreshes: count(Event::Refresh),
            overtaken: count(Event::Overtaken),
            unstorable: count(Event::Unstorable),
            undecodable: count(Event::Undecodable),
            server_errors: count(Event::ServerError),
            unanswered: count(Event::Unanswered),
            breaker_is_open,
        }
    }
}
