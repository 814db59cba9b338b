//! Writes of this process: once one has returned, no copy of what was there before is served.
//!
//! A copy goes when the reply is read, and not before: a read that begins after the reply sees the new value, and one
//! that began before it loses its ticket.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::NearCopies;

/// The copies of all caches of the process.
static CACHES: Mutex<Vec<Weak<NearCopies>>> = Mutex::new(Vec::new());

/// Adds the copies of a cache.
pub(super) fn register(copies: &Arc<NearCopies>) {
    let mut caches = lock();
    caches.retain(|cache| cache.strong_count() > 0);
    caches.push(Arc::downgrade(copies));
}

/// Forgets the copies of a key in all caches of the process.
pub(in crate::cache) fn forget(key: &[u8]) {
    // Dropping the last reference to a cache must not find the list locked.
    let caches: Vec<_> = lock().iter().filter_map(Weak::upgrade).collect();
    for cache in caches {
        cache.forget(key);
    }
}

fn lock() -> MutexGuard<'static, Vec<Weak<NearCopies>>> {
    CACHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets the copies of a key when a write of it ends, however that is.
pub(in crate::cache) struct ForgetOnDrop<'t>(pub(in crate::cache) &'t [u8]);

impl Drop for ForgetOnDrop<'_> {
    fn drop(&mut self) {
        forget(self.0);
    }
}
