//! Calls of accessors: counted, timed and traced, labelled with the template of their declaration.
//!
//! A call is counted where its result is read: a single call in `run::batch::read_first`, a call of a batch where the
//! batch's replies are taken. Until then, the code that runs it holds a [`Call`] or a [`BatchCall`], which measures the
//! time, has the span, and counts a call whose future is dropped.
//!
//! Without the features `metrics` and `tracing`, `no_metrics` and `no_spans` take the places of `metrics` and `spans`: the
//! same types, without content and without effect.

#[cfg(feature = "metrics")]
mod metrics;
#[cfg(not(feature = "metrics"))]
mod no_metrics;
#[cfg(not(feature = "tracing"))]
mod no_spans;
#[cfg(feature = "tracing")]
mod spans;

#[cfg(not(feature = "metrics"))]
use no_metrics as metrics;
#[cfg(not(feature = "tracing"))]
use no_spans as spans;

use self::metrics::{BatchMetrics, CallMetrics};
pub(crate) use self::metrics::{OpenCalls, Traffic, is_recorded, rejected};
use self::spans::Span;
#[cfg(feature = "aio")]
pub(crate) use self::spans::record_server;
use crate::Error;
use crate::accessor::{Accessor, Outcome};
use crate::schema::Schema;

/// A call that is not part of a batch, while it runs.
pub(crate) struct Call {
    pub(crate) metrics: CallMetrics,
    pub(crate) span: Span,
}

impl Call {
    /// Starts a call, if there is a recorder or a subscriber that gets a report.
    #[inline]
    pub(crate) fn start_if_reported(accessor: Accessor, schema: &'static Schema) -> Option<Self> {
        let is_counted = is_recorded();
        (is_counted || Span::are_enabled()).then(|| Self::new(accessor, schema, is_counted))
    }

    /// Starts a call, even if it is not reported.
    pub(crate) fn start(accessor: Accessor, schema: &'static Schema) -> Self {
        Self::new(accessor, schema, is_recorded())
    }

    #[inline]
    fn new(accessor: Accessor, schema: &'static Schema, is_counted: bool) -> Self {
        Self { metrics: CallMetrics::start(accessor, schema, is_counted), span: Span::of_call(accessor, schema) }
    }

    /// Ends the call.
    #[inline]
    pub(crate) fn end<T>(self, result: &Result<T, Error>) {
        self.metrics.end();
        self.span.note(result.as_ref().err());
    }

    /// Ends a call that was run as several commands, and counts it by its result.
    pub(crate) fn end_as<T>(mut self, result: &Result<T, Error>, is_absent: fn(&T) -> bool) {
        match result {
            Ok(result) => self.metrics.settle(if is_absent(result) { Outcome::Absent } else { Outcome::Ok }, None),
            Err(error) => self.metrics.settle_error(error, None),
        }
        self.end(result);
    }
}

/// Runs a future in the span of a call, if there is one.
#[inline]
pub(crate) fn within<F: Future>(call: Option<&Call>, future: F) -> impl Future<Output = F::Output> + use<F> {
    call.map_or_else(Span::none, |call| call.span.clone()).instrument(future)
}

/// Runs a function in the span of a call, if there is one.
#[inline]
pub(crate) fn in_scope<T>(call: Option<&Call>, run: impl FnOnce() -> T) -> T {
    match call {
        Some(call) => call.span.in_scope(run),
        None => run(),
    }
}

/// A batch or an atomic group, while it runs.
pub(crate) struct BatchCall {
    metrics: BatchMetrics,
    pub(crate) span: Span,
}

impl BatchCall {
    /// Starts a batch of this many calls. `operation` is `PIPELINE` or `MULTI`.
    pub(crate) fn start(operation: &'static str, calls: usize) -> Self {
        Self { metrics: BatchMetrics::start(calls), span: Span::of_batch(operation, calls) }
    }

    /// Ends the batch, with its error if it failed as a whole.
    pub(crate) fn end(self, error: Option<&Error>) {
        self.metrics.end();
        self.span.note(error);
    }
}
