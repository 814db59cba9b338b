//! Counters and events of caches.

use std::future::Future;

use super::near::Stats as NearStats;
use crate::ErrorKind;
use crate::counters::{Table as _, counters, event, in_span};
use crate::schema::Schema;

counters! {
    "cache", "load" "The time that each call of a loader took.";

    /// The work of a [`Cache`](crate::cache::Cache) and its clones since it was created.
    pub struct Stats {
        /// Whether nothing is sent to the server at the moment, after five commands in a row without a reply.
        breaker_is_open: bool,
        /// The work of the near copies, for keys with `near`.
        near: NearStats
    }

    Hit         hits          "Values that were found in Redis.";
    AbsentHit   absent_hits   "Markers found in Redis: it is known that there is no value.";
    /// A load has failed, and `stale` has not passed.
    Stale       stale_hits    "Expired values that were returned, since their loader fails.";
    /// The template's keys are often missing, so that a miss takes two round trips instead of three.
    ClaimFirst  claims_first  "Calls that claimed a key before they had read it.";
    Load        loads         "Keys for which a loader was called, refreshes included.";
    FailedLoad  failed_loads  "Keys whose loader failed.";
    Shared      shared        "Calls that got the result of another call of this process.";
    Refresh     refreshes     "Loads that began before the old value expired.";
    /// It was written or removed, or the load took longer than `lease`.
    Overtaken   overtaken     "Results not stored, since the key had changed meanwhile.";
    /// They are larger than `max_bytes`, or not representable in their stored form.
    Unstorable  unstorable    "Values that are too large, or have no stored form."
        => warn "a value cannot be stored: it is too large, or has no stored form";
    /// They are loaded again.
    Undecodable undecodable   "Stored values that could not be decoded."
        => warn "a stored value cannot be decoded: it is loaded again";
    ServerError server_errors "Errors with which the server has replied.";
    /// The connection was lost, or the time limit over.
    Unanswered  unanswered    "Commands without a reply.";
}

/// Reports an error reply of the server.
pub(crate) fn server_error(kind: ErrorKind, schema: &'static Schema) {
    event!(warn, template = schema.template, ?kind, "the server replied with an error");
}

/// Reports that a loader failed while the old value was still served: no caller gets this error.
pub(crate) fn refresh_failed(schema: &'static Schema) {
    event!(warn, template = schema.template, "a refresh failed: the old value stays until it expires");
}

/// Reports that a loader failed, and that its expired value is returned: no caller gets this error.
pub(crate) fn stale_returned(schema: &'static Schema) {
    event!(warn, template = schema.template, "a load failed: the expired value is returned");
}

pub(crate) fn breaker_opened() {
    event!(warn, "the server does not answer: values are loaded without it");
}

pub(crate) fn breaker_closed() {
    event!(info, "the server answers again");
}

/// A miss, from the claim to the result.
#[inline]
pub(crate) fn miss<F: Future>(schema: &'static Schema, miss: F) -> impl Future<Output = F::Output> {
    in_span!(miss, debug_span, "cache_miss", template = schema.template);
    miss
}

/// A call of a loader.
#[inline]
pub(crate) fn load<F: Future>(schema: &'static Schema, load: F) -> impl Future<Output = F::Output> {
    in_span!(load, debug_span, "cache_load", template = schema.template);
    Counter::timed(schema, load)
}

/// Runs a task in the span of its caller.
#[inline]
pub(crate) fn in_current_span<F: Future>(task: F) -> impl Future<Output = F::Output> {
    #[cfg(feature = "tracing")]
    let task = tracing::Instrument::in_current_span(task);
    task
}
