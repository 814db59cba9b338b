//! The metrics of workers.

use super::stats::EVENTS;
use crate::handles::Family;

/// The counters are in the order of [`Event`](super::stats::Event).
pub(super) static FAMILY: Family<EVENTS> = Family {
    target: "redis_keys::jobs",
    counters: [
        ("redis_keys_jobs_taken_total", "Jobs that were taken."),
        ("redis_keys_jobs_done_total", "Jobs that were done."),
        ("redis_keys_jobs_retried_total", "Jobs that failed, panicked or were given back, and are tried again."),
        ("redis_keys_jobs_died_total", "Jobs that are dead after their last try."),
        ("redis_keys_jobs_buried_total", "Jobs that were buried by a handler, or could not be decoded."),
        ("redis_keys_jobs_undecodable_total", "Jobs that could not be decoded."),
        ("redis_keys_jobs_lost_total", "Jobs whose lease was over, or whose key was gone, before they were done."),
        ("redis_keys_jobs_panicked_total", "Jobs whose handler panicked."),
        ("redis_keys_jobs_errors_total", "Round trips that failed."),
    ],
    seconds: ("redis_keys_jobs_run_seconds", "How long each handler ran."),
};
