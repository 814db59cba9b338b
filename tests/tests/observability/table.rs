//! The tables of the page.

use std::fmt::Write as _;

use redis_keys_core::metric::Metric;

use crate::Metrics;
use crate::panels::title;

const MARKERS: [&str; 2] = ["<!-- metrics -->\n", "<!-- end of metrics -->"];

/// The page with these metrics between its markers.
pub(crate) fn in_page(page: &str, metrics: &Metrics) -> String {
    let (before, rest) = page.split_once(MARKERS[0]).expect("the page has a place for the tables");
    let (_, after) = rest.split_once(MARKERS[1]).expect("that place has an end");
    let mut tables = vec![table("Commands", &metrics.commands)];
    tables.extend(metrics.drivers.iter().map(|(driver, metrics)| table(title(driver), metrics)));
    tables.push(table("Stock", &metrics.stock));
    format!("{before}{}\n{}\n{}{after}", MARKERS[0], tables.join("\n"), MARKERS[1])
}

fn table(title: &str, metrics: &[Metric]) -> String {
    let mut table = format!("## {title}\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n");
    for Metric { name, kind, labels, description } in metrics {
        let labels: Vec<_> = labels.iter().map(|label| format!("`{label}`")).collect();
        let labels = if labels.is_empty() { " ".to_owned() } else { format!(" {} ", labels.join(", ")) };
        _ = writeln!(table, "| `{name}` | {} |{labels}| {description} |", kind.name());
    }
    table
}
