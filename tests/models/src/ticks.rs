//! The ticks of a time limit: each command without an answer fails, and none fails early, although it shares the ticks of
//! other commands.
//!
//! The timer is a thread: any time can pass before a tick.

#![allow(dead_code, reason = "a model needs a part of each file")]

mod mutex {
    pub(super) use loom::sync::{Mutex, MutexGuard};
}
#[path = "../../../redis-keys/src/run/time_limit.rs"]
mod time_limit;
mod timer {
    use std::task::Waker;
    use std::time::Instant;

    pub(super) fn wake_at(_: Instant, waker: Waker) -> bool {
        super::TIMER.next.send_if_modified(|next| {
            assert!(next.tick.replace(waker).is_none(), "two ticks are due");
            true
        })
    }

    pub(super) fn wake(waker: Waker) {
        waker.wake();
    }
}

use std::future::pending;
use std::pin::pin;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::task::Waker;
use std::time::Duration;

use loom::thread;

use self::time_limit::TimeLimit;
use crate::watch::Sender;
use crate::{all_end, block_on, model, reply};

#[derive(Default)]
struct Timer {
    next: Sender<Next>,
    /// Counts of ticks, which change in no step of their own.
    begun: AtomicU64,
    ended: AtomicU64,
}

#[derive(Default)]
struct Next {
    tick: Option<Waker>,
    is_over: bool,
}

loom::lazy_static! {
    static ref TIMER: Timer = Timer::default();
}

/// The shortest tick is a millisecond.
fn new_limit(ticks: u64) -> TimeLimit {
    TimeLimit::new(Duration::from_millis(ticks))
}

/// Ticks until no tick is due any more.
fn run_timer() {
    while let Some(tick) = block_on(next_tick()) {
        TIMER.begun.fetch_add(1, SeqCst);
        tick.wake();
        TIMER.ended.fetch_add(1, SeqCst);
        thread::yield_now();
    }
}

async fn next_tick() -> Option<Waker> {
    let (mut changes, mut tick) = (TIMER.next.subscribe(), None);
    let mut take = |next: &mut Next| {
        tick = next.tick.take();
        tick.is_some() || next.is_over
    };
    while !TIMER.next.send_if_modified(&mut take) {
        _ = changes.changed().await;
    }
    tick
}

/// Runs commands beside the timer, until nothing waits for a tick.
fn with_timer(run: impl FnOnce()) {
    let timer = thread::spawn(run_timer);
    run();
    TIMER.next.send_if_modified(|next| {
        next.is_over = true;
        true
    });
    all_end([timer]);
}

fn succeed(limit: &TimeLimit) {
    assert_eq!(block_on(limit.run(pin!(reply()))), Some(()));
}

fn fail(limit: &TimeLimit) {
    let ended = TIMER.ended.load(SeqCst);
    assert_eq!(block_on(limit.run(pin!(pending::<()>()))), None);
    let ticks = TIMER.begun.load(SeqCst) - ended;
    assert!(u128::from(ticks) >= limit.duration().as_millis(), "it has failed at tick {ticks}");
}

#[test]
fn a_command_does_not_fail_before_its_last_tick() {
    model(3, || {
        let limit = new_limit(2);
        with_timer(|| {
            succeed(&limit);
            fail(&limit);
        });
    });
}

#[test]
fn a_command_without_an_answer_fails_whenever_another_ends() {
    model(2, || {
        let limit = new_limit(1);
        with_timer(|| {
            let other = limit.clone();
            let other = thread::spawn(move || succeed(&other));
            fail(&limit);
            all_end([other]);
        });
    });
}
