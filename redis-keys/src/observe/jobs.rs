//! Counters and events of workers.

use std::fmt::Display;
use std::future::Future;

use crate::ErrorKind;
use crate::counters::{Table as _, counters, event, in_span};
use crate::schema::Schema;

counters! {
    "jobs", "run" "The time that each handler ran.";

    /// The work of a [`Worker`](crate::jobs::Worker) and its clones since it was created.
    pub struct Stats {}

    Taken       taken       "Jobs that were taken.";
    Done        done        "Jobs that were done.";
    Retried     retried     "Jobs that failed, panicked or were given back, and are tried again."
        => debug "a job is tried again";
    /// This includes jobs whose last worker has not reported their end.
    Died        died        "Jobs that are dead after their last try."
        => warn "a job has failed at its last try";
    Buried      buried      "Jobs that were buried by a handler, or could not be decoded.";
    Undecodable undecodable "Jobs that could not be decoded."
        => warn "a job cannot be decoded: it is buried";
    Lost        lost        "Jobs whose lease was over, or whose key was gone, before they were done."
        => warn "a job was lost before it was done: it can be done twice";
    Panicked    panicked    "Jobs whose handler panicked." => error "the handler of a job panicked";
    /// The connection was lost, there was no reply in time, or the reply was an error.
    Error       errors      "Round trips that failed.";
}

/// Reports jobs that have become dead while jobs were taken: the programs that had them have not reported their end.
pub(crate) fn died(number: u64, schema: &'static Schema) {
    event!(warn, template = schema.template, number, "jobs are dead: no try came to an end");
}

/// Reports the first of several failures.
pub(crate) fn failed(kind: ErrorKind, schema: &'static Schema) {
    event!(warn, template = schema.template, ?kind, "the worker cannot use the queue: it tries again");
}

pub(crate) fn recovered(schema: &'static Schema) {
    event!(info, template = schema.template, "the worker can use the queue again");
}

/// The run of a handler.
pub(crate) fn run<F: Future, I: Display>(
    schema: &'static Schema,
    id: I,
    run: F,
) -> impl Future<Output = F::Output> + use<F, I> {
    in_span!(run, info_span, "job", template = schema.template, %id);
    Counter::timed(schema, run)
}
