//! Going on without a server that does not answer.

use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// After so many faults in a row nothing is sent any more.
const MOST_FAULTS: u32 = 5;

/// How often one call tries the server again.
const PROBE_EVERY: Duration = Duration::from_secs(1);

/// Counts the faults of a server: a step that got no answer. An error is an answer.
pub(crate) struct Breaker {
    /// The faults since the last answer.
    faults: AtomicU32,
    /// When the next call may try the server, in milliseconds since `created`.
    next_probe: AtomicU64,
    created: Instant,
}

impl Default for Breaker {
    fn default() -> Self {
        Self { faults: AtomicU32::new(0), next_probe: AtomicU64::new(0), created: Instant::now() }
    }
}

impl Breaker {
    /// Whether a call may send anything. While the breaker is open, one call a second may.
    #[inline]
    pub(crate) fn allows(&self) -> bool {
        !self.is_open() || self.probes()
    }

    #[inline]
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
    pub(crate) fn failed(&self) -> bool {
        self.next_probe.store(after(self.now()), Relaxed);
        // Far below the overflow: a call that is refused adds nothing.
        self.faults.fetch_add(1, Relaxed).checked_add(1) == Some(MOST_FAULTS)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.created.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// When the next call may try the server.
fn after(now: u64) -> u64 {
    now.saturating_add(u64::try_from(PROBE_EVERY.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_faults_in_a_row_open_it_and_an_answer_closes_it() {
        let breaker = Breaker::default();
        assert_eq!([(); 4].map(|()| breaker.failed()), [false; 4]);
        assert!(!breaker.answered());
        assert_eq!([(); 5].map(|()| breaker.failed()), [false, false, false, false, true]);
        assert!(breaker.is_open() && !breaker.allows());
        assert!(breaker.answered() && !breaker.answered());
        assert!(!breaker.is_open() && breaker.allows());
    }

    #[test]
    fn one_call_a_second_tries_again() {
        let breaker = Breaker::default();
        (0..5).for_each(|_| _ = breaker.failed());
        breaker.next_probe.store(0, Relaxed);
        assert!(breaker.allows() && !breaker.allows());
    }
}
