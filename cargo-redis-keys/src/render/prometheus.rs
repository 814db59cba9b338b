//! Metrics in the text format 0.0.4 of Prometheus.

use std::fmt::{Display, Write as _};

use redis_keys_core::metric::Metric;

/// The text of families of metrics.
#[derive(Debug, Default)]
pub(crate) struct Exposition {
    text: String,
}

impl Exposition {
    /// Adds a family. Each sample has a value for each label, and other values than every sample before it. A family
    /// without samples is left out.
    pub(crate) fn add<L, V>(&mut self, metric: &Metric, samples: impl IntoIterator<Item = (L, V)>)
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
    pub(crate) fn add_value(&mut self, metric: &Metric, value: Option<impl Display>) {
        self.add(metric, value.map(|value| ([""; 0], value)));
    }

    /// The text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// The value of a label. All other characters stand for themselves.
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
        assert_eq!(metrics.into_text(), expected);
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
            let families = read_exposition(&metrics.into_text()).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&families[0].help, description);
            let read = families[0].samples.iter().map(|(labels, _)| (labels["key"].clone(), labels["node"].clone()));
            prop_assert_eq!(read.collect::<std::collections::BTreeSet<_>>(), texts);
        }
    }
}
