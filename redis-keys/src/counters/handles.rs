//! Handles of metrics, kept by declaration.
//!
//! A handle is looked up by name once for each declaration, and then kept, because a lookup costs more than all other
//! work of a command. Finding a kept handle takes no lock. Only handles of the whole program's recorder are kept. A
//! recorder for one thread, as in tests, lives as long as its test, so its handles are looked up each time.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::{ptr, thread};

use metrics::{Counter, Histogram, Key, Label, Level, Metadata, Recorder, Unit};
use redis_keys_core::metric::{Metric, MetricKind};

use crate::accessor::{Accessor, Outcome};
use crate::schema::Schema;

/// The metrics of a driver.
pub(crate) struct Driver {
    pub(crate) counters: &'static [Metric],
    /// A histogram of durations, or nothing.
    pub(crate) seconds: &'static [Metric],
}

/// A metric whose only label is the template.
pub(crate) const fn of_template(name: &'static str, kind: MetricKind, description: &'static str) -> Metric {
    Metric { name, kind, labels: &["template"], description }
}

const COMMANDS: Metric = Metric {
    name: "redis_keys_commands_total",
    kind: MetricKind::Counter,
    labels: &["template", "command", "outcome"],
    description: "Calls of accessors, by their outcome.",
};

const REJECTED: Metric = Metric {
    name: "redis_keys_rejected_total",
    kind: MetricKind::Counter,
    labels: &["template", "rule"],
    description: "Calls that were rejected before anything was sent, by the rule that they break.",
};

const SECONDS: Metric = Metric {
    name: "redis_keys_command_seconds",
    kind: MetricKind::Histogram,
    labels: &["template", "command"],
    description: "The time of calls outside of batches, of which one in eight is timed.",
};

const BATCH_SECONDS: Metric = Metric {
    name: "redis_keys_batch_seconds",
    kind: MetricKind::Histogram,
    labels: &[],
    description: "The time that each batch or atomic group took.",
};

const BATCH_COMMANDS: Metric = Metric {
    name: "redis_keys_batch_commands",
    kind: MetricKind::Histogram,
    labels: &[],
    description: "The number of calls in each batch or atomic group.",
};

const SENT_BYTES: Metric = Metric {
    name: "redis_keys_sent_bytes_total",
    kind: MetricKind::Counter,
    labels: &["template"],
    description: "Bytes of the commands, as they are packed for the server, without what is sent again.",
};

const RECEIVED_BYTES: Metric = Metric {
    name: "redis_keys_received_bytes_total",
    kind: MetricKind::Counter,
    labels: &["template"],
    description: "Bytes of the texts and values in the replies.",
};

/// The families of all calls.
pub(crate) const OF_CALLS: [Metric; 7] =
    [COMMANDS, REJECTED, SECONDS, BATCH_SECONDS, BATCH_COMMANDS, SENT_BYTES, RECEIVED_BYTES];

/// The handles of a declaration.
#[derive(Default)]
struct Handles {
    commands: AppendOnlyList<Accessor, OfCommand>,
    /// The calls that were rejected, by rule.
    rules: AppendOnlyList<&'static str, Counter>,
    bytes: OnceLock<[Counter; 2]>,
    drivers: AppendOnlyList<&'static str, OfDriver>,
}

/// The handles of an accessor.
struct OfCommand {
    outcomes: [Counter; Outcome::ALL.len()],
    seconds: Histogram,
}

struct OfDriver {
    counters: Box<[Counter]>,
    seconds: Option<Histogram>,
}

/// The handles of batches.
struct OfBatches {
    seconds: Histogram,
    commands: Histogram,
}

/// Values that are only added, so that reading takes no lock. A declaration has only a few.
struct AppendOnlyList<K, V> {
    first: OnceLock<Box<Node<K, V>>>,
}

struct Node<K, V> {
    key: K,
    value: V,
    others: AppendOnlyList<K, V>,
}

impl<K, V> AppendOnlyList<K, V> {
    const fn new() -> Self {
        Self { first: OnceLock::new() }
    }
}

impl<K, V> Default for AppendOnlyList<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Copy + PartialEq, V> AppendOnlyList<K, V> {
    #[inline]
    fn get(&self, key: K, make: impl Fn() -> V) -> &V {
        let mut list = self;
        loop {
            let node = list.first.get_or_init(|| Box::new(Node { key, value: make(), others: Self::new() }));
            if node.key == key {
                return &node.value;
            }
            list = &node.others;
        }
    }
}

