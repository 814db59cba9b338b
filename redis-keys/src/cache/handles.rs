//! The metrics of cached keys, labelled with the template of their declaration.
//!
//! The handles of a declaration are looked up by name once, and then kept: a lookup costs more than the rest of a hit.

use std::{
    collections::BTreeMap,
    ptr,
    sync::{PoisonError, RwLock},
    time::Duration,
};

use metrics::{Counter, Histogram, Key, Label, Level, Metadata, Recorder, Unit};

use super::stats::{EVENTS, Event};
use crate::schema::Schema;

/// The counters, in the order of [`Event`].
const COUNTERS: [(Event, &str, &str); EVENTS] = [
    (Event::Hit, "redis_keys_cache_hits_total", "Values that were found in Redis."),
    (
        Event::AbsentHit,
        "redis_keys_cache_absent_hits_total",
        "Markers found in Redis: it is known that there is no value.",
    ),
    (Event::Load, "redis_keys_cache_loads_total", "Keys for which a loader was called, refreshes included."),
    (Event::FailedLoad, "redis_keys_cache_failed_loads_total", "Keys whose loader failed."),
    (Event::Shared, "redis_keys_cache_shared_total", "Calls that got the result of another call of this process."),
    (Event::Refresh, "redis_keys_cache_refreshes_total", "Loads that began before the old value expired."),
    (Event::Overtaken, "redis_keys_cache_overtaken_total", "Results not stored, since the key had changed meanwhile."),
    (Event::Unstorable, "redis_keys_cache_unstorable_total", "Values that are too large, or have no stored form."),
    (Event::Undecodable, "redis_keys_cache_undecodable_total", "Stored values that could not be decoded."),
    (Event::ServerError, "redis_keys_cache_server_errors_total", "Errors with which the server has replied."),
    (Event::Unanswered, "redis_keys_cache_unanswered_total", "Commands without a reply."),
];

const LOAD_SECONDS: &str = "redis_keys_cache_load_seconds";

const METADATA: Metadata<'_> = Metadata::new("redis_keys::cache", Level::INFO, Some(module_path!()));

/// The handles of a cache.
#[derive(Default)]
pub(super) struct Handles {
    kept: RwLock<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The address of the recorder to which they belong. A program can install one after the first hit.
    recorder: usize,
    /// By the address of the schema.
    by_schema: BTreeMap<usize, OfSchema>,
}

/// The handles of a declaration.
struct OfSchema {
    counters: [Counter; EVENTS],
    load_seconds: Histogram,
}

impl Handles {
    #[inline]
    pub(super) fn count(&self, event: Event, number: u64, schema: &'static Schema) {
        self.with(schema, |handles| {
            if let Some(counter) = handles.counters.get(event as usize) {
                counter.increment(number);
            }
        });
    }

    /// Records how long a loader took.
    pub(super) fn loaded_in(&self, time: Duration, schema: &'static Schema) {
        self.with(schema, |handles| handles.load_seconds.record(time));
    }

    #[inline]
    fn with(&self, schema: &'static Schema, then: impl FnOnce(&OfSchema)) {
        metrics::with_recorder(|recorder| {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            if kept.recorder == address(recorder)
                && let Some(handles) = kept.by_schema.get(&address(schema))
            {
                return then(handles);
            }
            drop(kept);
            self.keep(recorder, schema, then);
        });
    }

    #[cold]
    fn keep(&self, recorder: &dyn Recorder, schema: &'static Schema, then: impl FnOnce(&OfSchema)) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.recorder != address(recorder) {
            *kept = Kept { recorder: address(recorder), by_schema: BTreeMap::new() };
            describe(recorder);
        }
        then(kept.by_schema.entry(address(schema)).or_insert_with(|| OfSchema::register(recorder, schema)));
    }
}

impl OfSchema {
    fn register(recorder: &dyn Recorder, schema: &'static Schema) -> Self {
        let key = |name| Key::from_parts(name, vec![Label::from_static_parts("template", schema.template)]);
        Self {
            counters: COUNTERS.map(|(_, name, _)| recorder.register_counter(&key(name), &METADATA)),
            load_seconds: recorder.register_histogram(&key(LOAD_SECONDS), &METADATA),
        }
    }
}

fn describe(recorder: &dyn Recorder) {
    for (_, name, description) in COUNTERS {
        recorder.describe_counter(name.into(), Some(Unit::Count), description.into());
    }
    recorder.describe_histogram(
        LOAD_SECONDS.into(),
        Some(Unit::Seconds),
        "How long each call of a loader took.".into(),
    );
}

fn address<T: ?Sized>(of: &T) -> usize {
    ptr::from_ref(of).cast::<()>().addr()
}

#[cfg(test)]
mod tests {
    use super::COUNTERS;

    #[test]
    fn the_counters_are_in_the_order_of_the_events() {
        for (index, (event, ..)) in COUNTERS.into_iter().enumerate() {
            assert_eq!(event as usize, index);
        }
    }
}
