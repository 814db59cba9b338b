//! A recorder of metrics that also notes the accessors of a request, for the page *What Redis sees*.

use std::sync::Arc;

use metrics::{Counter, CounterFn, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use metrics_exporter_prometheus::PrometheusRecorder;

use crate::trace::note_call;

/// Passes all metrics on.
pub(crate) struct NotingRecorder(pub(crate) PrometheusRecorder);

impl Recorder for NotingRecorder {
    fn describe_counter(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        self.0.describe_counter(name, unit, description);
    }

    fn describe_gauge(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        self.0.describe_gauge(name, unit, description);
    }

    fn describe_histogram(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        self.0.describe_histogram(name, unit, description);
    }

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        let counter = self.0.register_counter(key, metadata);
        if key.name() != "redis_keys_commands_total" {
            return counter;
        }
        let label = |name| key.labels().find(|label| label.key() == name).map_or("", |label| label.value()).to_owned();
        Counter::from_arc(Arc::new(Calls { counter, template: label("template"), accessor: label("command") }))
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.0.register_gauge(key, metadata)
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        self.0.register_histogram(key, metadata)
    }
}

/// The counter of the calls of an accessor. A call is counted in the task that has called it.
struct Calls {
    counter: Counter,
    template: String,
    accessor: String,
}

impl CounterFn for Calls {
    fn increment(&self, value: u64) {
        note_call(&self.template, &self.accessor);
        self.counter.increment(value);
    }

    fn absolute(&self, value: u64) {
        self.counter.absolute(value);
    }
}
