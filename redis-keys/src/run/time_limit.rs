//! A limit to how long commands may take.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use super::mutex::{Mutex, MutexGuard};
use super::timer;

/// A limit is this many ticks long, unless these would be too short or too long.
const TICKS: u32 = 8;

const SHORTEST_TICK: Duration = Duration::from_millis(1);

/// A limit that nothing waits for any more stays in memory until its next tick.
const LONGEST_TICK: Duration = Duration::from_secs(1);

/// A time limit that several commands share.
///
/// A timer for each command would cost a third of the command. Here all commands share a timer, which ticks while a
/// command waits. A command fails between seven eighths of the limit and its end.
#[derive(Clone)]
pub(crate) struct TimeLimit(Arc<SharedState>);

struct SharedState {
    limit: Duration,
    tick: Duration,
    /// The age, in ticks, at which a command fails.
    last_tick: u64,
    waiting: Mutex<Waiting>,
}

/// The commands that wait.
#[derive(Default)]
struct Waiting {
    /// The number of ticks so far. They pause while nothing waits.
    now: u64,
    is_ticking: bool,
    tasks: Vec<Option<Task>>,
    free: Vec<usize>,
}

struct Task {
    since: u64,
    waker: Waker,
}

impl TimeLimit {
    pub(crate) fn new(limit: Duration) -> Self {
        let tick = limit.checked_div(TICKS).unwrap_or(limit).clamp(SHORTEST_TICK, LONGEST_TICK);
        let last_tick = limit.as_nanos().div_ceil(tick.as_nanos());
        Self(Arc::new(SharedState {
            limit,
            tick,
            last_tick: u64::try_from(last_tick).unwrap_or(u64::MAX).max(1),
            waiting: Mutex::default(),
        }))
    }

    pub(crate) fn duration(&self) -> Duration {
        self.0.limit
    }

    /// Runs a future for at most this time, and returns `None` if it has no result by then.
    ///
    /// The future is polled before the time begins: if it is ready by then, it needs no timer. It fails only if it was
    /// also polled shortly before: otherwise something has blocked the thread, and the connection with it.
    pub(crate) fn run<'a, F: Future>(&'a self, future: Pin<&'a mut F>) -> LimitedFuture<'a, F> {
        LimitedFuture { shared: &self.0, future, place: None, warned_at: None }
    }
}

/// Runs a future for at most this time, as [`TimeLimit::run`].
#[cfg(any(feature = "cache", feature = "jobs", feature = "lock"))]
pub(crate) async fn within<F: Future>(limit: Duration, future: Pin<&mut F>) -> Option<F::Output> {
    TimeLimit::new(limit).run(future).await
}

/// A future with a time limit: see [`TimeLimit::run`].
pub(crate) struct LimitedFuture<'a, F> {
    shared: &'a Arc<SharedState>,
    future: Pin<&'a mut F>,
    /// The place among the tasks that wait.
    place: Option<usize>,
    /// The time at which it was late and polled nevertheless.
    warned_at: Option<u64>,
}

impl<F: Future> Future for LimitedFuture<'_, F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(output) = self.future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        let shared = self.shared;
        let (mut waiting, waker) = (shared.waiting(), context.waker());
        let Some(place) = self.place else {
            if !waiting.is_ticking {
                waiting.is_ticking = shared.tick_later();
            }
            self.place = Some(waiting.add(waker));
            if shared.last_tick == 1 {
                self.warned_at = Some(waiting.now);
            }
            return Poll::Pending;
        };
        let now = waiting.now;
        let Some(Some(task)) = waiting.tasks.get_mut(place) else { return Poll::Pending };
        if !task.waker.will_wake(waker) {
            task.waker.clone_from(waker);
        }
        let age = now.saturating_sub(task.since);
        if age >= shared.last_tick && self.warned_at.is_some_and(|warned| warned < now) {
            return Poll::Ready(None);
        }
        if shared.is_late(age) && self.warned_at.is_none() {
            self.warned_at = Some(now);
        }
        Poll::Pending
    }
}

impl<F> Drop for LimitedFuture<'_, F> {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.shared.waiting().remove(place);
        }
    }
}

impl SharedState {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a task of this age fails at the next tick.
    fn is_late(&self, age: u64) -> bool {
        age.saturating_add(1) >= self.last_tick
    }

    /// Returns whether there is a next tick: none is beyond the end of time.
    fn tick_later(self: &Arc<Self>) -> bool {
        Instant::now().checked_add(self.tick).is_some_and(|at| timer::wake_at(at, Waker::from(Arc::clone(self))))
    }
}

