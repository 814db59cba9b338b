//! Waiting between attempts of which other clients made the last one fail.
//!
//! The waits are random and become longer, so that clients that compete for a key get out of each other's way. They are measured
//! in the time that an attempt takes, which is the time in which another client can come first.

use std::{
    thread,
    time::{Duration, Instant},
};

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

/// A timer that needs no runtime: one thread, which the first wait starts.
#[cfg(feature = "aio")]
mod timer {
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

    pub(super) async fn sleep(time: Duration) {
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
}
