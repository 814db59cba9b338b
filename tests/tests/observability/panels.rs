//! The rows and panels of the dashboard.
//!
//! In queries, `TEMPLATES` selects the templates that are chosen at the top of the dashboard, and `RATE` is the time over
//! which Grafana computes rates.

use redis_keys_core::metric::{Metric, MetricKind};

use crate::Metrics;

pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
}

pub(crate) struct Panel {
    pub(crate) title: String,
    /// The unit, as Grafana calls it.
    pub(crate) unit: &'static str,
    /// Queries with the legends of their lines. A query without a legend is one number, and is shown as such.
    pub(crate) queries: Vec<(String, String)>,
}

fn row(title: &str, panels: impl IntoIterator<Item = Panel>) -> Row {
    Row { title: title.to_owned(), panels: panels.into_iter().collect() }
}

fn panel(title: &str, unit: &'static str, query: &str, legend: &str) -> Panel {
    Panel { title: title.to_owned(), unit, queries: vec![(query.to_owned(), legend.to_owned())] }
}

/// All rows. Each driver has its counters and histograms; `of_driver` adds what is computed from several of them.
pub(crate) fn rows(metrics: &Metrics) -> Vec<Row> {
    let mut rows = vec![traffic(), latency(), errors(), batches()];
    rows.extend(metrics.drivers.iter().map(|(driver, metrics)| of_driver(driver, metrics)));
    rows.extend([stock(), audit()]);
    rows
}

fn traffic() -> Row {
    row(
        "Commands: traffic",
        [
            panel(
                "Calls by template",
                "reqps",
                "sum by (template) (rate(redis_keys_commands_total{TEMPLATES}[RATE]))",
                "{{template}}",
            ),
            panel(
                "Calls by command",
                "reqps",
                "sum by (command) (rate(redis_keys_commands_total{TEMPLATES}[RATE]))",
                "{{command}}",
            ),
            // Of accessors that have found nothing once: most writes have no such outcome.
            panel(
                "Reads that find nothing",
                "percentunit",
                "sum by (template) (rate(redis_keys_commands_total{outcome=\"absent\", TEMPLATES}[RATE])) \
             / sum by (template) (rate(redis_keys_commands_total{outcome=~\"ok|absent\", TEMPLATES}[RATE]) \
             and on (template, command) (redis_keys_commands_total{outcome=\"absent\", TEMPLATES} > 0))",
                "{{template}}",
            ),
            panel(
                "Bytes sent",
                "Bps",
                "sum by (template) (rate(redis_keys_sent_bytes_total{TEMPLATES}[RATE]))",
                "{{template}}",
            ),
            panel(
                "Bytes received",
                "Bps",
                "sum by (template) (rate(redis_keys_received_bytes_total{TEMPLATES}[RATE]))",
                "{{template}}",
            ),
            panel(
                "Calls by outcome",
                "reqps",
                "sum by (outcome) (rate(redis_keys_commands_total{TEMPLATES}[RATE]))",
                "{{outcome}}",
            ),
        ],
    )
}

fn latency() -> Row {
    let of = |quantile: &str, label: &str| {
        let query = format!(
            "histogram_quantile({quantile}, sum by (le, {label}) (rate(redis_keys_command_seconds_bucket{{TEMPLATES}}[RATE])))"
        );
        (query, format!("{{{{{label}}}}}"))
    };
    let panels = [
        ("Median by template", of("0.5", "template")),
        ("99th percentile by template", of("0.99", "template")),
        ("99th percentile by command", of("0.99", "command")),
    ];
    row("Commands: time", panels.map(|(title, (query, legend))| panel(title, "s", &query, &legend)))
}

fn errors() -> Row {
    row(
        "Commands: errors",
        [
            panel(
                "Failed calls, and calls without a reply",
                "reqps",
                "sum by (template, command, outcome) (rate(redis_keys_commands_total{outcome=~\"failed|unknown\", TEMPLATES}[RATE])) > 0",
                "{{command}} {{template}}: {{outcome}}",
            ),
            panel(
                "Share of all calls that failed or have no reply",
                "percentunit",
                "sum by (template) (rate(redis_keys_commands_total{outcome=~\"failed|unknown\", TEMPLATES}[RATE])) \
             / sum by (template) (rate(redis_keys_commands_total{TEMPLATES}[RATE]))",
                "{{template}}",
            ),
            panel(
                "Rejected calls by template",
                "reqps",
                "sum by (template) (rate(redis_keys_commands_total{outcome=\"rejected\", TEMPLATES}[RATE]))",
                "{{template}}",
            ),
            panel(
                "Rejected calls by rule",
                "reqps",
                "sum by (rule) (rate(redis_keys_rejected_total{TEMPLATES}[RATE]))",
                "{{rule}}",
            ),
        ],
    )
}

