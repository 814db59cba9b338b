//! What locks report to `tracing` and `metrics`: of a key only its template, and of an error only its kind.
//!
//! Without these features nothing of it is compiled.

#![cfg_attr(
    not(all(feature = "metrics", feature = "tracing")),
    allow(dead_code, unused_variables, clippy::unused_self, reason = "it is only reported")
)]

use std::{future::Future, time::Duration};

use crate::{ErrorKind, schema::Schema};

/// The target of spans and events.
#[cfg(feature = "tracing")]
const TARGET: &str = "redis_keys::lock";

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Acquired,
    TimedOut,
    Lost,
}

/// How many kinds of events there are.
#[cfg(feature = "metrics")]
pub(super) const EVENTS: usize = Event::Lost as usize + 1;

/// Where all locks of a [`Locks`](super::Locks) report.
#[derive(Clone)]
#[cfg_attr(not(feature = "metrics"), derive(Default))]
pub(super) struct Reports {
    #[cfg(feature = "metrics")]
    handles: std::sync::Arc<crate::handles::Handles<EVENTS>>,
}

#[cfg(feature = "metrics")]
impl Default for Reports {
    fn default() -> Self {
        Self { handles: std::sync::Arc::new(crate::handles::Handles::new(&super::metrics::FAMILY)) }
    }
}

impl Reports {
    pub(super) fn of(&self, schema: &'static Schema) -> Reporter {
        Reporter { reports: self.clone(), schema }
    }
}

/// Where the locks of one declaration report.
#[derive(Clone)]
pub(super) struct Reporter {
    reports: Reports,
    schema: &'static Schema,
}

impl Reporter {
    pub(super) fn count(&self, event: Event) {
        #[cfg(feature = "metrics")]
        self.reports.handles.count(event as usize, 1, self.schema);
        #[cfg(feature = "tracing")]
        match event {
            Event::Acquired => {}
            Event::TimedOut => {
                tracing::info!(target: TARGET, template = self.schema.template, "a lock was not acquired in time");
            }
            Event::Lost => {
                tracing::warn!(target: TARGET, template = self.schema.template, "a lock was lost while it was held");
            }
        }
    }

    /// Reports that a lock was acquired, after this time.
    pub(super) fn acquired(&self, waited: Duration) {
        self.count(Event::Acquired);
        #[cfg(feature = "metrics")]
        self.reports.handles.record(waited, self.schema);
    }

    /// Reports a command that failed and is tried again: no caller gets this error.
    pub(super) fn failed(&self, kind: ErrorKind) {
        #[cfg(feature = "tracing")]
        tracing::debug!(target: TARGET, template = self.schema.template, ?kind, "a command failed, and is tried again");
    }

    /// The time from the first attempt to the result.
    pub(super) fn acquire<F: Future>(&self, acquire: F) -> impl Future<Output = F::Output> + use<F> {
        #[cfg(feature = "tracing")]
        let acquire = {
            use tracing::Instrument as _;
            acquire.instrument(tracing::debug_span!(target: TARGET, "lock_acquire", template = self.schema.template))
        };
        acquire
    }
}
