//! Metrics of calls of accessors.

mod batch;
mod call;
mod traffic;

pub(crate) use batch::{BatchMetrics, OpenCalls};
pub(crate) use call::CallMetrics;
pub(crate) use traffic::Traffic;

use crate::accessor::{Accessor, Outcome};
use crate::counters::handles;
pub(crate) use crate::counters::handles::is_recorded;
use crate::schema::Schema;
use crate::{Error, ErrorKind, SendStatus};

/// The outcome of a call that failed.
#[cold]
fn outcome_of(error: &Error) -> Outcome {
    match (error.sent(), error.kind()) {
        (SendStatus::Maybe, _) => Outcome::Unknown,
        (SendStatus::No, ErrorKind::Connection | ErrorKind::Server | ErrorKind::UnexpectedReply)
        | (SendStatus::Yes, _) => Outcome::Failed,
        (SendStatus::No, _) => Outcome::Rejected,
    }
}

/// Counts a call of a batch whose result is known.
#[inline]
fn count(accessor: Accessor, schema: &'static Schema, outcome: Outcome, traffic: &Traffic) {
    let outcome = (!accessor.is_step()).then_some(outcome);
    handles::call(accessor, schema, outcome, None, Some(traffic.bytes()));
}

/// Counts a call of a batch that failed, and a rejected one by the rule that it breaks too.
#[cold]
fn count_failed(accessor: Accessor, schema: &'static Schema, error: &Error, traffic: &Traffic) {
    match outcome_of(error) {
        Outcome::Rejected if !accessor.is_step() => count_rejected(accessor, schema, error),
        outcome => count(accessor, schema, outcome, traffic),
    }
}

/// Counts a rejected call, by the rule that it breaks too.
#[cold]
fn count_rejected(accessor: Accessor, schema: &'static Schema, error: &Error) {
    handles::call(accessor, schema, Some(Outcome::Rejected), None, None);
    let rule = match (error.rule(), error.kind()) {
        (Some(rule), _) => rule.name(),
        (None, ErrorKind::Encode) => "encode",
        (None, ErrorKind::OutOfRange) => "out-of-range",
        (None, ErrorKind::Unsupported) => "unsupported",
        (None, _) => "argument",
    };
    handles::rejected(schema, rule);
}

/// Counts a call that was rejected before anything was sent.
#[cold]
pub(crate) fn rejected(error: &Error) {
    if !error.accessor().is_step() {
        count_rejected(error.accessor(), error.schema(), error);
    }
}
