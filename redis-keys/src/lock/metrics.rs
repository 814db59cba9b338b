//! The metrics of locks.

use super::report::EVENTS;
use crate::handles::Family;

/// The counters are in the order of [`Event`](super::report::Event).
pub(super) static FAMILY: Family<EVENTS> = Family {
    target: "redis_keys::lock",
    counters: [
        ("redis_keys_lock_acquired_total", "Locks that were acquired."),
        ("redis_keys_lock_timed_out_total", "Locks that others held all the time that was allowed for acquiring them."),
        ("redis_keys_lock_lost_total", "Locks that were lost while they were held: removed, or not renewed in time."),
    ],
    seconds: ("redis_keys_lock_wait_seconds", "How long it took to acquire each lock."),
};
