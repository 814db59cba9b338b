//! Metrics of keys, labelled with the template of their declaration.
//!
//! The handles of a declaration are looked up by name once, and then kept: a lookup costs more than the rest of a hit
//! in a cache.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use metrics::{Counter, Histogram, Key, Label, Level, Metadata, Recorder, Unit};

use crate::schema::Schema;

/// The metrics of a driver: the name and the description of each.
pub(crate) struct Names {
    pub(crate) target: &'static str,
    pub(crate) counters: &'static [(&'static str, &'static str)],
    /// A histogram of durations.
    pub(crate) seconds: (&'static str, &'static str),
}

/// The handles of a driver.
pub(crate) struct Handles {
    names: &'static Names,
    kept: RwLock<Kept>,
}

struct Kept {
    /// The address of the recorder to which they belong. A program can install one after the first event.
    recorder: usize,
    /// By the address of the schema.
    by_schema: BTreeMap<usize, OfSchema>,
}

/// The handles of a declaration.
struct OfSchema {
    counters: Box<[Counter]>,
    seconds: Histogram,
}

impl Handles {
    pub(crate) fn new(names: &'static Names) -> Self {
        Self { names, kept: RwLock::new(Kept { recorder: 0, by_schema: BTreeMap::new() }) }
    }

    /// Counts with the counter at `index`.
    #[inline]
    pub(crate) fn count(&self, index: usize, number: u64, schema: &'static Schema) {
        self.with(schema, |handles| {
            if let Some(counter) = handles.counters.get(index) {
                counter.increment(number);
            }
        });
    }

    /// Records a duration.
    pub(crate) fn record(&self, time: Duration, schema: &'static Schema) {
        self.with(schema, |handles| handles.seconds.record(time));
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
            self.names.describe(recorder);
        }
        then(kept.by_schema.entry(address(schema)).or_insert_with(|| self.names.register(recorder, schema)));
    }
}

impl Names {
    fn register(&self, recorder: &dyn Recorder, schema: &'static Schema) -> OfSchema {
        let metadata = Metadata::new(self.target, Level::INFO, Some(module_path!()));
        let key = |name| Key::from_parts(name, vec![Label::from_static_parts("template", schema.template)]);
        OfSchema {
            counters: self.counters.iter().map(|&(name, _)| recorder.register_counter(&key(name), &metadata)).collect(),
            seconds: recorder.register_histogram(&key(self.seconds.0), &metadata),
        }
    }

    fn describe(&self, recorder: &dyn Recorder) {
        for &(name, description) in self.counters {
            recorder.describe_counter(name.into(), Some(Unit::Count), description.into());
        }
        let (name, description) = self.seconds;
        recorder.describe_histogram(name.into(), Some(Unit::Seconds), description.into());
    }
}

fn address<T: ?Sized>(of: &T) -> usize {
    ptr::from_ref(of).cast::<()>().addr()
}
