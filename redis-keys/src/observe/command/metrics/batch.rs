//! Metrics of batches, and of the calls in them.

use std::time::Instant;

use super::{Traffic, count, count_failed};
use crate::Error;
use crate::accessor::{Accessor, Outcome};
use crate::counters::handles::{self, is_recorded};
use crate::schema::Schema;

/// The calls of a submission, until they are counted one by one.
#[derive(Default)]
pub(crate) struct OpenCalls {
    calls: Vec<(Accessor, &'static Schema)>,
    /// Whether they are being sent. Then dropping them is an outcome.
    are_sent: bool,
}

impl OpenCalls {
    pub(crate) fn push(&mut self, accessor: Accessor, schema: &'static Schema) {
        if !accessor.is_step() && is_recorded() {
            self.calls.push((accessor, schema));
        }
    }

    /// Adds the calls of another submission, which is sent as a part of this one.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.calls.append(&mut other.calls);
    }

    /// The submission is sent now.
    pub(crate) fn send(&mut self) {
        self.are_sent = true;
    }

    /// The calls are counted where their results are read, which is now.
    pub(crate) fn close(&mut self) {
        self.calls.clear();
    }

    /// Counts all calls with this error.
    #[cold]
    pub(crate) fn close_as(&mut self, error: &Error) {
        for (accessor, schema) in self.calls.drain(..) {
            count_failed(accessor, schema, error, &Traffic::default());
        }
    }
}

impl Drop for OpenCalls {
    fn drop(&mut self) {
        if self.are_sent {
            for (accessor, schema) in self.calls.drain(..) {
                count(accessor, schema, Outcome::Unknown, &Traffic::default());
            }
        }
    }
}

/// The time of a batch and the number of its calls. It is timed to its end, or until its future is dropped.
pub(crate) struct BatchMetrics {
    started: Option<(Instant, usize)>,
}

impl BatchMetrics {
    pub(crate) fn start(calls: usize) -> Self {
        Self { started: (calls > 0 && is_recorded()).then(|| (Instant::now(), calls)) }
    }

    pub(crate) fn end(self) {
        drop(self);
    }
}

impl Drop for BatchMetrics {
    fn drop(&mut self) {
        if let Some((started, calls)) = self.started {
            handles::batch(started.elapsed(), calls);
        }
    }
}
