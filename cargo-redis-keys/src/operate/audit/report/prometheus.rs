//! The report as metrics for Prometheus.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redis_keys_core::metric::{Metric, MetricKind};

use super::document::{DeclarationSummary, Document, HotSubject, HotSummary, HotTotal};
use crate::render::{StoredSubject, printable};

/// The most patterns of unknown keys with separate samples.
const PATTERNS: usize = 50;

/// The pattern that stands for all others.
const OTHER: &str = "other";

/// Declares the metrics, each with its name, its labels and its description, and the list of all of them.
macro_rules! gauges {
    ($($id:ident $name:literal $labels:tt $description:literal;)+) => {
        $(const $id: Metric =
            Metric { name: $name, kind: MetricKind::Gauge, labels: &$labels, description: $description };)+

        /// The metrics that `cargo redis-keys audit --prometheus` writes, in this order. All of them are gauges.
        pub const STOCK: &[Metric] = &[$($id),+];
    };
}

gauges! {
    KEYS "redis_keys_stock_keys" ["template"]
        "Keys of a declaration that the audit has read. A sample is not scaled up.";
    BYTES "redis_keys_stock_bytes" ["template"]
        "Memory of the keys of a declaration that the audit has read. A sample is not scaled up.";
    KEYS_WITHOUT_EXPIRY "redis_keys_stock_keys_without_expiry" ["template"]
        "Keys of a declaration that never expire. A sample is not scaled up.";
    LARGEST_VALUE_BYTES "redis_keys_stock_largest_value_bytes" ["template"]
        "Memory of the largest key of a declaration that the audit has read.";
    TTL_SECONDS "redis_keys_stock_ttl_seconds" ["template"]
        "Declared `ttl`, without jitter.";
    STALE_SECONDS "redis_keys_stock_stale_seconds" ["template"]
        "Time after its `ttl` for which an expired value of a cached key stays, in case its loader fails.";
    FINDINGS "redis_keys_stock_findings" ["template", "finding"]
        "Keys with a finding of the audit, or servers with a finding about settings. The template is empty if it belongs to \
         no declaration. A sample is not scaled up.";
    UNKNOWN_KEYS "redis_keys_stock_unknown_keys" ["pattern"]
        "Keys without a declaration, of the 50 patterns with most keys, and of all others. A sample is not scaled up.";
    UNKNOWN_BYTES "redis_keys_stock_unknown_bytes" ["pattern"]
        "Memory of keys without a declaration, of the same patterns. A sample is not scaled up.";
    FOREIGN_KEYS "redis_keys_stock_foreign_keys" ["program"]
        "Keys of another program that the policy names. A sample is not scaled up.";
    FOREIGN_BYTES "redis_keys_stock_foreign_bytes" ["program"]
        "Memory of the keys of another program that the policy names. A sample is not scaled up.";
    HOT_CPU_RATIO "redis_keys_stock_hot_cpu_ratio" ["template"]
        "Share of the CPU time of all commands on keys that the hot keys of a declaration take, as HOTKEYS of the servers has \
         counted it. The template is empty for all hot keys without a declaration.";
    HOT_NETWORK_RATIO "redis_keys_stock_hot_network_ratio" ["template"]
        "Share of the bytes of all commands on keys and their replies that the hot keys of a declaration take, as HOTKEYS of \
         the servers has counted it. The template is empty for all hot keys without a declaration.";
    AUDIT_KEYS "redis_keys_stock_audit_keys" []
        "Keys that the audit has read: declared keys, unknown keys, and keys of other programs.";
    AUDIT_BYTES "redis_keys_stock_audit_bytes" [] "Memory of the keys that the audit has read.";
    AUDIT_COVERAGE_RATIO "redis_keys_stock_audit_coverage_ratio" []
        "Share of the keys of the servers that the audit has read: 1 if it has read all of them.";
    AUDIT_MISSING_CHECKS "redis_keys_stock_audit_missing_checks" []
        "Checks that the audit could not make. Its report names them.";
    AUDIT_TIMESTAMP_SECONDS "redis_keys_stock_audit_timestamp_seconds" [] "Start of the audit, in seconds since 1970.";
    AUDIT_DURATION_SECONDS "redis_keys_stock_audit_duration_seconds" [] "Duration of the audit in seconds.";
}

