//! What a layer reports to `tracing` and `metrics`: of a key only its template, and of an error only its kind.
//!
//! Without these features nothing of it is compiled.

#![cfg_attr(
    not(all(feature = "metrics", feature = "tracing")),
    allow(unused_variables, clippy::unused_self, reason = "it is only reported")
)]

use std::future::Future;

use crate::{ErrorKind, schema::Schema};

/// The target of events.
#[cfg(feature = "tracing")]
const TARGET: &str = "redis_keys::limit";

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Allowed,
    Refused,
    InvalidKey,
    Undecided,
}

/// How many kinds of events there are.
#[cfg(feature = "metrics")]
pub(super) const EVENTS: usize = Event::Undecided as usize + 1;

/// The counters of a layer.
#[cfg_attr(not(feature = "metrics"), derive(Default))]
pub(super) struct Counters {
    #[cfg(feature = "metrics")]
    handles: crate::handles::Handles<EVENTS>,
}

#[cfg(feature = "metrics")]
impl Default for Counters {
    fn default() -> Self {
        Self { handles: crate::handles::Handles::new(&super::metrics::FAMILY) }
    }
}

impl Counters {
    /// Counts a request.
    pub(super) fn count(&self, event: Event, schema: &'static Schema) {
        #[cfg(feature = "metrics")]
        self.handles.count(event as usize, 1, schema);
        #[cfg(feature = "tracing")]
        match event {
            Event::Refused => tracing::debug!(target: TARGET, template = schema.template, "a request was refused"),
            Event::InvalidKey => {
                tracing::debug!(target: TARGET, template = schema.template, "the key of a request is invalid");
            }
            Event::Allowed | Event::Undecided => {}
        }
    }

    /// A decision, with the time that it takes.
    pub(super) async fn timed<F: Future>(&self, schema: &'static Schema, decision: F) -> F::Output {
        #[cfg(feature = "metrics")]
        let started = std::time::Instant::now();
        let output = decision.await;
        #[cfg(feature = "metrics")]
        self.handles.record(started.elapsed(), schema);
        output
    }
}

/// Reports the first of several errors with which the server has replied.
pub(super) fn server_error(kind: ErrorKind, schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, template = schema.template, ?kind, "the server replied with an error");
}

pub(super) fn errors_ended() {
    #[cfg(feature = "tracing")]
    tracing::info!(target: TARGET, "the server decides again");
}

pub(super) fn breaker_opened() {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, "the server does not answer: requests are no longer limited, or all refused");
}

pub(super) fn breaker_closed() {
    #[cfg(feature = "tracing")]
    tracing::info!(target: TARGET, "the server answers again");
}
