//! What a cache reports to `tracing` and `metrics`: of a key only its template, and of an error only its kind.
//!
//! Without these features nothing of it is compiled.

#![cfg_attr(
    not(all(feature = "metrics", feature = "tracing")),
    allow(unused_variables, reason = "it is only reported")
)]

use std::future::Future;

use super::stats::{Counters, Event};
use crate::{ErrorKind, schema::Schema};

/// The target of spans and events.
#[cfg(feature = "tracing")]
const TARGET: &str = "redis_keys::cache";

/// Reports an event that is counted.
#[inline]
pub(super) fn counted(event: Event, schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    match event {
        Event::Undecodable => {
            tracing::warn!(target: TARGET, template = schema.template, "a stored value cannot be decoded: it is loaded again");
        }
        Event::Unstorable => {
            tracing::warn!(target: TARGET, template = schema.template, "a value cannot be stored: it is too large, or has no stored form");
        }
        _ => {}
    }
}

/// Reports an error with which the server has replied.
pub(super) fn server_error(kind: ErrorKind, schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, template = schema.template, ?kind, "the server replied with an error");
}

/// Reports that a loader failed while the old value was still served: no caller gets this error.
pub(super) fn refresh_failed(schema: &'static Schema) {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, template = schema.template, "a refresh failed: the old value stays until it expires");
}

pub(super) fn breaker_opened() {
    #[cfg(feature = "tracing")]
    tracing::warn!(target: TARGET, "the server does not answer: values are loaded without it");
}

pub(super) fn breaker_closed() {
    #[cfg(feature = "tracing")]
    tracing::info!(target: TARGET, "the server answers again");
}

/// A miss, from the claim to the result.
#[inline]
pub(super) fn miss<F: Future>(schema: &'static Schema, miss: F) -> impl Future<Output = F::Output> {
    #[cfg(feature = "tracing")]
    let miss = {
        use tracing::Instrument as _;
        miss.instrument(tracing::debug_span!(target: TARGET, "cache_miss", template = schema.template))
    };
    miss
}

/// A call of a loader.
#[inline]
pub(super) fn load<'c, F: Future>(
    counters: &'c Counters,
    schema: &'static Schema,
    load: F,
) -> impl Future<Output = F::Output> + use<'c, F> {
    #[cfg(feature = "tracing")]
    let load = {
        use tracing::Instrument as _;
        load.instrument(tracing::debug_span!(target: TARGET, "cache_load", template = schema.template))
    };
    #[cfg(feature = "metrics")]
    let load = async move {
        let started = std::time::Instant::now();
        let result = load.await;
        counters.handles.record(started.elapsed(), schema);
        result
    };
    load
}

/// Runs a task in the span of its caller.
#[inline]
pub(super) fn in_current_span<F: Future>(task: F) -> impl Future<Output = F::Output> {
    #[cfg(feature = "tracing")]
    let task = tracing::Instrument::in_current_span(task);
    task
}
