//! Deterministic jitter and time.

use std::marker::PhantomData;
use std::time::SystemTime;

use crate::clock::{FIXED_NUMBER, FIXED_SHARE, FIXED_TIME};

/// Fixes the jitter of this thread's commands until the guard is dropped.
///
/// The share ranges from 0, which adds no jitter, to 1, which adds all of the declared jitter. It also selects the copy
/// of a key with `copies`: 0 is the first and 1 the last. The jobs that the thread pushes get ids with numbers from 0 on.
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
    FIXED_NUMBER.set(0);
    FixedJitter { before: FIXED_SHARE.replace(Some(share.clamp(0.0, 1.0))), thread: PhantomData }
}

/// Fixes the current time of this thread's commands until the guard is dropped.
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
/// let _clock = testing::fix_clock(now);
/// let set = Views { page: 7 }.set(&1).expire_at(now + Duration::from_secs(60));
/// assert_eq!(testing::text(set)?, ["SET page:views:7:string 1 PXAT 1000000060000"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
pub fn fix_clock(time: SystemTime) -> FixedClock {
    FixedClock { before: FIXED_TIME.replace(Some(time)), thread: PhantomData }
}

/// A guard of [`fix_jitter`], which restores the previous jitter when dropped.
#[derive(Debug)]
#[must_use = "dropping the guard restores the jitter"]
pub struct FixedJitter {
    before: Option<f64>,
    /// Not `Send`, since the restored value belongs to the thread.
    thread: PhantomData<*const ()>,
}

/// A guard of [`fix_clock`], which restores the previous clock when dropped.
#[derive(Debug)]
#[must_use = "dropping the guard restores the clock"]
pub struct FixedClock {
    before: Option<SystemTime>,
    thread: PhantomData<*const ()>,
}

impl Drop for FixedJitter {
    fn drop(&mut self) {
        FIXED_SHARE.set(self.before);
    }
}

impl Drop for FixedClock {
    fn drop(&mut self) {
        FIXED_TIME.set(self.before);
    }
}
