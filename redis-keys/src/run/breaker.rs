//! Working without a server that does not answer.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

/// The number of faults in a row after which nothing is sent any more.
const MOST_FAULTS: u32 = 5;

/// The interval at which one call tries the server again.
const PROBE_EVERY: Duration = Duration::from_secs(1);

/// Counts the faults of a server: a step that got no answer. An error is an answer.
///
/// A lost connection fails all steps in flight, and a slow server fails all steps that began together. Either is one
/// fault: a step counts only if no other step has counted since it began.
pub(crate) struct Breaker {
    /// The faults since the last answer.
    faults: AtomicU32,
    /// The time of the next call that may try the server, in milliseconds since `created`.
    next_probe: AtomicU64,
    created: Instant,
}

impl Default for Breaker {
    fn default() -> Self {
        Self { faults: AtomicU32::new(0), next_probe: AtomicU64::new(0), created: Instant::now() }
    }
}

/// A step that may be sent: the number of faults at its start.
#[derive(Clone, Copy)]
pub(crate) struct Attempt(u32);

impl Breaker {
    /// Begins a step, if it may send anything. While the breaker is open, one step a second may.
    #[inline]
    pub(crate) fn begin(&self) -> Option<Attempt> {
        let faults = self.faults.load(Relaxed);
        (faults < MOST_FAULTS || self.probes()).then_some(Attempt(faults))
    }

    #[inline]
    #[cfg(feature = "cache")]
    pub(crate) fn is_open(&self) -> bool {
        self.faults.load(Relaxed) >= MOST_FAULTS
    }

    #[cold]
    fn probes(&self) -> bool {
        let (now, next) = (self.now(), self.next_probe.load(Relaxed));
        now >= next && self.next_probe.compare_exchange(next, after(now), Relaxed, Relaxed).is_ok()
    }

    /// Notes an answer of the server, and returns whether that has closed the breaker.
    #[inline]
    pub(crate) fn answered(&self) -> bool {
        self.faults.load(Relaxed) != 0 && self.faults.swap(0, Relaxed) >= MOST_FAULTS
    }

    /// Notes a step without an answer, and returns whether that has opened the breaker.
    #[cold]
    pub(crate) fn failed(&self, Attempt(before): Attempt) -> bool {
        let faults = before.saturating_add(1);
        if self.faults.compare_exchange(before, faults, Relaxed, Relaxed).is_err() {
            return false;
        }
        self.next_probe.store(after(self.now()), Relaxed);
        faults == MOST_FAULTS
    }

    fn now(&self) -> u64 {
        u64::try_from(self.created.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Returns the time of the next call that may try the server.
fn after(now: u64) -> u64 {
    now.saturating_add(u64::try_from(PROBE_EVERY.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Breaker {
        /// A step after those before it.
        fn fails(&self) -> bool {
            self.failed(Attempt(self.faults.load(Relaxed)))
        }
    }

    #[test]
    fn five_faults_in_a_row_open_it_and_an_answer_closes_it() {
        let breaker = Breaker::default();
        assert_eq!([(); 4].map(|()| breaker.fails()), [false; 4]);
        assert!(!breaker.answered());
        assert_eq!([(); 5].map(|()| breaker.fails()), [false, false, false, false, true]);
        assert!(breaker.is_open() && breaker.begin().is_none());
        assert!(breaker.answered() && !breaker.answered());
        assert!(!breaker.is_open() && breaker.begin().is_some());
    }

    #[test]
    fn steps_in_flight_fail_once() {
        let breaker = Breaker::default();
        let late = breaker.begin().unwrap();
        for _ in 0..4 {
            let attempts = [(); 9].map(|()| breaker.begin().unwrap());
            assert!(!attempts.map(|attempt| breaker.failed(attempt)).contains(&true));
        }
        assert!(!breaker.failed(late) && !breaker.is_open());
        assert!(breaker.fails() && breaker.is_open());
    }

    #[test]
    fn one_call_a_second_tries_again() {
        let breaker = Breaker::default();
        (0..5).for_each(|_| _ = breaker.fails());
        breaker.next_probe.store(0, Relaxed);
        assert!(breaker.begin().is_some() && breaker.begin().is_none());
    }
}
