//! The tables of metrics in `docs/guide/metrics.md` and the dashboard for Grafana, both from the table of metrics, so
//! that neither can lack one; the rules for alerts; and the examples that show metrics and spans.

#![allow(clippy::expect_used, clippy::panic, reason = "a file that cannot be made is not up to date")]

mod alerts;
mod dashboard;
mod examples;
mod panels;
mod table;

use std::path::Path;
use std::{env, fs};

use redis_keys_core::metric::Metric;
use serde_json::Value;

/// The page about metrics, queries and spans, from the root of the repository.
const PAGE: &str = "redis-keys/docs/guide/observability.md";

/// The page with the tables of all metrics.
const TABLES: &str = "redis-keys/docs/guide/metrics.md";

/// The dashboard.
const DASHBOARD: &str = "dashboards/redis-keys.json";

/// All metrics, by what reports them.
struct Metrics {
    commands: Vec<Metric>,
    /// The metrics of each driver, such as `cache`, in the order of its table.
    drivers: Vec<(String, Vec<Metric>)>,
    stock: Vec<Metric>,
}

impl Metrics {
    fn all() -> Self {
        let mut metrics = Self { commands: Vec::new(), drivers: Vec::new(), stock: cargo_redis_keys::STOCK.to_vec() };
        for metric in redis_keys::__private::metric_families() {
            let name = metric.name.strip_prefix("redis_keys_").expect("names begin like this");
            let near = name.starts_with("cache_near_").then_some("cache_near");
            match near.or(name.split('_').next()).unwrap_or_default() {
                "commands" | "command" | "rejected" | "batch" | "sent" | "received" => metrics.commands.push(metric),
                driver => match metrics.drivers.iter_mut().find(|(name, _)| name == driver) {
                    Some((_, of_driver)) => of_driver.push(metric),
                    None => metrics.drivers.push((driver.to_owned(), vec![metric])),
                },
            }
        }
        metrics
    }

    fn iter(&self) -> impl Iterator<Item = &Metric> {
        let drivers = self.drivers.iter().flat_map(|(_, metrics)| metrics);
        self.commands.iter().chain(drivers).chain(&self.stock)
    }
}

#[test]
fn the_page_of_tables_is_up_to_date() {
    let page = read(TABLES);
    let new = table::in_page(&page, &Metrics::all());
    write_or_compare(TABLES, &new, page == new);
}

/// The text of the page is written by hand.
#[test]
fn the_page_names_no_other_metrics() {
    let metrics = Metrics::all();
    let is_known = |name: &str| {
        metrics
            .iter()
            .any(|metric| metric.name == name || dashboard::series(metric).iter().any(|series| series == name))
    };
    let page = read(PAGE);
    let unknown: Vec<_> = dashboard::names_in(&page).filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// The numbers of the sample differ from run to run.
#[test]
fn the_page_shows_metrics_as_they_are() {
    let (metrics, page) = (Metrics::all(), read(PAGE));
    for line in page.lines() {
        let is_right = |metric: &Metric| {
            let labels: Vec<_> = metric.labels.iter().map(|label| format!("{label}=\"")).collect();
            line == format!("# HELP {} {}", metric.name, metric.description)
                || line == format!("# TYPE {} {}", metric.name, metric.kind.name())
                || (line.starts_with(metric.name) && labels.iter().all(|label| line.contains(label)))
        };
        let is_sample = line.starts_with("# HELP") || line.starts_with("# TYPE") || line.starts_with("redis_keys_");
        assert!(!is_sample || metrics.iter().any(is_right), "{line}");
    }
}

#[test]
fn the_dashboard_is_up_to_date() {
    let new = dashboard::json(&Metrics::all());
    let current: Value = serde_json::from_str(&read(DASHBOARD)).unwrap_or_default();
    write_or_compare(DASHBOARD, &format!("{new:#}\n"), current == new);
}

fn write_or_compare(path: &str, new: &str, is_up_to_date: bool) {
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(root().join(path), new).expect("the file is writable");
    }
    assert!(
        is_up_to_date,
        "{path} is outdated\nhelp: UPDATE_DOCS=1 cargo test -p redis-keys-tests --test observability is_up_to_date"
    );
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
