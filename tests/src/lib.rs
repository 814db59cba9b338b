//! What the integration tests share: a private server for each test, and one body that runs on every kind of connection.

#![allow(clippy::expect_used, clippy::panic, reason = "a test cannot continue when these fail")]
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc, reason = "helpers panic when a test fails")]

use std::thread::sleep;
use std::time::{Duration, Instant};

mod child;
mod connection;
mod errors;
mod every;
mod sentinel;
mod slots;

pub use child::Child;
pub use connection::Con;
pub use errors::Errors;
pub use every::{everywhere, on_a_cluster, on_every_connection, shared_cluster};
pub use sentinel::Sentinel;
pub use slots::{MovingSlot, fail_over, join};

/// Waits until something is so: ten seconds and more on a machine at its limits.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "not so after a minute: {what}");
        sleep(Duration::from_millis(5));
    }
}
