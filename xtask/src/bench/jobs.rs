//! Queues of jobs, in turns with lists and streams by hand.

use super::Setup;
use super::table::Table;
use super::throughput::Samples;
use crate::run::Outcome;

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let samples = Samples::measure("jobs", setup)?;
    let row = |(name, title, goal): &(&str, &str, f64)| {
        let figure = samples.median_per_second(name, 0);
        let mark = if figure < *goal { ", **missed**" } else { "" };
        let goal = if *goal > 0.0 { format!(" (goal ≥ {goal:.0}{mark})") } else { String::new() };
        let mut row = vec![(*title).to_owned(), format!("{figure:.0}{goal}")];
        row.extend([1, 2].map(|side| samples.per_second(name, side)));
        row.extend([1, 2].map(|side| format!("{:.2}", samples.ratio(name, side))));
        row
    };
    let cases = [("by_20", "20 at a time", 14_000.0), ("by_1", "one at a time", 0.0)];
    Ok(vec![
        latency(&samples),
        Table {
            title: "Jobs",
            method: format!(
                "{} Jobs of 300 bytes that are pushed, taken and acknowledged on a blocking connection. By hand, a list is LPUSH, LMOVE \
             to a list of the worker and LREM there; a stream is XADD, XREADGROUP, XACK and XDEL.",
                samples.method
            ),
            columns: &["", "redis-keys, jobs/s", "list, jobs/s", "stream, jobs/s", "ratio to list", "ratio to stream"],
            rows: cases.iter().map(row).collect(),
        },
    ])
}

/// Measures the time from the push of a job to its start.
fn latency(samples: &Samples) -> Table {
    let milliseconds = |side| format!("{:.2} ms", 1e3 / samples.median_per_second("latency", side));
    Table {
        title: "Idle workers",
        method: format!(
            "{} The time from before the push of a job until it starts: with `Worker::pusher`; with a push on another connection and \
             the default `idle` of 200 ms; and XADD, read by a thread that is blocked in XREADGROUP.",
            samples.method
        ),
        columns: &["its pusher", "another program", "stream by hand"],
        rows: vec![[0, 1, 2].map(milliseconds).to_vec()],
    }
}
