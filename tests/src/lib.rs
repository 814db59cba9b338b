//! Shared code of the integration tests: private servers, and functions that run a test on every kind of connection.

#![allow(clippy::expect_used, clippy::panic, reason = "a test cannot continue when these fail")]
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc, reason = "helpers panic when a test fails")]

use std::thread::sleep;
use std::time::{Duration, Instant};

mod child;
mod connection;
pub mod corpus;
mod errors;
mod every;
mod exposition;
mod fake_server;
mod sentinel;
mod signals;
mod slots;
mod soak;
mod stopped_server;
mod user;

pub use child::Child;
pub use connection::Con;
pub use errors::Errors;
pub use every::{everywhere, on_a_cluster, on_every_connection, shared_cluster};
pub use exposition::{Family, Labels, read_exposition};
pub use fake_server::{FakeServer, Garbage, forward};
pub use sentinel::Sentinel;
pub use signals::Signals;
pub use slots::{MovingSlot, fail_over, join};
pub use soak::{ClusterReport, ClusterSoak, move_slots};
pub use stopped_server::StoppedServer;

/// Returns the seed of a test's random numbers: `$REDIS_KEYS_SEED`, or 1. A test that fails shows it.
pub fn seed() -> u64 {
    let text = std::env::var("REDIS_KEYS_SEED").unwrap_or_else(|_| "1".to_owned());
    println!("REDIS_KEYS_SEED={text}");
    text.parse().expect("REDIS_KEYS_SEED is a number")
}

/// Waits until a condition holds, for at most a minute. `what` describes it.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "not true after a minute: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Waits in asynchronous code until a condition holds, for at most a minute. `what` describes it.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "not true after a minute: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
