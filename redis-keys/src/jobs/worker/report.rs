//! What a worker reports to `tracing` and `metrics`: of a queue only its template, of a job only its id, and of an error only its
//! kind.
//!
//! Without these features nothing of it is compiled.

#![cfg_attr(
    not(all(feature = "metrics", feature = "tracing")),
    allow(unused_variables, clippy::needless_pass_by_value, reason = "it is only reported")
)]

use std::{future::Future, sync::Arc};

use super::{Shared, stats::Event};
use crate::{
    ErrorKind,
    jobs::{JobId, JobKey},
    schema::Schema,
};

/// The target of spans and events.
#[cfg(feature = "tracing")]
const TARGET: &str = "redis_keys::jobs";

/// Reports jobs that have become dead while jobs were taken: the programs that had them have not said what became of them.
pub(super) fn died(number: u64, schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, template = schema.template, number, "jobs are dead: no try came to an end");
}

/// Reports what has happened to a job.
pub(super) fn job(event: Event, id: JobId, schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    {
        let template = schema.template;
        match event {
            Event::Retried => tracing::debug!(target: TARGET, template, %id, "a job is tried again"),
            Event::Died => tracing::warn!(target: TARGET, template, %id, "a job has failed at its last try"),
            Event::Undecodable => {
                tracing::warn!(target: TARGET, template, %id, "a job cannot be decoded: it is buried");
            }
            Event::Lost => {
                tracing::warn!(target: TARGET, template, %id, "a job was lost before it was done: it can be done twice");
            }
            Event::Panicked => tracing::error!(target: TARGET, template, %id, "the handler of a job panicked"),
            _ => {}
        }
    }
}

/// Reports the first of several failures.
pub(super) fn failed(kind: ErrorKind, schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, template = schema.template, ?kind, "the worker cannot use the queue: it tries again");
}

pub(super) fn recovered(schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    tracing::info!(target: TARGET, template = schema.template, "the worker can use the queue again");
}

/// The run of a handler.
pub(super) fn run<K: JobKey, F: Future>(
    shared: Arc<Shared<K>>,
    id: JobId,
    run: F,
) -> impl Future<Output = F::Output> + use<K, F> {
    #[cfg(feature = "tracing")]
    let run = {
        use tracing::Instrument as _;
        run.instrument(tracing::info_span!(target: TARGET, "job", template = K::SCHEMA.template, %id))
    };
    #[cfg(feature = "metrics")]
    let run = async move {
        let started = std::time::Instant::now();
        let result = run.await;
        shared.counters.handles.record(started.elapsed(), K::SCHEMA);
        result
    };
    run
}
