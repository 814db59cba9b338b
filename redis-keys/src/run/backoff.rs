//! Waiting between attempts of which other clients made the last one fail.
//!
//! The waits are random and become longer, so that clients that compete for a key get out of each other's way. They are measured
//! in the time that an attempt takes, which is the time in which another client can come first.

use std::{
    thread,
    time::{Duration, Instant},
};

#[cfg(feature = "aio")]
use super::timer;
use crate::schema::entropy;

/// The longest wait.
const LONGEST: Duration = Duration::from_secs(1);

/// The longest wait in lengths of an attempt, as a power of two.
const MOST_DOUBLINGS: u32 = 10;

/// The waits of one operation.
pub(crate) struct Backoff {
    doublings: u32,
    /// When the current attempt has started.
    started: Instant,
}

impl Backoff {
    /// Starts the first attempt.
    pub(crate) fn new() -> Self {
        Self { doublings: 0, started: Instant::now() }
    }

    /// How long to wait after the current attempt: up to twice its length, then up to four times, and so on.
    fn draw(&mut self) -> Duration {
        self.doublings = self.doublings.saturating_add(1).min(MOST_DOUBLINGS);
        let longest = self.started.elapsed().saturating_mul(1 << self.doublings).min(LONGEST);
        Duration::from_nanos(entropy::up_to(u64::try_from(longest.as_nanos()).unwrap_or_default()))
    }

    /// Waits, and starts the next attempt.
    pub(crate) fn wait(&mut self) {
        thread::sleep(self.draw());
        self.started = Instant::now();
    }

    /// Waits, and starts the next attempt.
    #[cfg(feature = "aio")]
    pub(crate) async fn wait_async(&mut self) {
        timer::sleep(self.draw()).await;
        self.started = Instant::now();
    }
}