/// Counts a call, with its time and the bytes that it has sent and received.
#[inline]
pub(crate) fn call(
    accessor: Accessor,
    schema: &'static Schema,
    outcome: Option<Outcome>,
    time: Option<Duration>,
    bytes: Option<[u64; 2]>,
) {
    with(schema, |handles, recorder| {
        if outcome.is_some() || time.is_some() {
            let of_command = handles.commands.get(accessor, || OfCommand::new(recorder, schema, accessor));
            if let Some(outcome) = outcome
                && let Some(counter) = of_command.outcomes.get(outcome as usize)
            {
                counter.increment(1);
            }
            if let Some(time) = time {
                of_command.seconds.record(time);
            }
        }
        if let Some([of_commands, of_replies]) = bytes {
            let [sent, received] = handles.bytes.get_or_init(|| {
                let label = || vec![Label::from_static_parts("template", schema.template)];
                [SENT_BYTES, RECEIVED_BYTES].map(|metric| counter(recorder, &metric, label()))
            });
            sent.increment(of_commands);
            received.increment(of_replies);
        }
    });
}

/// Counts a rejected call by the rule that it breaks.
#[cold]
pub(crate) fn rejected(schema: &'static Schema, rule: &'static str) {
    with(schema, |handles, recorder| {
        let labels = || {
            [("template", schema.template), ("rule", rule)].map(|(name, value)| Label::from_static_parts(name, value))
        };
        handles.rules.get(rule, || counter(recorder, &REJECTED, labels().to_vec())).increment(1);
    });
}

/// Records the round trip of a batch.
pub(crate) fn batch(time: Duration, commands: usize) {
    static KEPT: OnceLock<OfBatches> = OnceLock::new();
    metrics::with_recorder(|recorder| {
        let record = |handles: &OfBatches| {
            handles.seconds.record(time);
            #[expect(clippy::cast_precision_loss, reason = "batches have few commands")]
            handles.commands.record(commands as f64);
        };
        match installed(recorder) {
            Installation::Nothing => {}
            Installation::ForAll => catch_panics(|| record(KEPT.get_or_init(|| OfBatches::new(recorder)))),
            Installation::ForThread => catch_panics(|| record(&OfBatches::new(recorder))),
        }
    });
}

/// Counts with the counter at `index` of a driver.
#[inline]
pub(crate) fn count(driver: &'static Driver, index: usize, number: u64, schema: &'static Schema) {
    of_driver(driver, schema, |handles| {
        if let Some(counter) = handles.counters.get(index) {
            counter.increment(number);
        }
    });
}

/// Records a duration of a driver.
pub(crate) fn record(driver: &'static Driver, time: Duration, schema: &'static Schema) {
    of_driver(driver, schema, |handles| {
        if let Some(seconds) = &handles.seconds {
            seconds.record(time);
        }
    });
}

#[inline]
fn of_driver(driver: &'static Driver, schema: &'static Schema, then: impl FnOnce(&OfDriver)) {
    with(schema, |handles, recorder| {
        let name = driver.counters.first().map_or("", |metric| metric.name);
        then(handles.drivers.get(name, || OfDriver::new(recorder, driver, schema)));
    });
}

/// Calls a function with the handles of a declaration, if a recorder is installed.
#[inline]
fn with(schema: &'static Schema, then: impl FnOnce(&Handles, &dyn Recorder)) {
    metrics::with_recorder(|recorder| match installed(recorder) {
        Installation::Nothing => {}
        Installation::ForAll => catch_panics(|| then(kept(schema), recorder)),
        Installation::ForThread => catch_panics(|| then(&Handles::default(), recorder)),
    });
}

/// Calls a recorder. If it panics, only its record is lost: the server may have executed the command, and the caller
/// must get its result.
#[inline]
fn catch_panics(record: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(record));
}