fn batches() -> Row {
    row(
        "Batches and atomic groups",
        [
            panel("Batches", "reqps", "sum(rate(redis_keys_batch_seconds_count[RATE]))", "batches"),
            panel(
                "Calls in a batch, on average",
                "short",
                "sum(rate(redis_keys_batch_commands_sum[RATE])) / sum(rate(redis_keys_batch_commands_count[RATE]))",
                "calls",
            ),
            Panel {
                title: "Time of a batch".to_owned(),
                unit: "s",
                queries: quantiles("redis_keys_batch_seconds", &[], ""),
            },
        ],
    )
}

/// The title of a driver's row, and of its table in the guide.
pub(crate) fn title(driver: &str) -> &'static str {
    match driver {
        "cache" => "Caches",
        "cache_near" => "Near copies",
        "lock" => "Locks",
        "limit" => "Rate limits",
        "jobs" => "Jobs",
        "filter" => "Bloom filters",
        "secret" => "Encrypted values",
        "channel" => "Channels",
        other => panic!("a title for `{other}` is missing"),
    }
}

fn of_driver(driver: &str, metrics: &[Metric]) -> Row {
    let share = match driver {
        "cache" => {
            // A refresh is a load for which no call waits.
            Some(panel(
                "Share of calls with a result from Redis",
                "percentunit",
                "sum by (template) (rate(redis_keys_cache_hits_total{TEMPLATES}[RATE]) \
                 + rate(redis_keys_cache_absent_hits_total{TEMPLATES}[RATE])) \
                 / sum by (template) (rate(redis_keys_cache_hits_total{TEMPLATES}[RATE]) \
                 + rate(redis_keys_cache_absent_hits_total{TEMPLATES}[RATE]) \
                 + rate(redis_keys_cache_shared_total{TEMPLATES}[RATE]) \
                 + rate(redis_keys_cache_loads_total{TEMPLATES}[RATE]) \
                 - rate(redis_keys_cache_refreshes_total{TEMPLATES}[RATE]))",
                "{{template}}",
            ))
        }
        "cache_near" => Some(panel(
            "Share of calls that a copy has answered",
            "percentunit",
            "sum by (template) (rate(redis_keys_cache_near_hits_total{TEMPLATES}[RATE])) \
             / sum by (template) (rate(redis_keys_cache_near_hits_total{TEMPLATES}[RATE]) \
             + rate(redis_keys_cache_near_reads_total{TEMPLATES}[RATE]))",
            "{{template}}",
        )),
        "lock" => Some(panel(
            "Share of attempts that were not successful in time",
            "percentunit",
            "sum by (template) (rate(redis_keys_lock_timed_out_total{TEMPLATES}[RATE])) \
             / sum by (template) (rate(redis_keys_lock_timed_out_total{TEMPLATES}[RATE]) \
             + rate(redis_keys_lock_acquired_total{TEMPLATES}[RATE]))",
            "{{template}}",
        )),
        "limit" => Some(panel(
            "Share of decided requests that were refused",
            "percentunit",
            "sum by (template) (rate(redis_keys_limit_refused_total{TEMPLATES}[RATE])) \
             / sum by (template) (rate(redis_keys_limit_refused_total{TEMPLATES}[RATE]) \
             + rate(redis_keys_limit_allowed_total{TEMPLATES}[RATE]))",
            "{{template}}",
        )),
        "jobs" => Some(panel(
            "Share of tries that were not successful",
            "percentunit",
            "1 - sum by (template) (rate(redis_keys_jobs_done_total{TEMPLATES}[RATE])) \
             / sum by (template) (rate(redis_keys_jobs_done_total{TEMPLATES}[RATE]) \
             + rate(redis_keys_jobs_retried_total{TEMPLATES}[RATE]) \
             + rate(redis_keys_jobs_died_total{TEMPLATES}[RATE]) \
             + rate(redis_keys_jobs_buried_total{TEMPLATES}[RATE]))",
            "{{template}}",
        )),
        _ => None,
    };
    row(title(driver), share.into_iter().chain(each_metric(driver, metrics)))
}