/// A tick.
impl Wake for SharedState {
    fn wake(self: Arc<Self>) {
        let mut waiting = self.waiting();
        waiting.now = waiting.now.saturating_add(1);
        let now = waiting.now;
        let is_late = |task: &&Task| self.is_late(now.saturating_sub(task.since));
        let late: Vec<_> = waiting.tasks.iter().flatten().filter(is_late).map(|task| task.waker.clone()).collect();
        let is_idle = waiting.tasks.len() == waiting.free.len();
        waiting.is_ticking = !is_idle && self.tick_later();
        drop(waiting);
        late.into_iter().for_each(timer::wake);
    }
}

impl Waiting {
    fn add(&mut self, waker: &Waker) -> usize {
        let task = Some(Task { since: self.now, waker: waker.clone() });
        if let Some(place) = self.free.pop() {
            if let Some(entry) = self.tasks.get_mut(place) {
                *entry = task;
            }
            return place;
        }
        self.tasks.push(task);
        self.tasks.len().saturating_sub(1)
    }

    fn remove(&mut self, place: usize) {
        if let Some(entry) = self.tasks.get_mut(place) {
            *entry = None;
            self.free.push(place);
        }
    }
}

#[cfg(all(test, feature = "aio"))]
mod tests {
    use std::future::{pending, ready};
    use std::pin::pin;
    use std::thread;

    use super::*;

    #[test]
    fn a_future_has_a_result_if_it_is_ready_in_time() {
        // Without a timer.
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for limit in [0, 1, 3, 20].map(Duration::from_millis) {
            let (start, limit) = (Instant::now(), TimeLimit::new(limit));
            assert_eq!(runtime.block_on(limit.run(pin!(pending::<()>()))), None);
            assert!(start.elapsed() >= limit.duration() * 3 / 4, "{:?} of {:?}", start.elapsed(), limit.duration());
            assert_eq!(runtime.block_on(limit.run(pin!(ready(())))), Some(()));
            assert!(limit.0.waiting().tasks.iter().all(Option::is_none));
        }
        let sleeps = pin!(timer::sleep(Duration::from_millis(5)));
        assert_eq!(runtime.block_on(TimeLimit::new(Duration::MAX).run(sleeps)), Some(()));
    }

    struct Panics;

    impl Wake for Panics {
        fn wake(self: Arc<Self>) {
            panic!("the executor has ended");
        }
    }

    #[test]
    fn an_executor_that_has_ended_concerns_no_other() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let limit = TimeLimit::new(Duration::from_millis(20));
        let waker = Waker::from(Arc::new(Panics));
        let mut never = pin!(pending::<()>());
        let mut limited = pin!(limit.run(never.as_mut()));
        assert!(limited.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert!(timer::wake_at(Instant::now(), waker));
        assert_eq!(runtime.block_on(limit.run(pin!(pending::<()>()))), None);
    }

    #[test]
    fn a_long_limit_does_not_stay_in_memory() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for limit in [Duration::from_secs(86_400), Duration::MAX] {
            let limit = TimeLimit::new(limit);
            let shared = Arc::downgrade(&limit.0);
            let sleeps = pin!(timer::sleep(Duration::from_millis(5)));
            assert_eq!(runtime.block_on(limit.run(sleeps)), Some(()));
            drop(limit);
            let start = Instant::now();
            while shared.strong_count() > 0 {
                assert!(start.elapsed() < Duration::from_secs(20), "it waits for its next tick");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    #[test]
    fn many_futures_share_a_limit() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let limit = TimeLimit::new(Duration::from_millis(40));
        runtime.block_on(async {
            let fail =
                futures_util::future::join_all((0..100).map(|_| async { limit.run(pin!(pending::<()>())).await }));
            assert_eq!(fail.await, [None; 100]);
        });
        assert_eq!(limit.0.waiting().free.len(), 100);
    }

    #[test]
    fn a_blocked_thread_takes_no_time_from_a_future() {
        let limit = TimeLimit::new(Duration::from_millis(40));
        let mut context = Context::from_waker(Waker::noop());
        let mut never = pin!(pending::<()>());
        let mut limited = pin!(limit.run(never.as_mut()));
        assert!(limited.as_mut().poll(&mut context).is_pending());
        thread::sleep(limit.duration() * 2);
        assert!(limited.as_mut().poll(&mut context).is_pending(), "the connection may read now");
        thread::sleep(limit.duration());
        assert_eq!(limited.as_mut().poll(&mut context), Poll::Ready(None));
    }
}
