//! Calls that wait until a key changes, because another program loads it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use super::sync::{Mutex, MutexGuard, Notify};

type ByKey = HashMap<Box<[u8]>, Vec<Arc<Notify>>>;

#[derive(Clone, Default)]
pub(crate) struct Waiters {
    by_key: Arc<Mutex<ByKey>>,
}

/// A call that waits for a key's changes.
pub(crate) struct Waiter {
    waiters: Waiters,
    key: Box<[u8]>,
    notify: Arc<Notify>,
}

impl Waiters {
    pub(crate) fn wait_for(&self, key: &[u8]) -> Waiter {
        let notify = Arc::new(Notify::new());
        self.lock().entry(key.into()).or_default().push(Arc::clone(&notify));
        Waiter { waiters: self.clone(), key: key.into(), notify }
    }

    /// Wakes the calls that wait for a key.
    pub(crate) fn wake(&self, key: &[u8]) {
        self.lock().get(key).into_iter().flatten().for_each(|waiting| waiting.notify_one());
    }

    /// Wakes all calls: any key may have changed.
    pub(crate) fn wake_all(&self) {
        self.lock().values().flatten().for_each(|waiting| waiting.notify_one());
    }

    fn lock(&self) -> MutexGuard<'_, ByKey> {
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    /// Waits for the next change, or returns immediately if there was a change since the last call.
    pub(crate) async fn changed(&self) {
        self.notify.notified().await;
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut by_key = self.waiters.lock();
        if let Some(waiting) = by_key.get_mut(&self.key) {
            waiting.retain(|waiting| !Arc::ptr_eq(waiting, &self.notify));
            if waiting.is_empty() {
                by_key.remove(&self.key);
            }
        }
    }
}

#[cfg(all(test, feature = "cache"))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_change_is_not_lost_before_the_call_waits_for_it() {
        let waiters = Waiters::default();
        let (one, same, other) = (waiters.wait_for(b"1"), waiters.wait_for(b"1"), waiters.wait_for(b"2"));
        waiters.wake(b"1");
        one.changed().await;
        same.changed().await;
        let waits =
            async |waiter: &Waiter| tokio::time::timeout(Duration::from_millis(20), waiter.changed()).await.is_err();
        assert!(waits(&one).await && waits(&other).await);
        waiters.wake_all();
        other.changed().await;
        drop((one, other));
        waiters.wake(b"1");
        same.changed().await;
        drop(same);
        assert!(waiters.lock().is_empty());
    }
}
