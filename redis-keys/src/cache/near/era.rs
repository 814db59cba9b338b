//! The period in which a tracked connection has lost no invalidation.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, LazyLock, PoisonError};
use std::time::{Duration, Instant};

use super::sync::{AtomicBool, AtomicU64, Mutex, MutexGuard};

/// Copies are served while the server has answered a command that was sent within this time.
pub(crate) const SILENCE: Duration = Duration::from_secs(2);

/// The nanoseconds since the first call in the process, plus one, so never zero.
#[inline]
pub(crate) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    nanos(START.elapsed()).saturating_add(1)
}

pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A period without lost invalidations. Each copy belongs to the era in which it was requested.
///
/// An era begins with a connection and with each flush of its server. It ends with the next era or the connection.
pub(crate) struct Era {
    /// The time until which copies are served; zero once the era is over.
    alive_until: AtomicU64,
    /// Whether a copy was served or read since the last sign of life was requested.
    is_used: AtomicBool,
}

impl Era {
    fn new(alive_until: u64) -> Arc<Self> {
        Arc::new(Self { alive_until: AtomicU64::new(alive_until), is_used: AtomicBool::new(false) })
    }

    #[inline]
    pub(crate) fn is_alive(&self, now: u64) -> bool {
        now < self.alive_until.load(Relaxed)
    }

    /// Records that a copy is served or read.
    #[inline]
    pub(crate) fn note_use(&self) {
        // Avoids moving the cache line between threads that only read.
        if !self.is_used.load(Relaxed) {
            self.is_used.store(true, Relaxed);
        }
    }

    /// Records that the server answered a command that was sent at this time. An ended era stays ended.
    pub(crate) fn answered(&self, sent: u64) {
        let until = sent.saturating_add(nanos(SILENCE));
        _ = self.alive_until.fetch_update(Relaxed, Relaxed, |old| (old != 0 && old < until).then_some(until));
    }

    /// Ends the era, and returns the time until which its copies would have been served.
    fn end(&self) -> u64 {
        self.alive_until.swap(0, Relaxed)
    }
}

/// The eras of one connection.
pub(crate) struct Eras {
    current: Mutex<Arc<Era>>,
    /// The number of flushes that have not been reported yet.
    flushes: AtomicU64,
    is_lost: AtomicBool,
    /// The time at which a read got no reply in time; zero if all did, or after a sign of life.
    suspect_since: AtomicU64,
}

impl Eras {
    /// Creates the first era of a connection whose opening began at this time.
    pub(crate) fn new(began: u64) -> Self {
        Self {
            current: Mutex::new(Era::new(began.saturating_add(nanos(SILENCE)))),
            flushes: AtomicU64::new(0),
            is_lost: AtomicBool::new(false),
            suspect_since: AtomicU64::new(0),
        }
    }

    pub(crate) fn current(&self) -> Arc<Era> {
        Arc::clone(&self.lock())
    }

    /// Begins another era: any key that was read before may have changed.
    pub(crate) fn begin_another(&self) {
        let mut current = self.lock();
        // A push may have waited for a long time, so it is not a sign of life.
        let alive_until = current.end();
        *current = Era::new(alive_until);
    }

    /// Begins another era after a flush of the server.
    pub(crate) fn flush(&self) {
        self.flushes.fetch_add(1, Relaxed);
        self.begin_another();
    }

    /// Returns the number of flushes since the last call.
    pub(crate) fn take_flushes(&self) -> u64 {
        self.flushes.swap(0, Relaxed)
    }

    /// Ends the last era after the loss of the connection.
    pub(crate) fn lose(&self) {
        self.is_lost.store(true, Relaxed);
        self.lock().end();
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed)
    }

    /// Records that a read got no reply in time.
    pub(crate) fn suspect(&self, now: u64) {
        _ = self.suspect_since.compare_exchange(0, now, Relaxed, Relaxed);
    }

    /// Records a sign of life.
    pub(crate) fn trust(&self) {
        self.suspect_since.store(0, Relaxed);
    }

    /// Whether reads are sent. A connection without a sign of life for long counts as lost: its runtime may be blocked.
    pub(crate) fn is_usable(&self, now: u64) -> bool {
        let since = self.suspect_since.load(Relaxed);
        if since != 0 && now.saturating_sub(since) > 2 * nanos(SILENCE) {
            self.lose();
        }
        since == 0 && !self.is_lost()
    }

    /// Whether a sign of life is needed: a copy was served or read since the last request, or a read got no reply.
    pub(crate) fn take_need(&self) -> bool {
        self.lock().is_used.swap(false, Relaxed) || self.suspect_since.load(Relaxed) != 0
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Era>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
