//! Sources from which the tests load values.

use std::convert::Infallible;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};

/// The time that a test waits for something that must happen.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A source that counts its loads. Each waits until the test lets it end.
pub(super) struct Source {
    loads: watch::Sender<usize>,
    gate: Semaphore,
}

impl Source {
    /// A source whose loads wait.
    pub(super) fn closed() -> Self {
        Self { loads: watch::Sender::new(0), gate: Semaphore::new(0) }
    }

    /// Returns a source whose loads end immediately.
    pub(super) fn open() -> Self {
        let source = Self::closed();
        source.let_all_end();
        source
    }

    /// Lets all loads end, those to come as well.
    pub(super) fn let_all_end(&self) {
        self.gate.close();
    }

    /// Lets one load end.
    pub(super) fn let_one_end(&self) {
        self.gate.add_permits(1);
    }

    /// Loads a value.
    pub(super) async fn load(&self, value: &str) -> Result<Option<String>, Infallible> {
        self.begin().await;
        Ok(Some(value.to_owned()))
    }

    /// Begins a load, and waits until it may end.
    pub(super) async fn begin(&self) {
        self.loads.send_modify(|loads| *loads += 1);
        if let Ok(permit) = self.gate.acquire().await {
            permit.forget();
        }
    }

    /// Returns the number of loads that have begun.
    pub(super) fn loads(&self) -> usize {
        *self.loads.borrow()
    }

    /// Waits until this many loads have begun.
    pub(super) async fn wait_for_loads(&self, number: usize) {
        let mut loads = self.loads.subscribe();
        let begun = tokio::time::timeout(PATIENCE, loads.wait_for(|loads| *loads >= number)).await;
        assert!(begun.is_ok(), "{} loads, not {number}", self.loads());
    }
}

/// Loads a value immediately.
#[allow(clippy::unused_async, reason = "a loader")]
pub(super) async fn load(value: &str) -> Result<Option<String>, Infallible> {
    Ok(Some(value.to_owned()))
}
