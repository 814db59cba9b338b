//! The time until which a lock is certainly held, by this process's clock.

use super::runtime::{Instant, timeout_at, watch};
use crate::observe::lock::{Counter, Reporter};

/// The state that a guard shares with the task that renews its lock. A lost lock stays lost.
pub(super) struct Hold {
    /// The time before which no other client can have the lock, counted from before a command was sent.
    ///
    /// It is `None` once the lock is lost.
    until: watch::Sender<Option<Instant>>,
    reporter: Reporter,
}

impl Hold {
    pub(super) fn new(until: Instant, reporter: Reporter) -> Self {
        Self { until: watch::Sender::new(Some(until)), reporter }
    }

    /// Returns the time until which the lock is held without a renewal, or `None` if it is lost.
    pub(super) fn until(&self) -> Option<Instant> {
        let until = (*self.until.borrow())?;
        if Instant::now() < until { Some(until) } else { self.update(Some) }
    }

    /// Records a renewal, and returns whether it came in time.
    pub(super) fn extend(&self, until: Instant) -> bool {
        self.update(|_| Some(until)).is_some()
    }

    /// Records that the lock is lost.
    pub(super) fn lose(&self) {
        self.update(|_| None);
    }

    /// Waits until the lock is lost.
    pub(super) async fn lost(&self) {
        let mut losses = self.until.subscribe();
        while let Some(until) = self.until() {
            _ = timeout_at(until, losses.changed()).await;
        }
    }

    /// Changes the time until which the lock is held, unless that time has passed. Waiting tasks are woken only by a loss.
    fn update(&self, change: impl FnOnce(Instant) -> Option<Instant>) -> Option<Instant> {
        let mut updated = None;
        let is_loss = self.until.send_if_modified(|until| {
            let was_held = until.is_some();
            updated = until.filter(|until| Instant::now() < *until).and_then(change);
            *until = updated;
            was_held && updated.is_none()
        });
        if is_loss {
            self.reporter.report(Counter::Lost);
        }
        updated
    }
}

#[cfg(all(test, feature = "lock"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::RedisKey as _;

    #[derive(crate::RedisKey)]
    #[redis_key(lock:hold:{id}:string, lock, ttl = 30s, crate = crate)]
    struct OrderLock {
        id: u32,
    }

    const SECOND: Duration = Duration::from_secs(1);

    /// A millisecond less.
    const ALMOST: Duration = Duration::from_millis(999);

    fn hold() -> Hold {
        Hold::new(Instant::now() + SECOND, Reporter { schema: OrderLock::SCHEMA })
    }

    fn is_held(hold: &Hold) -> bool {
        hold.until().is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn it_is_held_until_its_time_and_then_lost_for_good() {
        let (hold, not_renewed) = (hold(), hold());
        tokio::time::advance(ALMOST).await;
        assert!(is_held(&not_renewed) && is_held(&hold) && hold.extend(Instant::now() + SECOND));
        tokio::time::advance(ALMOST).await;
        assert!(is_held(&hold) && !is_held(&not_renewed));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!hold.extend(Instant::now() + SECOND), "the renewal came late");
        assert!(!is_held(&hold) && !hold.extend(Instant::now() + SECOND));
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_a_loss_waits_through_all_renewals() {
        let hold = hold();
        let started = Instant::now();
        let renewals = async {
            for _ in 0..5 {
                tokio::time::sleep(SECOND / 2).await;
                assert!(hold.extend(Instant::now() + SECOND));
            }
        };
        tokio::join!(hold.lost(), renewals);
        assert_eq!(started.elapsed().as_millis(), 3_500);
        hold.lost().await;
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_a_loss_notices_it_at_once() {
        let hold = hold();
        let started = Instant::now();
        let loss = async {
            tokio::time::sleep(SECOND / 4).await;
            hold.lose();
        };
        tokio::join!(hold.lost(), hold.lost(), loss);
        assert_eq!(started.elapsed().as_millis(), 250);
        assert!(!is_held(&hold) && !hold.extend(Instant::now() + SECOND));
    }
}
