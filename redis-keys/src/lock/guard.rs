//! `Guard`: a held lock, which is renewed.

use std::fmt;
use std::sync::Arc;

use super::hold::Hold;
use super::holder::{Holder, Release};
use super::runtime::{AbortHandle, Handle, Instant, sleep, sleep_until, timeout_at};
use crate::{Error, SharedConnection};

/// A held lock, as returned by [`Locks::acquire`](super::Locks::acquire).
///
/// A task renews the lock each time a third of its `ttl` has passed. Dropping the guard releases the lock in a task; if
/// the runtime is gone by then, the lock expires.
///
/// Give the guard a name: `let _guard = …` holds the lock until the end of the block, while `let _ = …` drops the guard
/// immediately. With `#![warn(let_underscore_drop)]` the compiler reports that.
///
/// You can lose the lock, for example because the server was unreachable, your program was stopped, or the key was
/// removed. From then on, no renewal and no release is sent. If your work takes longer than a moment, stop it when the
/// lock is lost:
///
/// ```no_run
/// # use redis_keys::lock::Guard;
/// # async fn report(fence: u64) -> u64 { fence }
/// # async fn example(guard: Guard) -> Option<u64> {
/// tokio::select! {
///     report = report(guard.fence()) => Some(report),
///     () = guard.lost() => None,
/// }
/// # }
/// ```
#[must_use = "the lock is released when the guard is dropped: write `let _guard = …`, since `let _ = …` drops it at once"]
pub struct Guard {
    fence: u64,
    holder: Arc<dyn Release>,
    hold: Arc<Hold>,
    /// The runtime in which the lock was acquired.
    runtime: Handle,
    renewals: AbortHandle,
    is_released: bool,
}

impl Guard {
    /// Holds a lock, given the time at which its acquisition was sent.
    pub(super) fn new<C: SharedConnection>(holder: Arc<Holder<C>>, fence: u64, sent: Instant, runtime: Handle) -> Self {
        let hold = Arc::new(Hold::new(sent + holder.ttl(), holder.reporter.clone()));
        let renewals = runtime.spawn(renew(Arc::clone(&holder), Arc::clone(&hold), sent)).abort_handle();
        Self { fence, holder, hold, runtime, renewals, is_released: false }
    }

    /// Returns the fence: a number that is larger than every earlier holder's number.
    ///
    /// Have the protected resource store the largest fence that it has seen, and refuse smaller numbers.
    pub fn fence(&self) -> u64 {
        self.fence
    }

    /// Returns whether the lock is still held, by this process's clock. A lost lock stays lost.
    ///
    /// The `ttl` counts from before the acquisition or the last successful renewal was sent. The clock does not count
    /// the time for which a whole machine is suspended, and you act on the result a moment later. So only the
    /// [`fence`](Self::fence) is safe.
    pub fn is_held(&self) -> bool {
        self.hold.until().is_some()
    }

    /// Waits until the lock is lost, or forever if it is not lost.
    ///
    /// A removal of the key is noticed at the next renewal; a server that does not answer is noticed when the `ttl`
    /// ends. You can call it again, also after dropping its future.
    pub async fn lost(&self) {
        self.hold.lost().await;
    }

    /// Releases the lock, and returns whether it was held until then.
    ///
    /// `false` means that others may have held the lock before, so anything that the fence does not protect may have
    /// gone wrong.
    ///
    /// # Errors
    ///
    /// If the server does not answer, or refuses the release. A task then keeps trying until the lock expires.
    pub async fn release(mut self) -> Result<bool, Error> {
        self.renewals.abort();
        if !self.is_held() {
            return Ok(false);
        }
        let was_held = self.holder.release().await?;
        if !was_held {
            self.hold.lose();
        }
        self.is_released = true;
        Ok(was_held)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.renewals.abort();
        if self.is_released {
            return;
        }
        if let Some(until) = self.hold.until() {
            Arc::clone(&self.holder).release_in_background(&self.runtime, until);
        }
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("template", &self.holder.schema().template)
            .field("fence", &self.fence)
            .field("is_held", &self.is_held())
            .finish_non_exhaustive()
    }
}

/// Renews a lock until it is lost, given the time at which it was acquired.
async fn renew<C: SharedConnection>(holder: Arc<Holder<C>>, hold: Arc<Hold>, mut sent: Instant) {
    while let Some(until) = hold.until() {
        sleep_until(sent + holder.ttl() / 3).await;
        match timeout_at(until, renew_once(&holder, &hold)).await {
            Ok(Some(renewed)) => sent = renewed,
            Ok(None) | Err(_) => hold.lose(),
        }
    }
}

/// Tries to renew a lock. Returns when the successful attempt was sent, or `None` if the lock is lost.
async fn renew_once<C: SharedConnection>(holder: &Holder<C>, hold: &Hold) -> Option<Instant> {
    loop {
        let sent = Instant::now();
        match holder.renew().await {
            Ok(true) => return hold.extend(sent + holder.ttl()).then_some(sent),
            Ok(false) => return None,
            Err(error) => holder.reporter.failed(error.kind()),
        }
        sleep(holder.pause()).await;
    }
}
