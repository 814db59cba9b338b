//! Families of metrics: the names, labels and descriptions that programs, dashboards and the guide share.

/// A family of metrics: in Prometheus's terms, the metrics with the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The name, such as `redis_keys_stock_keys`.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: MetricKind,
    /// The names of its labels, in the order in which they are written.
    pub labels: &'static [&'static str],
    /// The description, in one line.
    pub description: &'static str,
}

/// The kind of a [`Metric`]'s values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows.
    Counter,
    /// A number that can go up and down.
    Gauge,
    /// Numbers of values in ranges.
    Histogram,
}

impl MetricKind {
    /// The name, as Prometheus writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}
