//! What a worker has done.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::schema::Schema;

/// What a [`Worker`](super::Worker) and its clones have done since it was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Jobs that were taken.
    pub taken: u64,
    /// Jobs that were done, and removed.
    pub done: u64,
    /// Jobs that failed, panicked or were given back by a shutdown, and are tried again.
    pub retried: u64,
    /// Jobs that are dead after their last try, also those whose last worker has not said what became of them.
    pub died: u64,
    /// Jobs that were buried: on request of the handler, or since they could not be decoded.
    pub buried: u64,
    /// Jobs that could not be decoded.
    pub undecodable: u64,
    /// Jobs that somebody else had before they were done here: their lease was over, or their key was gone.
    pub lost: u64,
    /// Jobs whose handler panicked.
    pub panicked: u64,
    /// Round trips that failed: the connection was lost, there was no reply in time, or it was an error.
    pub errors: u64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Taken,
    Done,
    Retried,
    Died,
    Buried,
    Undecodable,
    Lost,
    Panicked,
    Error,
}

/// How many kinds of events there are.
pub(super) const EVENTS: usize = Event::Error as usize + 1;

/// The counters of a worker.
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
    #[cfg_attr(not(feature = "metrics"), allow(unused_variables, reason = "only metrics have a label"))]
    pub(super) fn count(&self, event: Event, number: u64, schema: &'static Schema) {
        if number == 0 {
            return;
        }
        if let Some(count) = self.counts.get(event as usize) {
            count.fetch_add(number, Relaxed);
        }
        #[cfg(feature = "metrics")]
        self.handles.count(event as usize, number, schema);
    }

    pub(super) fn stats(&self) -> Stats {
        let count = |event: Event| self.counts.get(event as usize).map_or(0, |count| count.load(Relaxed));
        Stats {
            taken: count(Event::Taken),
            done: count(Event::Done),
            retried: count(Event::Retried),
            died: count(Event::Died),
            buried: count(Event::Buried),
            undecodable: count(Event::Undecodable),
            lost: count(Event::Lost),
            panicked: count(Event::Panicked),
            errors: count(Event::Error),
        }
    }
}
