//! Moves thresholds.

use std::cell::Cell;

thread_local!(static MOVED: Cell<(&'static str, u64)> = const { Cell::new(("", 0)) });

/// The value of a threshold, which is this one unless it is moved.
pub(in crate::operate::infer) fn value(name: &str, value: u64) -> u64 {
    let (moved, to) = MOVED.get();
    if name == moved { to } else { value }
}

/// Runs something with another value of a threshold.
pub(super) fn with<T>(name: &'static str, value: u64, run: impl FnOnce() -> T) -> T {
    MOVED.set((name, value));
    let result = run();
    MOVED.set(("", 0));
    result
}
