//! Rate limits, in turns with the same script by hand.

use super::Setup;
use super::table::{Table, with_goal};
use super::throughput::Samples;
use crate::run::Outcome;

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let samples = Samples::measure("limit", setup)?;
    let row = |(name, title): &(&str, &str)| {
        let mut row = vec![(*title).to_owned()];
        row.extend([0, 1, 2].map(|side| samples.per_second(name, side)));
        let ratio = samples.ratio(name, 1);
        row.push(with_goal(ratio, ratio >= 0.9, "≥ 0.90"));
        row.push(format!("{:.2}", samples.ratio(name, 2)));
        row
    };
    Ok(vec![Table {
        title: "Rate limits",
        method: format!(
            "{} By hand is EVALSHA of the same script with redis-rs and `format!`, without reading the reply. The empty script is `return 1`.",
            samples.method
        ),
        columns: &[
            "",
            "redis-keys, decisions/s",
            "by hand, decisions/s",
            "an empty script, calls/s",
            "ratio to by hand",
            "ratio to the empty script",
        ],
        rows: [("tasks", "64 tasks"), ("alone", "one after the other")].iter().map(row).collect(),
    }])
}
