//! Jitter and clock that stand still.

use std::{cell::Cell, marker::PhantomData, time::SystemTime};

thread_local! {
    static JITTER: Cell<Option<f64>> = const { Cell::new(None) };
    static CLOCK: Cell<Option<SystemTime>> = const { Cell::new(None) };
}

/// Fixes the jitter of this thread's commands to a share of the declared one, from 0 for none to 1 for the whole, until the
/// guard is dropped. So is what is chosen among the copies of a hot key, from 0 for the first to 1 for the last.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1h, jitter = 10m)]
/// struct Views { page: u32 }
///
/// let _half = testing::fix_jitter(0.5);
/// assert_eq!(testing::text(Views { page: 7 }.set(&1))?, ["SET page:views:7:string 1 PX 3900000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
pub fn fix_jitter(share: f64) -> FixedJitter {
    FixedJitter { before: JITTER.replace(Some(share.clamp(0.0, 1.0))), thread: PhantomData }
}

/// Stops the clock by which this thread's commands check moments, until the guard is dropped.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1h)]
/// struct Views { page: u32 }
///
/// let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
/// let _stopped = testing::fix_clock(now);
/// let set = Views { page: 7 }.set(&1).expire_at(now + Duration::from_secs(60));
/// assert_eq!(testing::text(set)?, ["SET page:views:7:string 1 PXAT 1000000060000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
pub fn fix_clock(time: SystemTime) -> FixedClock {
    FixedClock { before: CLOCK.replace(Some(time)), thread: PhantomData }
}

/// Keeps the jitter fixed, and gives back what was before when it is dropped.
#[derive(Debug)]
#[must_use = "the jitter is fixed as long as this lives"]
pub struct FixedJitter {
    before: Option<f64>,
    /// What it gives back belongs to the thread.
    thread: PhantomData<*const ()>,
}

/// Keeps the clock stopped, and gives back what was before when it is dropped.
#[derive(Debug)]
#[must_use = "the clock stands as long as this lives"]
pub struct FixedClock {
    before: Option<SystemTime>,
    thread: PhantomData<*const ()>,
}

impl Drop for FixedJitter {
    fn drop(&mut self) {
        JITTER.set(self.before);
    }
}

impl Drop for FixedClock {
    fn drop(&mut self) {
        CLOCK.set(self.before);
    }
}

/// The fixed share of the most jitter.
pub(crate) fn fixed_jitter(most: u64) -> Option<u64> {
    // Jitters are far below 2^53 milliseconds, and shares are from 0 to 1.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    JITTER.get().map(|share| (most as f64 * share) as u64)
}

pub(crate) fn fixed_clock() -> Option<SystemTime> {
    CLOCK.get()
}
