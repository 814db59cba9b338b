//! The tables of the page.

use std::fmt::Write as _;

use redis_keys_core::metric::Metric;

use crate::Metrics;

const MARKERS: [&str; 2] = ["<!-- metrics -->\n", "<!-- end of metrics -->"];

/// The page with these metrics between its markers.
pub(crate) fn in_page(page: &str, metrics: &Metrics) -> String {
    let (before, rest) = page.split_once(MARKERS[0]).expect("the page has a place for the tables");
    let (_, after) = rest.split_once(MARKERS[1]).expect("that place has an end");
    let drivers: Vec<_> = metrics.drivers.iter().flat_map(|(_, metrics)| metrics).collect();
    let tables = [
        table("Commands", &metrics.commands.iter().collect::<Vec<_>>()),
        table("Drivers", &drivers),
        table("Stock", &metrics.stock.iter().collect::<Vec<_>>()),
    ];
    format!("{before}{}\n{}\n{}{after}", MARKERS[0], tables.join("\n"), MARKERS[1])
}

fn table(title: &str, metrics: &[&Metric]) -> String {
    let mut table = format!("### {title}\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n");
    for Metric { name, kind, labels, description } in metrics {
        let labels: Vec<_> = labels.iter().map(|label| format!("`{label}`")).collect();
        let labels = if labels.is_empty() { " ".to_owned() } else { format!(" {} ", labels.join(", ")) };
        _ = writeln!(table, "| `{name}` | {} |{labels}| {description} |", kind.name());
    }
    table
}
