//! Locks, in turns with the crate `rslock`.

use super::Setup;
use super::table::{Table, with_goal};
use super::throughput::Samples;
use crate::run::Outcome;

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let samples = Samples::measure("lock", setup)?;
    let row = |(name, title): &(&str, &str)| {
        let mut row = vec![(*title).to_owned()];
        row.extend([0, 1].map(|side| samples.per_second(name, side)));
        let ratio = samples.ratio(name, 1);
        row.push(with_goal(ratio, ratio >= 1.0, "≥ 1.00"));
        row
    };
    Ok(vec![Table {
        title: "Locks",
        method: format!(
            "{} Locks that are free, acquired and released; each is two round trips. `rslock` 0.10 sends SET NX and a script that deletes the key; redis-keys two scripts, which keep the fence.",
            samples.method
        ),
        columns: &["", "redis-keys, locks/s", "`rslock`, locks/s", "ratio"],
        rows: [("tasks", "64 tasks"), ("alone", "one after the other")].iter().map(row).collect(),
    }])
}