/// The kept handles of a declaration, in a hash table by the address of its schema.
///
/// A static for each declaration would avoid the table, but make a declaration take 15 % longer to check.
#[inline]
fn kept(schema: &'static Schema) -> &'static Handles {
    static KEPT: [AppendOnlyList<usize, Handles>; 256] = [const { AppendOnlyList::new() }; 256];
    let address = ptr::from_ref(schema).addr();
    // Schemas are larger than 256 bytes.
    let [_, slot, ..] = address.to_le_bytes();
    KEPT[usize::from(slot)].get(address, Handles::default)
}

/// Whether there is a recorder.
#[inline]
pub(crate) fn is_recorded() -> bool {
    metrics::with_recorder(|recorder| !is_noop(recorder))
}

/// The recorder without effect, which is there until another is installed, is a static without a size. A recorder for
/// the whole program is in a box. For a type without a size, a box has no memory, so its address is tiny.
#[inline]
fn is_noop(recorder: &dyn Recorder) -> bool {
    size_of_val(recorder) == 0 && address(recorder) >= 4096
}

enum Installation {
    Nothing,
    /// For the whole program, until its end.
    ForAll,
    /// For this thread, until its guard is dropped. Then another recorder can have its address.
    ForThread,
}

/// The address of the recorder for the whole program, when it is known.
static FOR_ALL: AtomicUsize = AtomicUsize::new(0);

#[inline]
fn installed(recorder: &dyn Recorder) -> Installation {
    if is_noop(recorder) {
        Installation::Nothing
    } else if address(recorder) == FOR_ALL.load(Relaxed) {
        Installation::ForAll
    } else {
        look_at(recorder)
    }
}

/// Finds out whether a recorder is installed for the whole program: if so, a new thread has it too.
#[cold]
fn look_at(recorder: &dyn Recorder) -> Installation {
    thread_local! {
        /// The address of the last recorder that was for this thread only.
        static FOR_THREAD: Cell<usize> = const { Cell::new(0) };
    }
    let address = address(recorder);
    if FOR_THREAD.replace(address) == address {
        return Installation::ForThread;
    }
    if FOR_ALL.load(Relaxed) != 0 {
        return Installation::ForThread;
    }
    let of_new_thread = thread::Builder::new().spawn(|| metrics::with_recorder(self::address));
    if of_new_thread.is_ok_and(|thread| thread.join().is_ok_and(|found| found == address)) {
        FOR_ALL.store(address, Relaxed);
        return Installation::ForAll;
    }
    Installation::ForThread
}

fn address(recorder: &dyn Recorder) -> usize {
    ptr::from_ref(recorder).cast::<()>().addr()
}

impl OfCommand {
    fn new(recorder: &dyn Recorder, schema: &'static Schema, accessor: Accessor) -> Self {
        let labels = || {
            vec![
                Label::from_static_parts("template", schema.template),
                Label::from_static_parts("command", accessor.name()),
            ]
        };
        Self {
            outcomes: Outcome::ALL.map(|outcome| {
                let mut labels = labels();
                labels.push(Label::from_static_parts("outcome", outcome.name()));
                counter(recorder, &COMMANDS, labels)
            }),
            seconds: histogram(recorder, &SECONDS, labels()),
        }
    }
}

impl OfDriver {
    fn new(recorder: &dyn Recorder, driver: &Driver, schema: &'static Schema) -> Self {
        let label = || vec![Label::from_static_parts("template", schema.template)];
        Self {
            counters: driver.counters.iter().map(|metric| counter(recorder, metric, label())).collect(),
            seconds: driver.seconds.first().map(|metric| histogram(recorder, metric, label())),
        }
    }
}

impl OfBatches {
    fn new(recorder: &dyn Recorder) -> Self {
        Self {
            seconds: histogram(recorder, &BATCH_SECONDS, Vec::new()),
            commands: histogram(recorder, &BATCH_COMMANDS, Vec::new()),
        }
    }
}

fn counter(recorder: &dyn Recorder, metric: &Metric, labels: Vec<Label>) -> Counter {
    recorder.describe_counter(metric.name.into(), Some(unit(metric)), metric.description.into());
    recorder.register_counter(&Key::from_parts(metric.name, labels), &METADATA)
}

fn histogram(recorder: &dyn Recorder, metric: &Metric, labels: Vec<Label>) -> Histogram {
    recorder.describe_histogram(metric.name.into(), Some(unit(metric)), metric.description.into());
    recorder.register_histogram(&Key::from_parts(metric.name, labels), &METADATA)
}

/// Sets a gauge without labels.
#[cfg(feature = "cache")]
#[allow(clippy::cast_precision_loss, reason = "metrics are floats")]
pub(crate) fn set_gauge(metric: &Metric, value: u64) {
    let set = || {
        metrics::with_recorder(|recorder| {
            recorder.describe_gauge(metric.name.into(), Some(unit(metric)), metric.description.into());
            let gauge = recorder.register_gauge(&Key::from_parts(metric.name, Vec::new()), &METADATA);
            gauge.set(value as f64);
        });
    };
    // A recorder that panics must not stop its caller.
    _ = catch_unwind(AssertUnwindSafe(set));
}

fn unit(metric: &Metric) -> Unit {
    match metric.name {
        name if name.ends_with("_seconds") => Unit::Seconds,
        name if name.ends_with("_bytes_total") || name.ends_with("_bytes") => Unit::Bytes,
        _ => Unit::Count,
    }
}

static METADATA: Metadata<'static> = Metadata::new("redis_keys", Level::INFO, Some("redis_keys"));
