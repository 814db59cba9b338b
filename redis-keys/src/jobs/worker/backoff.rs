//! The pauses before the next try of a job, and before a worker asks the server again.

use std::time::Duration;

use crate::clock;

/// The pause after the first fault of a connection.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause after faults of a connection.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// The waits of failed jobs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backoff {
    pub(super) first: Duration,
    pub(super) most: Duration,
}

impl Backoff {
    /// Returns the wait of a job after this many tries.
    pub(super) fn after(self, tries: u8) -> Duration {
        vary(doubled(self.first, u32::from(tries).saturating_sub(1), self.most))
    }
}

/// Returns the pause of a worker after this many faults in a row. It must reach the server several times in a lease.
pub(super) fn pause(faults: u32, lease: Duration) -> Duration {
    let longest = LONGEST_PAUSE.min(lease / 4);
    vary(doubled(SHORTEST_PAUSE, faults.saturating_sub(1), longest))
}

fn doubled(first: Duration, doublings: u32, most: Duration) -> Duration {
    first.saturating_mul(1_u32.checked_shl(doublings).unwrap_or(u32::MAX)).min(most)
}

/// Adds or removes up to a quarter at random.
fn vary(time: Duration) -> Duration {
    let quarter = time / 4;
    let random = clock::up_to(u64::try_from(quarter.as_nanos()).unwrap_or(u64::MAX / 2).saturating_mul(2));
    time.saturating_sub(quarter).saturating_add(Duration::from_nanos(random))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::fix_jitter;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_double_up_to_the_longest() {
        let _middle = fix_jitter(0.5);
        let backoff = Backoff { first: SECOND, most: 300 * SECOND };
        let waits = [0, 1, 2, 3, 9, 10, 60, 255].map(|tries| backoff.after(tries));
        assert_eq!(waits, [1, 1, 2, 4, 256, 300, 300, 300].map(Duration::from_secs));
        let endless = Backoff { first: Duration::MAX, most: Duration::MAX };
        assert!(endless.after(60) > Duration::from_secs(1 << 60));
        assert_eq!(Backoff { first: Duration::ZERO, most: SECOND }.after(60), Duration::ZERO);
    }

    #[test]
    fn waits_vary_by_a_quarter() {
        let backoff = Backoff { first: 4 * SECOND, most: 300 * SECOND };
        let at = |share| {
            let _fixed = fix_jitter(share);
            backoff.after(1)
        };
        assert_eq!((at(0.0), at(1.0)), (3 * SECOND, 5 * SECOND));
    }

    #[test]
    fn pauses_are_short_beside_the_lease() {
        let _longest = fix_jitter(1.0);
        for lease in [SECOND / 10, SECOND, 10 * SECOND, 300 * SECOND] {
            assert!((0..100).all(|faults| pause(faults, lease) <= (lease / 3).min(4 * SECOND)), "{lease:?}");
        }
    }
}
