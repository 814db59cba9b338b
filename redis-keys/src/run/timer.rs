//! Waiting in asynchronous code, on any runtime: tokio's own timer would panic on others.
//!
//! One thread, which the first wait starts, wakes the tasks.

use std::{
    future::poll_fn,
    sync::{
        LazyLock,
        mpsc::{Receiver, Sender, channel},
    },
    task::{Poll, Waker},
    thread,
    time::{Duration, Instant},
};

/// A task to wake at some time.
type Sleeper = (Instant, Waker);

static SLEEPERS: LazyLock<Sender<Sleeper>> = LazyLock::new(|| {
    let (sender, sleepers) = channel();
    // Without a thread the channel is closed, and nobody waits.
    let _ = thread::Builder::new().name("redis-keys-timer".to_owned()).spawn(move || wake_all(&sleepers));
    sender
});

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
        if SLEEPERS.send((end, waker.clone())).is_ok() { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

/// Wakes each task at its time.
fn wake_all(new: &Receiver<Sleeper>) {
    let mut sleepers: Vec<Sleeper> = Vec::new();
    loop {
        let received = match sleepers.iter().map(|(end, _)| *end).min() {
            Some(end) => new.recv_timeout(end.saturating_duration_since(Instant::now())).ok(),
            None => new.recv().ok(),
        };
        sleepers.extend(received);
        let now = Instant::now();
        let (due, later): (Vec<_>, Vec<_>) = sleepers.into_iter().partition(|(end, _)| *end <= now);
        for (_, waker) in due {
            waker.wake();
        }
        sleepers = later;
    }
}
