//! Metrics of a call that is not part of a batch.

use std::time::Instant;

use super::{Traffic, count_rejected, outcome_of};
use crate::Error;
use crate::accessor::{Accessor, Outcome};
use crate::counters::handles;
use crate::schema::Schema;

/// The count and the time of a call, while it runs.
pub(crate) struct CallMetrics {
    accessor: Accessor,
    schema: &'static Schema,
    is_counted: bool,
    /// Whether it has to be counted, which happens elsewhere if it is handed over.
    is_open: bool,
    /// The start of a call that is timed, until its time is recorded.
    started: Option<Instant>,
}

impl CallMetrics {
    /// Starts a call, and times one in eight: reading the clock twice costs more than all counting. The calls are drawn
    /// from all calls, whatever their duration, so that a template's samples represent its calls.
    #[inline]
    pub(crate) fn start(accessor: Accessor, schema: &'static Schema, is_counted: bool) -> Self {
        let is_open = is_counted && !accessor.is_step();
        let is_timed = is_open && fastrand::u8(..).is_multiple_of(8);
        Self { accessor, schema, is_counted, is_open, started: is_timed.then(Instant::now) }
    }

    /// The place for the bytes of the command, if they are counted.
    #[inline]
    pub(crate) fn traffic(&self) -> Option<Traffic> {
        self.is_counted.then(Traffic::default)
    }

    /// Counts the call, with its time until now.
    #[inline]
    pub(crate) fn settle(&mut self, outcome: Outcome, traffic: Option<&Traffic>) {
        if self.is_counted {
            self.is_open = false;
            let time = self.started.take().map(|started| started.elapsed());
            let outcome = (!self.accessor.is_step()).then_some(outcome);
            handles::call(self.accessor, self.schema, outcome, time, traffic.map(Traffic::bytes));
        }
    }

    /// Counts a call that failed, with its time until now.
    #[cold]
    pub(crate) fn settle_error(&mut self, error: &Error, traffic: Option<&Traffic>) {
        match outcome_of(error) {
            Outcome::Rejected if self.is_open => {
                self.forget();
                count_rejected(self.accessor, self.schema, error);
            }
            outcome => self.settle(outcome, traffic),
        }
    }

    /// Leaves the count to the submission that sends the command.
    #[cold]
    pub(crate) fn hand_over(&mut self) {
        self.is_open = false;
    }

    /// Leaves the call out of the count.
    pub(crate) fn forget(&mut self) {
        (self.is_open, self.started) = (false, None);
    }

    /// Records the time of a call that was handed over.
    #[inline]
    pub(crate) fn end(self) {
        drop(self);
    }
}

/// A call whose future is dropped, for example by the program's time limit, has an outcome too.
impl Drop for CallMetrics {
    #[inline]
    fn drop(&mut self) {
        let time = self.started.take().map(|started| started.elapsed());
        if self.is_open || time.is_some() {
            let outcome = self.is_open.then_some(Outcome::Unknown);
            handles::call(self.accessor, self.schema, outcome, time, None);
        }
    }
}