impl Document {
    /// The report as metrics. Texts are the summary's texts for a terminal, but not shortened.
    pub(super) fn to_prometheus(&self, started: SystemTime) -> String {
        let mut metrics = Exposition::default();
        self.add_declarations(&mut metrics);
        metrics.add(&FINDINGS, self.findings_by_labels());
        let patterns = self.unknown_by_pattern();
        metrics.add(&UNKNOWN_KEYS, patterns.iter().map(|(pattern, (keys, _))| ([pattern], *keys)));
        metrics.add(&UNKNOWN_BYTES, patterns.iter().map(|(pattern, (_, bytes))| ([pattern], *bytes)));
        let programs = || self.foreign.iter().map(|summary| (printable(&summary.program), summary));
        metrics.add(&FOREIGN_KEYS, programs().map(|(program, summary)| ([program], summary.keys)));
        metrics.add(&FOREIGN_BYTES, programs().map(|(program, summary)| ([program], summary.bytes)));
        if let Some(HotTotal { cpu_us, network_bytes, .. }) = self.hot_total {
            metrics.add(&HOT_CPU_RATIO, self.hot_shares(cpu_us, |hot| hot.cpu_us));
            metrics.add(&HOT_NETWORK_RATIO, self.hot_shares(network_bytes, |hot| hot.network_bytes));
        }
        metrics.add_value(&AUDIT_KEYS, Some(self.total.keys));
        metrics.add_value(&AUDIT_BYTES, Some(self.total.bytes));
        metrics.add_value(&AUDIT_COVERAGE_RATIO, self.total.coverage);
        metrics.add_value(&AUDIT_MISSING_CHECKS, Some(self.not_checked.len()));
        let started = started.duration_since(UNIX_EPOCH).unwrap_or_default();
        metrics.add_value(&AUDIT_TIMESTAMP_SECONDS, Some(started.as_secs()));
        metrics.add_value(&AUDIT_DURATION_SECONDS, Some(Duration::from_millis(self.took_ms).as_secs_f64()));
        metrics.text
    }

    fn add_declarations(&self, metrics: &mut Exposition) {
        // Several packages can declare the same template.
        let mut templates = BTreeMap::<String, Vec<&DeclarationSummary>>::new();
        for summary in &self.declarations {
            templates.entry(printable(&summary.template)).or_default().push(summary);
        }
        let sum = |of: fn(&DeclarationSummary) -> u64| {
            templates
                .iter()
                .map(move |(template, same)| ([template], same.iter().map(|summary| of(summary)).sum::<u64>()))
        };
        metrics.add(&KEYS, sum(|summary| summary.keys));
        metrics.add(&BYTES, sum(|summary| summary.bytes));
        metrics.add(&KEYS_WITHOUT_EXPIRY, sum(|summary| summary.without_expiry));
        let largest = |same: &[&DeclarationSummary]| same.iter().filter_map(|summary| Some(summary.sizes?.max)).max();
        let largest = templates.iter().map(|(template, same)| ([template], largest(same).unwrap_or(0)));
        metrics.add(&LARGEST_VALUE_BYTES, largest);
        let longest = |of: fn(&DeclarationSummary) -> Option<u64>| {
            let of_template = move |same: &[&DeclarationSummary]| same.iter().filter_map(|summary| of(summary)).max();
            templates.iter().filter_map(move |(template, same)| {
                let ms = of_template(same)?;
                Some(([template], Duration::from_millis(ms).as_secs_f64()))
            })
        };
        metrics.add(&TTL_SECONDS, longest(|summary| summary.ttl_ms));
        metrics.add(&STALE_SECONDS, longest(|summary| summary.stale_ms));
    }

    /// The number of keys of each finding by template and name. A finding without keys counts as one.
    fn findings_by_labels(&self) -> BTreeMap<[String; 2], u64> {
        let mut findings = BTreeMap::new();
        for finding in &self.findings {
            let template =
                if let Some(StoredSubject::Declaration { template, .. }) = finding.stored() { template } else { "" };
            let labels = [printable(template), finding.code.name().to_owned()];
            *findings.entry(labels).or_default() += finding.figures.count.max(1);
        }
        findings
    }

    /// The shares of hot keys by template, relative to the collected commands.
    fn hot_shares(&self, whole: Option<u64>, of: fn(&HotSummary) -> u64) -> BTreeMap<[String; 1], f64> {
        let Some(whole) = whole.filter(|whole| *whole > 0) else { return BTreeMap::new() };
        let mut parts = BTreeMap::<_, u64>::new();
        for hot in &self.hot_keys {
            let template = if let HotSubject::Template(template) = &hot.subject { template } else { "" };
            let part = parts.entry([printable(template)]).or_default();
            *part = part.saturating_add(of(hot));
        }
        #[allow(clippy::cast_precision_loss, reason = "a share needs few digits")]
        let share = |part: u64| part as f64 / whole as f64;
        parts.into_iter().map(|(template, part)| (template, share(part))).collect()
    }

