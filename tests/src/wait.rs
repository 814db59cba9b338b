//! Waiting for what another process does.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits until something is so: ten seconds and more on a machine at its limits.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "not so after a minute: {what}");
        sleep(Duration::from_millis(5));
    }
}