/// The counters of a driver on one panel, and each other metric on its own.
fn each_metric(driver: &str, metrics: &[Metric]) -> Vec<Panel> {
    let (counters, others): (Vec<_>, Vec<_>) =
        metrics.iter().partition(|metric| matches!(metric.kind, MetricKind::Counter));
    let lines = counters.iter().map(|metric| {
        let (by, selected, legend) = by_template(metric);
        let name = metric.name.trim_start_matches("redis_keys_").trim_start_matches(driver).trim_matches('_');
        let name = name.trim_end_matches("_total").replace('_', " ");
        // Most of them are seldom counted.
        (format!("sum{by}(rate({}{selected}[RATE])) > 0", metric.name), format!("{name} {legend}"))
    });
    let events = Panel { title: "Counters".to_owned(), unit: "cps", queries: lines.collect() };
    let others = others.into_iter().map(|metric| {
        let (by, selected, legend) = by_template(&metric);
        let queries = match metric.kind {
            MetricKind::Histogram => quantiles(metric.name, metric.labels, legend),
            _ => vec![(format!("sum{by}({}{selected})", metric.name), legend.to_owned())],
        };
        let unit = match metric.name {
            name if name.ends_with("_seconds") => "s",
            name if name.ends_with("_bytes") => "bytes",
            _ => "short",
        };
        Panel { title: metric.description.trim_end_matches('.').to_owned(), unit, queries }
    });
    std::iter::once(events).filter(|panel| !panel.queries.is_empty()).chain(others).collect()
}

fn by_template(metric: &Metric) -> (&'static str, &'static str, &'static str) {
    if metric.labels.contains(&"template") { (" by (template) ", "{TEMPLATES}", "{{template}}") } else { ("", "", "") }
}

/// The median and the 99th percentile of a histogram.
fn quantiles(name: &str, labels: &[&str], legend: &str) -> Vec<(String, String)> {
    let (by, selected) = if labels.contains(&"template") { ("le, template", "{TEMPLATES}") } else { ("le", "") };
    let of = |quantile: &str, title: &str| {
        let query = format!("histogram_quantile({quantile}, sum by ({by}) (rate({name}_bucket{selected}[RATE])))");
        (query, format!("{title} {legend}").trim().to_owned())
    };
    vec![of("0.5", "median"), of("0.99", "99th percentile")]
}

fn stock() -> Row {
    let of_template = |title, unit, name: &str| {
        panel(title, unit, &format!("max by (template) ({name}{{TEMPLATES}}) > 0"), "{{template}}")
    };
    let of = |title, unit, name: &str, label: &str| {
        panel(title, unit, &format!("max by ({label}) ({name})"), &format!("{{{{{label}}}}}"))
    };
    row(
        "Stock: what the last audit has found",
        [
            of_template("Keys", "short", "redis_keys_stock_keys"),
            of_template("Memory", "bytes", "redis_keys_stock_bytes"),
            of_template("Largest value", "bytes", "redis_keys_stock_largest_value_bytes"),
            of_template("Keys without expiry", "short", "redis_keys_stock_keys_without_expiry"),
            of_template("Declared expiry", "s", "redis_keys_stock_ttl_seconds"),
            of_template("Time that expired values stay", "s", "redis_keys_stock_stale_seconds"),
            panel(
                "Findings",
                "short",
                "max by (template, finding) (redis_keys_stock_findings)",
                "{{finding}} {{template}}",
            ),
            of("Keys without a declaration", "short", "redis_keys_stock_unknown_keys", "pattern"),
            of("Memory of keys without a declaration", "bytes", "redis_keys_stock_unknown_bytes", "pattern"),
            of("Keys of other programs", "short", "redis_keys_stock_foreign_keys", "program"),
            of("Memory of keys of other programs", "bytes", "redis_keys_stock_foreign_bytes", "program"),
            of_template("CPU time of hot keys", "percentunit", "redis_keys_stock_hot_cpu_ratio"),
            of_template("Network of hot keys", "percentunit", "redis_keys_stock_hot_network_ratio"),
        ],
    )
}

fn audit() -> Row {
    row(
        "Stock: the last audit",
        [
            panel("Age", "s", "time() - max(redis_keys_stock_audit_timestamp_seconds)", ""),
            panel("Duration", "s", "max(redis_keys_stock_audit_duration_seconds)", ""),
            panel("Share of keys that it has read", "percentunit", "min(redis_keys_stock_audit_coverage_ratio)", ""),
            panel("Checks that it could not make", "short", "max(redis_keys_stock_audit_missing_checks)", ""),
            panel("Keys that it has read", "short", "max(redis_keys_stock_audit_keys)", ""),
            panel("Memory of these keys", "bytes", "max(redis_keys_stock_audit_bytes)", ""),
        ],
    )
}
