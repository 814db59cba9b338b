//! The time in which a tracked connection has lost no invalidation.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, LazyLock, PoisonError};
use std::time::{Duration, Instant};

use super::sync::{AtomicBool, AtomicU64, Mutex, MutexGuard};

/// Copies are served while the server has answered something that was sent within this time.
pub(crate) const SILENCE: Duration = Duration::from_secs(2);

/// The nanoseconds since the first call in the process, and one: never zero.
#[inline]
pub(crate) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    nanos(START.elapsed()).saturating_add(1)
}

pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// An era begins with a connection and with each flush of its server, and ends with the next one or the connection.
/// Copies are of the era in which they were asked for.
pub(crate) struct Era {
    /// Copies are served until then; zero once the era is over.
    alive_until: AtomicU64,
    /// Whether a copy was served since the last sign of life was asked for.
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

    /// Notes that a copy is served.
    #[inline]
    pub(crate) fn note_use(&self) {
        // Threads that only read do not take the cache line from each other.
        if !self.is_used.load(Relaxed) {
            self.is_used.store(true, Relaxed);
        }
    }

    /// Notes that the server has answered something that was sent at that time. An era that is over stays over.
    pub(crate) fn answered(&self, sent: u64) {
        let until = sent.saturating_add(nanos(SILENCE));
        _ = self.alive_until.fetch_update(Relaxed, Relaxed, |old| (old != 0 && old < until).then_some(until));
    }

    /// Ends the era, and returns until when its copies would have been served.
    fn end(&self) -> u64 {
        self.alive_until.swap(0, Relaxed)
    }
}

/// The eras of one connection.
pub(crate) struct Eras {
    current: Mutex<Arc<Era>>,
    /// The flushes that were not reported yet.
    flushes: AtomicU64,
    is_lost: AtomicBool,
    /// When a read was not answered in time, or zero, also after a sign of life.
    suspect_since: AtomicU64,
}

impl Eras {
    /// Creates the first era of a connection whose opening began at that time.
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

    /// Begins another era: all that was read before may have changed.
    pub(crate) fn begin_another(&self) {
        let mut current = self.lock();
        // A push can have waited for long: it is no sign of life.
        let alive_until = current.end();
        *current = Era::new(alive_until);
    }

    /// Begins another era, since the server was flushed.
    pub(crate) fn flush(&self) {
        self.flushes.fetch_add(1, Relaxed);
        self.begin_another();
    }

    /// Returns the number of flushes since the last call.
    pub(crate) fn take_flushes(&self) -> u64 {
        self.flushes.swap(0, Relaxed)
    }

    /// Ends the last era, since the connection is lost.
    pub(crate) fn lose(&self) {
        self.is_lost.store(true, Relaxed);
        self.lock().end();
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed)
    }

    /// Notes that a read was not answered in time.
    pub(crate) fn suspect(&self, now: u64) {
        _ = self.suspect_since.compare_exchange(0, now, Relaxed, Relaxed);
    }

    /// Notes a sign of life.
    pub(crate) fn trust(&self) {
        self.suspect_since.store(0, Relaxed);
    }

    /// Whether reads are sent. A connection that has given no sign of life for long is lost: its runtime may stand still.
    pub(crate) fn is_usable(&self, now: u64) -> bool {
        let since = self.suspect_since.load(Relaxed);
        if since != 0 && now.saturating_sub(since) > 2 * nanos(SILENCE) {
            self.lose();
        }
        since == 0 && !self.is_lost()
    }

    /// Whether a sign of life is needed: a copy was served since the last one was, or a read was not answered.
    pub(crate) fn take_need(&self) -> bool {
        self.lock().is_used.swap(false, Relaxed) || self.suspect_since.load(Relaxed) != 0
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Era>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
