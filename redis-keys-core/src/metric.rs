//! The metrics that programs and the tool report.

/// A family of metrics, as Prometheus calls what has one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "it is what a table has")]
pub struct Metric {
    /// The name, such as `redis_keys_commands_total`.
    pub name: &'static str,
    /// The type of its values.
    pub kind: MetricKind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The meaning of its values, as a sentence.
    pub description: &'static str,
}

/// The type of a metric's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "these are the types that are used")]
pub enum MetricKind {
    /// A number that only grows.
    Counter,
    /// A number that goes up and down.
    Gauge,
    /// Observations, such as durations.
    Histogram,
}
