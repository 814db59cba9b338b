//! Changes that are tried until no other client changes the key at the same time.
//!
//! The waits between the attempts are random and become longer, so that clients that compete for a key get out of each
//! other's way. They are measured in the time that an attempt takes, because in this time another client can come
//! first.

use std::thread;
use std::time::{Duration, Instant};

#[cfg(feature = "aio")]
use redis::aio;

#[cfg(feature = "aio")]
use super::timer;
use crate::{Command, Error, clock};

/// The number of attempts while other clients change the key.
pub(crate) const MAX_ATTEMPTS: usize = 32;

/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// The longest wait in lengths of an attempt, as a power of two.
const MOST_DOUBLINGS: usize = 10;

/// A change of a key: each attempt reads it, and writes it if it is still the same.
pub(crate) trait Change {
    /// The value that is read.
    type Current;
    /// The value that is written.
    type New;

    fn read(&self) -> Command<Self::Current>;

    /// Returns the new value, and the write, which returns whether the key was still the same.
    fn write(&mut self, current: Self::Current) -> (Self::New, Command<bool>);

    /// The error after the last attempt.
    fn contended(&self) -> Error;
}

/// Runs a change on a synchronous connection.
pub(crate) fn query<U: Change, C>(mut change: U, con: &mut C) -> Result<U::New, Error>
where
    C: redis::ConnectionLike + ?Sized,
{
    for attempt in 1..=MAX_ATTEMPTS {
        let started = Instant::now();
        let current = change.read().query(con)?;
        let (new, write) = change.write(current);
        if write.query(con)? {
            return Ok(new);
        }
        if attempt < MAX_ATTEMPTS {
            thread::sleep(wait_after(attempt, started.elapsed()));
        }
    }
    Err(change.contended())
}

/// Runs a change on an asynchronous connection.
#[cfg(feature = "aio")]
pub(crate) async fn query_async<U: Change, C>(mut change: U, con: &mut C) -> Result<U::New, Error>
where
    C: aio::ConnectionLike + ?Sized,
{
    for attempt in 1..=MAX_ATTEMPTS {
        let started = Instant::now();
        let current = change.read().query_async(con).await?;
        let (new, write) = change.write(current);
        if write.query_async(con).await? {
            return Ok(new);
        }
        if attempt < MAX_ATTEMPTS {
            timer::sleep(wait_after(attempt, started.elapsed())).await;
        }
    }
    Err(change.contended())
}

/// Draws the wait after an attempt: up to twice its length after the first, up to four times after the second, and so
/// on.
fn wait_after(attempt: usize, length: Duration) -> Duration {
    let longest = length.saturating_mul(1 << attempt.min(MOST_DOUBLINGS)).min(LONGEST_WAIT);
    Duration::from_nanos(clock::up_to(u64::try_from(longest.as_nanos()).unwrap_or_default()))
}
