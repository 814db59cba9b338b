//! Hits in the memory of the process: near copies, and what is written by hand in their place.

use super::Setup;
use super::table::{Table, with_goal};
use super::throughput::Samples;
use crate::run::Outcome;

/// The other sides, each with the greatest share of its time that a near copy may take.
const SIDES: [(&str, Option<f64>); 6] = [
    ("near copies", None),
    ("moka by hand", Some(0.7)),
    ("quick_cache by hand, with a time", Some(1.0)),
    ("redis-rs's copies, as bytes", None),
    ("rustis's copies, as bytes", None),
    ("`get_or_load` without `near`, from Redis", None),
];

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let samples = Samples::measure("near", setup)?;
    Ok(vec![one_task(&samples), many_tasks(&samples)])
}

fn one_task(samples: &Samples) -> Table {
    let row = |(side, (title, goal)): (usize, &(&str, Option<f64>))| {
        let nanoseconds = format!("{:.0}", 1e9 / samples.median_per_second("alone", side));
        let share = samples.ratio_between("alone", side, 0);
        let share = match goal {
            Some(goal) => with_goal(share, share <= *goal, &format!("≤ {goal:.2}")),
            None => format!("{share:.4}"),
        };
        vec![(*title).to_owned(), nanoseconds, share]
    };
    Table {
        title: "Hits of near copies",
        method: format!(
            "{} One task, 1,000 keys, numbers. Each side writes the text of the key for each call; by hand with `format!`.",
            samples.method
        ),
        columns: &["", "time of a hit, ns", "time of a near copy, as a share of that"],
        rows: SIDES.iter().enumerate().map(row).collect(),
    }
}

fn many_tasks(samples: &Samples) -> Table {
    Table {
        title: "Hits of near copies in 64 tasks",
        method: format!("{} The same numbers, in one thread.", samples.method),
        columns: &["", "near copies, hits/s", "without `near`, hits/s", "ratio"],
        rows: vec![vec![
            "64 tasks".to_owned(),
            samples.per_second("tasks", 0),
            samples.per_second("tasks", 1),
            format!("{:.0}", samples.ratio("tasks", 1)),
        ]],
    }
}
