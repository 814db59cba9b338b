//! The metrics of layers that apply rate limits.

use super::report::EVENTS;
use crate::handles::Family;

/// The counters are in the order of [`Event`](super::report::Event).
pub(super) static FAMILY: Family<EVENTS> = Family {
    target: "redis_keys::limit",
    counters: [
        ("redis_keys_limit_allowed_total", "Requests that were allowed."),
        ("redis_keys_limit_refused_total", "Requests that were refused."),
        ("redis_keys_limit_invalid_keys_total", "Requests whose key has an invalid parameter."),
        ("redis_keys_limit_undecided_total", "Requests without a decision, since the server failed."),
    ],
    seconds: ("redis_keys_limit_decision_seconds", "How long each decision took."),
};
