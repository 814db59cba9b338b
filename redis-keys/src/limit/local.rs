//! Rate limits in this process, for requests on which the server does not decide.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use redis_keys_core::limits::RateState;

use super::Decision;
use super::decision::Rate;
use crate::Key;

/// The maximum number of keys with separate limits. The others share a limit.
const MAX_KEYS: usize = 10_000;

/// The interval in microseconds at which keys are removed whose whole burst is allowed again.
const CLEAN_EVERY: u64 = 1_000_000;

/// The limits of one layer.
pub(super) struct LocalLimits {
    created: Instant,
    keys: Mutex<Keys>,
}

#[derive(Default)]
struct Keys {
    states: HashMap<Key, RateState>,
    /// The limit of all keys outside the map.
    shared: RateState,
    /// The time at which a full map is cleaned again.
    next_cleaning: u64,
}

impl Default for LocalLimits {
    fn default() -> Self {
        Self { created: Instant::now(), keys: Mutex::default() }
    }
}

impl LocalLimits {
    /// Takes one from the limit of a key.
    pub(super) fn take(&self, key: Key, rate: Rate) -> Decision {
        let now = u64::try_from(self.created.elapsed().as_micros()).unwrap_or(u64::MAX);
        rate.take_one(self.keys().state(key, now), now)
    }

    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keys {
    fn state(&mut self, key: Key, now: u64) -> &mut RateState {
        if self.states.len() >= MAX_KEYS && now >= self.next_cleaning {
            self.states.retain(|_, state| !state.is_full(now));
            self.next_cleaning = now.saturating_add(CLEAN_EVERY);
        }
        if self.states.len() >= MAX_KEYS && !self.states.contains_key(&key) {
            return &mut self.shared;
        }
        self.states.entry(key).or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::RedisKey as _;
    use crate::tests::keys::Views;

    #[test]
    fn keys_without_a_limit_of_their_own_share_one_until_others_have_a_whole_burst() {
        let (mut keys, burst) = (Keys::default(), 3 * CLEAN_EVERY);
        let mut takes = |pages: Range<u32>, now| {
            let key = |page| Views { page }.key().unwrap();
            pages.filter(|page| keys.state(key(*page), now).take(now, burst, burst).0 == 0).count()
        };
        let most = u32::try_from(MAX_KEYS).unwrap();
        assert_eq!(takes(0..most, 0), MAX_KEYS);
        assert_eq!((takes(most..most + 9, 1), takes(7..8, 1)), (1, 0));
        // Cleaned too early, and not again yet.
        assert_eq!((takes(most..most + 9, burst - 1), takes(most..most + 9, burst)), (0, 0));
        assert_eq!(takes(most..2 * most + 9, burst - 1 + CLEAN_EVERY), MAX_KEYS + 1);
    }
}
