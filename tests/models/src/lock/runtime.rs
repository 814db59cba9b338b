//! Tasks, and a time that passes when a model says so.

use std::future::{Future, poll_fn};
use std::mem;
use std::ops::Add;
use std::pin::pin;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use loom::thread::{self, JoinHandle};

pub(super) use crate::watch;
use crate::{all_end, block_on};

#[derive(Clone, Default)]
pub(super) struct Handle(Arc<Mutex<Vec<JoinHandle<()>>>>);

/// Ends a task before its next poll.
pub(super) struct AbortHandle(Arc<watch::Sender<bool>>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instant(Duration);

pub(super) struct Elapsed;

#[derive(Default)]
struct Clock {
    /// Read in no step of its own: the reader's next step follows at any time.
    seconds: AtomicU64,
    passed: watch::Sender<()>,
}

loom::lazy_static! {
    static ref CLOCK: Clock = Clock::default();
}

impl Handle {
    pub(super) fn spawn<F: Future + Send + 'static>(&self, task: F) -> AbortHandle {
        let aborted = Arc::new(watch::Sender::new(false));
        let handle = AbortHandle(Arc::clone(&aborted));
        let task = thread::spawn(move || {
            let mut changes = aborted.subscribe();
            block_on(first(changes.wait_for(|is_aborted| *is_aborted), task));
        });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(task);
        handle
    }

    /// Waits for the end of all tasks.
    pub(super) fn all_end(&self) {
        all_end(mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }
}

impl AbortHandle {
    pub(super) fn abort_handle(self) -> Self {
        self
    }

    pub(super) fn abort(&self) {
        self.0.send_replace(true);
    }
}

impl Instant {
    pub(super) fn now() -> Self {
        Self(Duration::from_secs(CLOCK.seconds.load(SeqCst)))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

pub(super) fn pass(seconds: u64) {
    CLOCK.seconds.fetch_add(seconds, SeqCst);
    CLOCK.passed.send_replace(());
}

pub(super) async fn sleep(time: Duration) {
    sleep_until(Instant::now() + time).await;
}

pub(super) async fn sleep_until(time: Instant) {
    _ = CLOCK.passed.subscribe().wait_for(|()| Instant::now() >= time).await;
}

pub(super) async fn timeout_at<F: Future>(time: Instant, future: F) -> Result<F::Output, Elapsed> {
    first(future, sleep_until(time)).await.ok_or(Elapsed)
}

/// Waits for the first of two futures; `None` if the second ends first.
async fn first<F: Future>(first: F, second: impl Future) -> Option<F::Output> {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|context| match first.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => second.as_mut().poll(context).map(|_| None),
    })
    .await
}
