//! A recorder of metrics that can be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use metrics::{Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, SharedString, Unit};

#[derive(Default)]
pub(crate) struct Recorder {
    counters: Mutex<BTreeMap<String, Arc<AtomicU64>>>,
    /// The bits of floats.
    gauges: Mutex<BTreeMap<String, Arc<AtomicU64>>>,
    histograms: Mutex<BTreeMap<String, Arc<Samples>>>,
    described: Mutex<BTreeSet<String>>,
}

/// Counts the samples of a histogram.
#[derive(Default)]
struct Samples {
    number: AtomicU64,
}

impl Recorder {
    /// The counters whose names begin so, with their labels.
    pub(crate) fn counters(&self, family: &str) -> Vec<(String, u64)> {
        let counters = self.counters.lock().unwrap();
        let of_family = counters.iter().filter(|(name, _)| name.starts_with(family));
        of_family.map(|(name, count)| (name.clone(), count.load(Relaxed))).collect()
    }

    /// The histograms whose names begin so, with the number of their samples, if they have any.
    pub(crate) fn histograms(&self, family: &str) -> Vec<(String, u64)> {
        let histograms = self.histograms.lock().unwrap();
        let of_family = histograms.iter().filter(|(name, _)| name.starts_with(family));
        let with_number = of_family.map(|(name, samples)| (name.clone(), samples.number.load(Relaxed)));
        with_number.filter(|(_, number)| *number > 0).collect()
    }

    /// The gauges whose names begin so, with their labels.
    pub(crate) fn gauges(&self, family: &str) -> Vec<(String, f64)> {
        let gauges = self.gauges.lock().unwrap();
        let of_family = gauges.iter().filter(|(name, _)| name.starts_with(family));
        of_family.map(|(name, bits)| (name.clone(), f64::from_bits(bits.load(Relaxed)))).collect()
    }

    /// The metrics without a description.
    pub(crate) fn undescribed(&self) -> Vec<String> {
        let names = self.counters("").into_iter().chain(self.histograms("")).map(|(name, _)| name);
        let names = names.chain(self.gauges("").into_iter().map(|(name, _)| name));
        let described = self.described.lock().unwrap();
        names.filter(|name| name.split(' ').next().is_none_or(|name| !described.contains(name))).collect()
    }

    fn describe(&self, name: &KeyName) {
        self.described.lock().unwrap().insert(name.as_str().to_owned());
    }
}

impl metrics::Recorder for Recorder {
    fn describe_counter(&self, name: KeyName, _unit: Option<Unit>, _description: SharedString) {
        self.describe(&name);
    }

    fn describe_gauge(&self, name: KeyName, _unit: Option<Unit>, _description: SharedString) {
        self.describe(&name);
    }

    fn describe_histogram(&self, name: KeyName, _unit: Option<Unit>, _description: SharedString) {
        self.describe(&name);
    }

    fn register_counter(&self, key: &Key, _metadata: &Metadata<'_>) -> Counter {
        Counter::from_arc(Arc::clone(self.counters.lock().unwrap().entry(with_labels(key)).or_default()))
    }

    fn register_gauge(&self, key: &Key, _metadata: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(Arc::clone(self.gauges.lock().unwrap().entry(with_labels(key)).or_default()))
    }

    fn register_histogram(&self, key: &Key, _metadata: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::clone(self.histograms.lock().unwrap().entry(with_labels(key)).or_default()))
    }
}

impl HistogramFn for Samples {
    fn record(&self, value: f64) {
        assert!((0.0..1_000.0).contains(&value), "{value}");
        self.number.fetch_add(1, Relaxed);
    }
}

fn with_labels(key: &Key) -> String {
    let labels = key.labels().map(|label| format!(" {}={}", label.key(), label.value()));
    labels.fold(key.name().to_owned(), |text, label| text + &label)
}
