//! The hit rates of templates. Where keys are missing often, a call claims before it reads.

use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicU32};

use crate::schema::Schema;

/// The maximum number of templates whose hit rates a cache tracks.
const TEMPLATES: usize = 128;

/// Every read found a value.
const ALL: u32 = 1 << 16;

/// The weight of a read in the average: one part in this many.
const WEIGHT: u32 = 32;

/// Below this hit rate, the claim is sent first. Measured, that is faster below about 95 percent of hits for sequential
/// calls, and below about 70 percent for 64 tasks, because the server runs a script for each hit.
const CLAIM_BELOW: u32 = ALL / 4 * 3;

/// The hit rates of templates. Each template takes the first free slot after its address's slot.
pub(super) struct HitRates {
    places: [HitRate; TEMPLATES],
}

struct HitRate {
    schema: AtomicPtr<Schema>,
    /// The hit rate, as a share of [`ALL`].
    hits: AtomicU32,
}

impl Default for HitRates {
    fn default() -> Self {
        let place = || HitRate { schema: AtomicPtr::new(ptr::null_mut()), hits: AtomicU32::new(ALL) };
        Self { places: std::array::from_fn(|_| place()) }
    }
}

impl HitRates {
    /// Records whether a read found a value or a marker.
    #[inline]
    pub(super) fn note(&self, schema: &'static Schema, is_hit: bool) {
        let Some(rate) = self.of(schema) else { return };
        let hits = rate.hits.load(Relaxed);
        let noted =
            if is_hit { hits.saturating_add((ALL - hits).div_ceil(WEIGHT)) } else { hits - hits.div_ceil(WEIGHT) };
        if noted != hits {
            rate.hits.store(noted, Relaxed);
        }
    }

    /// Whether the template's keys are often missing.
    #[inline]
    pub(super) fn is_low(&self, schema: &'static Schema) -> bool {
        self.of(schema).is_some_and(|rate| rate.hits.load(Relaxed) < CLAIM_BELOW)
    }

    #[inline]
    fn of(&self, schema: &'static Schema) -> Option<&HitRate> {
        let address = ptr::from_ref(schema).cast_mut();
        let first = (address.addr() / size_of::<Schema>()) % TEMPLATES;
        let (end, start) = self.places.split_at(first);
        start.iter().chain(end).find(|place| {
            let found = place.schema.load(Relaxed);
            let taken = || place.schema.compare_exchange(ptr::null_mut(), address, Relaxed, Relaxed);
            found == address || (found.is_null() && taken().map_or_else(|other| other == address, |_| true))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RedisKey as _;

    #[derive(redis_keys_macros::RedisKey)]
    #[redis_key(user:rate:{id}:string, value = String, ttl = 1h, jitter = 10m, cache(null_ttl = 5m), crate = crate)]
    struct Name {
        id: u32,
    }

    #[test]
    fn the_rate_follows_the_last_reads() {
        let rates = HitRates::default();
        assert!(!rates.is_low(Name::SCHEMA), "unknown");
        let misses = (1..1_000).find(|_| {
            rates.note(Name::SCHEMA, false);
            rates.is_low(Name::SCHEMA)
        });
        assert_eq!(misses, Some(10));
        (0..1_000).for_each(|_| rates.note(Name::SCHEMA, false));
        let hits = (1..1_000).find(|_| {
            rates.note(Name::SCHEMA, true);
            !rates.is_low(Name::SCHEMA)
        });
        assert_eq!(hits, Some(44));
        (0..1_000).for_each(|_| rates.note(Name::SCHEMA, true));
        assert_eq!(rates.of(Name::SCHEMA).unwrap().hits.load(Relaxed), ALL);
    }
}