    /// The number and the memory of unknown keys: for the patterns with most keys, and for all others together.
    fn unknown_by_pattern(&self) -> BTreeMap<String, (u64, u64)> {
        // Keys of one pattern can have several types.
        let mut patterns = BTreeMap::new();
        for summary in &self.unknown {
            add(&mut patterns, printable(&summary.pattern), (summary.keys, summary.bytes));
        }
        let mut by_keys: Vec<_> = patterns.into_iter().collect();
        by_keys.sort_by_key(|(_, (keys, _))| Reverse(*keys));
        let rest = by_keys.split_off(by_keys.len().min(PATTERNS));
        let mut listed: BTreeMap<_, _> = by_keys.into_iter().collect();
        let others = (self.unknown_others.keys, self.unknown_others.bytes);
        for size in rest.into_iter().map(|(_, size)| size).chain([others]).filter(|(keys, _)| *keys > 0) {
            add(&mut listed, OTHER.to_owned(), size);
        }
        listed
    }
}

fn add(sizes: &mut BTreeMap<String, (u64, u64)>, pattern: String, (keys, bytes): (u64, u64)) {
    let sum = sizes.entry(pattern).or_default();
    *sum = (sum.0 + keys, sum.1 + bytes);
}

/// The text of families of metrics.
#[derive(Debug, Default)]
struct Exposition {
    text: String,
}

impl Exposition {
    /// Adds a family. Each sample has a value for each label, and other values than every sample before it. A family
    /// without samples is left out.
    fn add<L, V>(&mut self, metric: &Metric, samples: impl IntoIterator<Item = (L, V)>)
    where
        L: IntoIterator<Item: AsRef<str>>,
        V: Display,
    {
        let Metric { name, kind, labels, description } = metric;
        for (index, (values, value)) in samples.into_iter().enumerate() {
            if index == 0 {
                let _ = writeln!(self.text, "# HELP {name} {}", escaped_help(description));
                let _ = writeln!(self.text, "# TYPE {name} {}", kind.name());
            }
            let labels = labels.iter().zip(values);
            let labels: Vec<_> =
                labels.map(|(label, value)| format!("{label}=\"{}\"", escaped(value.as_ref()))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(self.text, "{name}{labels} {value}");
        }
    }

    /// Adds a family without labels, if its value is known.
    fn add_value(&mut self, metric: &Metric, value: Option<impl Display>) {
        self.add(metric, value.map(|value| ([""; 0], value)));
    }
}

/// A label's value. All other characters stand for themselves.
fn escaped(value: &str) -> String {
    escaped_help(value).replace('"', "\\\"")
}

/// A description, in which a quotation mark stands for itself.
fn escaped_help(description: &str) -> String {
    description.replace('\\', "\\\\").replace('\n', "\\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use proptest::prelude::*;
    use redis_keys_core::metric::MetricKind;
    use redis_keys_tests::read_exposition;

    use super::*;

    const SIZES: Metric = Metric {
        name: "sizes_bytes",
        kind: MetricKind::Gauge,
        labels: &["key", "node"],
        description: "A \\ \"size\"\n.",
    };

    #[test]
    fn families_have_a_description_and_a_type() {
        let mut metrics = Exposition::default();
        metrics.add(&SIZES, [(["a\\b\"c\nd", ""], 7_u64), (["é{}", "x"], u64::MAX)]);
        metrics.add(&Metric { name: "empty", ..SIZES }, [([""; 2], 1); 0]);
        metrics.add_value(&Metric { name: "share_ratio", labels: &[], ..SIZES }, Some(0.25));
        metrics.add_value(&Metric { name: "unknown", labels: &[], ..SIZES }, None::<u64>);
        let expected = r#"# HELP sizes_bytes A \\ "size"\n.
# TYPE sizes_bytes gauge
sizes_bytes{key="a\\b\"c\nd",node=""} 7
sizes_bytes{key="é{}",node="x"} 18446744073709551615
# HELP share_ratio A \\ "size"\n.
# TYPE share_ratio gauge
share_ratio 0.25
"#;
        assert_eq!(metrics.text, expected);
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(
            texts in proptest::collection::btree_set(("[\\\\\"\n{},= a]{0,8}", any::<String>()), 1..8),
            description in "[\\\\\"\n a]{0,8}|\\PC{0,20}",
        ) {
            let mut metrics = Exposition::default();
            let description: &'static str = description.leak();
            metrics.add(&Metric { description, ..SIZES }, texts.iter().map(|(key, node)| ([key, node], 1)));
            let families = read_exposition(&metrics.text).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&families[0].help, description);
            let read = families[0].samples.iter().map(|(labels, _)| (labels["key"].clone(), labels["node"].clone()));
            prop_assert_eq!(read.collect::<std::collections::BTreeSet<_>>(), texts);
        }
    }
}
