//! Waiting in asynchronous code, on any runtime: tokio's own timer would panic on others.
//!
//! One thread, which the first wait starts, wakes the tasks.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::panic::{self, AssertUnwindSafe};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// A task to wake at some time.
type Sleeper = (Instant, Waker);

static SLEEPERS: LazyLock<Sender<Sleeper>> = LazyLock::new(|| {
    let (sender, sleepers) = channel();
    // Without a thread the channel is closed, and no task waits.
    let _ = thread::Builder::new().name("redis-keys-timer".to_owned()).spawn(move || wake_all(&sleepers));
    sender
});

/// Wakes a task at some time. Returns `false` if nothing will.
pub(crate) fn wake_at(time: Instant, waker: Waker) -> bool {
    SLEEPERS.send((time, waker)).is_ok()
}

/// Wakes a task. The waker of an executor that has ended can panic, which must not keep the others asleep.
pub(crate) fn wake(waker: Waker) {
    _ = panic::catch_unwind(AssertUnwindSafe(|| waker.wake()));
}

/// Waits at least this long.
pub(crate) async fn sleep(time: Duration) {
    let now = Instant::now();
    let end = now.checked_add(time).unwrap_or(now);
    let mut registered: Option<Waker> = None;
    poll_fn(move |context| {
        if Instant::now() >= end {
            return Poll::Ready(());
        }
        let waker = context.waker();
        if registered.as_ref().is_some_and(|registered| registered.will_wake(waker)) {
            return Poll::Pending;
        }
        registered = Some(waker.clone());
        if wake_at(end, waker.clone()) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

/// Wakes each task at its time.
fn wake_all(new: &Receiver<Sleeper>) {
    let mut sleepers: BTreeMap<(Instant, u64), Waker> = BTreeMap::new();
    for number in 0.. {
        let received = match sleepers.first_key_value() {
            Some(((end, _), _)) => new.recv_timeout(end.saturating_duration_since(Instant::now())).ok(),
            None => new.recv().ok(),
        };
        sleepers.extend(received.map(|(end, waker)| ((end, number), waker)));
        let now = Instant::now();
        while let Some(sleeper) = sleepers.first_entry().filter(|sleeper| sleeper.key().0 <= now) {
            wake(sleeper.remove());
        }
    }
}
