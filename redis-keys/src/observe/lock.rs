//! Counters and events of locks.

use std::future::Future;
use std::time::Duration;

use crate::ErrorKind;
use crate::counters::{Table as _, counters, event, in_span};
use crate::schema::Schema;

counters! {
    "lock", "wait" "The time in which each lock was acquired.";

    Acquired acquired  "Locks that were acquired.";
    TimedOut timed_out "Locks that others held all the time that was allowed for acquiring them."
        => info "a lock was not acquired in time";
    Lost     lost      "Locks that were lost while they were held: removed, or not renewed in time."
        => warn "a lock was lost while it was held";
}

/// Reports on the locks of one declaration.
#[derive(Clone)]
pub(crate) struct Reporter {
    pub(crate) schema: &'static Schema,
}

impl Reporter {
    pub(crate) fn report(&self, counter: Counter) {
        counter.report(self.schema);
    }

    /// Reports that a lock was acquired, after this time.
    pub(crate) fn acquired(&self, waited: Duration) {
        self.report(Counter::Acquired);
        Counter::record(waited, self.schema);
    }

    /// Reports a command that failed and is tried again: no caller gets this error.
    pub(crate) fn failed(&self, kind: ErrorKind) {
        event!(debug, template = self.schema.template, ?kind, "a command failed, and is tried again");
    }

    /// The time from the first attempt to the result.
    pub(crate) fn acquire<F: Future>(&self, acquire: F) -> impl Future<Output = F::Output> + use<F> {
        in_span!(acquire, debug_span, "lock_acquire", template = self.schema.template);
        acquire
    }
}
